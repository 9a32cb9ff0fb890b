#include "client/npy_header.h"

#include <charconv>
#include <optional>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

namespace reductor {
namespace {

// Reads the dict from left to right. Each method takes one thing off the front
// and says whether it was there.
class Scanner {
 public:
  explicit Scanner(absl::string_view text) : rest_(text) {}

  bool Take(absl::string_view token) {
    SkipSpace();
    return absl::ConsumePrefix(&rest_, token);
  }

  bool AtEnd() {
    SkipSpace();
    return rest_.empty();
  }

  // A string between single or double quotes, without escapes.
  std::optional<std::string> TakeString() {
    SkipSpace();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) {
      return std::nullopt;
    }
    const size_t end = rest_.find(rest_[0], 1);
    if (end == absl::string_view::npos) return std::nullopt;
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    if (value.find('\\') != std::string::npos) return std::nullopt;
    return value;
  }

  std::optional<bool> TakeBool() {
    if (Take("True")) return true;
    if (Take("False")) return false;
    return std::nullopt;
  }

  // "()", "(3,)", "(3, 4)": extents of at least 0.
  std::optional<std::vector<int64_t>> TakeShape() {
    if (!Take("(")) return std::nullopt;
    std::vector<int64_t> shape;
    bool has_comma = true;
    while (!Take(")")) {
      const std::optional<int64_t> extent = TakeExtent();
      if (!has_comma || !extent.has_value()) return std::nullopt;
      shape.push_back(*extent);
      has_comma = Take(",");
    }
    // To Python "(3)" is a number and no tuple.
    if (shape.size() == 1 && !has_comma) return std::nullopt;
    return shape;
  }

 private:
  void SkipSpace() {
    const size_t start = rest_.find_first_not_of(" \t\r\n\f");
    rest_.remove_prefix(start == absl::string_view::npos ? rest_.size()
                                                         : start);
  }

  std::optional<int64_t> TakeExtent() {
    SkipSpace();
    int64_t extent = 0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
    if (error != std::errc() || extent < 0) return std::nullopt;
    rest_.remove_prefix(end - rest_.data());
    absl::ConsumePrefix(&rest_, "L");
    return extent;
  }

  absl::string_view rest_;
};

absl::Status Unreadable(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("its header ", what));
}

// Takes the value of `key` into `value`, which must not be there yet.
template <class T>
absl::Status TakeOnce(absl::string_view key, std::optional<T> taken,
                      absl::string_view right, std::optional<T>& value) {
  if (value.has_value()) {
    return Unreadable(absl::StrFormat("has '%s' twice", key));
  }
  if (!taken.has_value()) {
    return Unreadable(absl::StrFormat("has a '%s' that is not %s", key, right));
  }
  value = std::move(taken);
  return absl::OkStatus();
}

// The entries as they are read; any may be missing.
struct Entries {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<int64_t>> shape;
};

absl::Status TakeEntry(Scanner& scanner, Entries& entries) {
  const std::optional<std::string> key = scanner.TakeString();
  if (!key.has_value() || !scanner.Take(":")) {
    return Unreadable("is not a Python dict");
  }
  if (*key == "descr") {
    return TakeOnce(*key, scanner.TakeString(),
                    "one element type, such as '<f4'", entries.descr);
  }
  if (*key == "fortran_order") {
    return TakeOnce(*key, scanner.TakeBool(), "True or False",
                    entries.fortran_order);
  }
  if (*key == "shape") {
    return TakeOnce(*key, scanner.TakeShape(),
                    "a tuple of extents from 0 to 2^63-1", entries.shape);
  }
  return Unreadable(
      "has a key other than 'descr', 'fortran_order' and 'shape'");
}

}  // namespace

absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view text) {
  Scanner scanner(text);
  if (!scanner.Take("{")) return Unreadable("is not a Python dict");
  Entries entries;
  bool has_comma = true;
  while (!scanner.Take("}")) {
    if (!has_comma) return Unreadable("is not a Python dict");
    const absl::Status status = TakeEntry(scanner, entries);
    if (!status.ok()) return status;
    has_comma = scanner.Take(",");
  }
  if (!scanner.AtEnd()) return Unreadable("goes on after its dict");
  if (!entries.descr || !entries.fortran_order || !entries.shape) {
    return Unreadable("lacks one of 'descr', 'fortran_order' and 'shape'");
  }
  return NpyHeader{*std::move(entries.descr), *entries.fortran_order,
                   *std::move(entries.shape)};
}

std::string NpyHeaderText(const NpyHeader& header) {
  return absl::StrFormat(
      "{'descr': '%s', 'fortran_order': %s, 'shape': (%s%s), }", header.descr,
      header.fortran_order ? "True" : "False",
      absl::StrJoin(header.shape, ", "), header.shape.size() == 1 ? "," : "");
}

}  // namespace reductor
