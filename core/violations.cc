#include "core/violations.h"

#include <optional>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace reductor {
namespace {

constexpr absl::string_view kPayloadUrl = "reductor/violations";

// Neither occurs in a field, a reason or a description.
constexpr char kFieldEnd = '\x1f';
constexpr char kRecordEnd = '\x1e';

}  // namespace

void Violations::Add(absl::string_view field, absl::string_view reason,
                     absl::string_view description) {
  // Once one is left out, so are all that follow: the list has no holes.
  const bool was_full = is_full();
  ++count_;
  if (was_full) return;
  const size_t bytes = field.size() + reason.size() + description.size();
  if (!kept_.empty() && kept_bytes_ + bytes > kMaxBytes) return;
  kept_bytes_ += bytes;
  kept_.push_back({.field = std::string(field),
                   .reason = std::string(reason),
                   .description = std::string(description)});
}

Violations Violations::Renamed(
    absl::FunctionRef<std::string(absl::string_view)> rename) const {
  Violations renamed;
  for (const Violation& v : kept_) {
    renamed.Add(rename(v.field), v.reason, v.description);
  }
  renamed.count_ = count_;
  return renamed;
}

absl::Status Violations::ToStatus() const {
  if (empty()) return absl::OkStatus();
  const Violation& first = kept_.front();
  std::string message = absl::StrCat(first.field, ": ", first.description);
  if (count_ > 1) {
    absl::StrAppend(&message, " (and ", count_ - 1, " more violation",
                    count_ > 2 ? "s" : "");
    if (count_ > static_cast<int64_t>(kept_.size())) {
      absl::StrAppend(&message, ", of which ", count_ - kept_.size(),
                      " are not listed");
    }
    absl::StrAppend(&message, ")");
  }
  std::string payload = absl::StrCat(count_);
  for (const Violation& v : kept_) {
    absl::StrAppend(&payload, absl::string_view(&kRecordEnd, 1), v.field,
                    absl::string_view(&kFieldEnd, 1), v.reason,
                    absl::string_view(&kFieldEnd, 1), v.description);
  }
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kPayloadUrl, absl::Cord(std::move(payload)));
  return status;
}

Violations Violations::FromStatus(const absl::Status& status) {
  Violations violations;
  const auto payload = status.GetPayload(kPayloadUrl);
  if (!payload.has_value()) return violations;
  const std::string text(*payload);
  const std::vector<absl::string_view> records =
      absl::StrSplit(text, kRecordEnd);
  for (size_t i = 1; i < records.size(); ++i) {
    const std::vector<absl::string_view> parts =
        absl::StrSplit(records[i], kFieldEnd);
    violations.Add(parts[0], parts[1], parts[2]);
  }
  (void)absl::SimpleAtoi(records[0], &violations.count_);
  return violations;
}

}  // namespace reductor
