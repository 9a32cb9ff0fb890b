#include "client/npy.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "client/format.h"
#include "client/npy_header.h"

namespace reductor {
namespace {

constexpr absl::string_view kMagic = "\x93NUMPY";
constexpr int64_t kAlignment = 64;  // Of the elements within the file.

constexpr int64_t kMaxHeaderBytes = kMaxNpyPreambleBytes - 12;

struct NpyType {
  absl::string_view code;  // Without the byte order.
  DType dtype;
};

// The first code of a type is the one that is written.
constexpr NpyType kNpyTypes[] = {
    {"f4", DType::kFloat32},  {"f8", DType::kFloat64}, {"f2", DType::kFloat16},
    {"V2", DType::kBFloat16}, {"i1", DType::kInt8},    {"i2", DType::kInt16},
    {"i4", DType::kInt32},    {"i8", DType::kInt64},   {"u1", DType::kUint8},
    {"u2", DType::kUint16},   {"u4", DType::kUint32},  {"u8", DType::kUint64},
    {"b1", DType::kBool},     {"?", DType::kBool},
};

// How the file's elements lie.
struct Layout {
  DType dtype;
  bool is_big_endian;
};

absl::Status Refuse(absl::string_view text) {
  return absl::InvalidArgumentError(text);
}

absl::StatusOr<Layout> ParseDescr(absl::string_view descr,
                                  const NpyReadOptions& options) {
  const bool has_order =
      !descr.empty() &&
      absl::string_view("<>|=").find(descr[0]) != absl::string_view::npos;
  const absl::string_view code = descr.substr(has_order ? 1 : 0);
  const auto* type = std::ranges::find(kNpyTypes, code, &NpyType::code);
  const std::string shown = absl::CHexEscape(descr.substr(0, 20));
  if (type == std::end(kNpyTypes)) {
    return Refuse(absl::StrFormat(
        "its elements are '%s'; bool and integers and floats of up to 8 bytes "
        "can be read",
        shown));
  }
  const bool is_raw = type->dtype == DType::kBFloat16;
  if (is_raw && !options.is_bfloat16) {
    return Refuse(absl::StrFormat(
        "its elements are '%s', raw bytes; --dtype bfloat16 reads them as "
        "bfloat16",
        shown));
  }
  if (options.is_bfloat16 && !is_raw) {
    return Refuse(absl::StrFormat(
        "its elements are '%s'; bfloat16 ones would be '<V2'", shown));
  }
  return Layout{type->dtype, descr[0] == '>'};
}

// `bytes` bytes, or fewer where `in` ends.
std::string ReadUpTo(std::istream& in, int64_t bytes) {
  std::string data(bytes, '\0');
  in.read(data.data(), bytes);
  data.resize(in.gcount());
  return data;
}

// The text of the header, understood.
absl::StatusOr<NpyHeader> ReadHeader(std::istream& in) {
  const std::string head = ReadUpTo(in, kMagic.size() + 2);
  if (in.bad()) return Refuse("it cannot be read");
  if (head.size() < kMagic.size() + 2 || !absl::StartsWith(head, kMagic)) {
    return Refuse("it is no .npy file: those begin with \\x93NUMPY");
  }
  const int major = static_cast<uint8_t>(head[kMagic.size()]);
  const int minor = static_cast<uint8_t>(head[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    return Refuse(absl::StrFormat(
        "it has .npy version %d.%d; 1.0, 2.0 and 3.0 can be read", major,
        minor));
  }
  const std::string length_bytes = ReadUpTo(in, major == 1 ? 2 : 4);
  int64_t length = 0;
  for (size_t i = 0; i < length_bytes.size(); ++i) {
    length |= int64_t{static_cast<uint8_t>(length_bytes[i])} << (8 * i);
  }
  if (length > kMaxHeaderBytes) {
    return Refuse(
        absl::StrFormat("its header claims %d bytes; %d at most can be read",
                        length, kMaxHeaderBytes));
  }
  const std::string text = ReadUpTo(in, length);
  if (std::ssize(text) < length || length == 0) {
    return Refuse("it ends within its header");
  }
  return ParseNpyHeader(text);
}

}  // namespace

absl::StatusOr<NpyPreamble> ReadNpyPreamble(std::istream& in,
                                            const NpyReadOptions& options) {
  absl::StatusOr<NpyHeader> header = ReadHeader(in);
  if (!header.ok()) return header.status();
  const absl::StatusOr<Layout> layout = ParseDescr(header->descr, options);
  if (!layout.ok()) return layout.status();
  TensorType type = {layout->dtype, std::move(header->shape)};
  if (!ByteCount(type).has_value()) {
    return Refuse(absl::StrCat(Signature(type.dtype, type.shape),
                               " has more bytes than int64 counts"));
  }
  return NpyPreamble{std::move(type), layout->is_big_endian,
                     header->fortran_order};
}

void WriteNpyPreamble(const TensorType& type, std::ostream& out) {
  const auto* npy_type =
      std::ranges::find(kNpyTypes, type.dtype, &NpyType::dtype);
  assert(npy_type != std::end(kNpyTypes));
  const absl::string_view order = SizeOf(type.dtype) == 1 ? "|" : "<";
  std::string header = NpyHeaderText(
      {.descr = absl::StrCat(order, npy_type->code), .shape = type.shape});
  // numpy leaves room for the first extent to grow to 21 digits in place.
  if (!type.shape.empty()) {
    header.append(21 - absl::StrCat(type.shape.front()).size(), ' ');
  }
  const int64_t unpadded = kMagic.size() + 4 + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header.push_back('\n');
  assert(std::ssize(header) <= 0xffff);
  const char version_and_length[] = {1, 0,
                                     static_cast<char>(header.size() & 0xff),
                                     static_cast<char>(header.size() >> 8)};
  out << kMagic;
  out.write(version_and_length, sizeof(version_and_length));
  out << header;
}

void WriteNpy(const Tensor& tensor, std::ostream& out) {
  WriteNpyPreamble({tensor.dtype, tensor.shape}, out);
  out << tensor.data;
}

}  // namespace reductor
