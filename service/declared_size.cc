// absl::SimpleAtoi() takes signs and spaces, too.
#include "service/declared_size.h"

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "service/status.h"

namespace reductor {

absl::StatusOr<std::optional<int64_t>> DeclaredSize(
    const ClientMetadata& metadata) {
  const auto [begin, end] = metadata.equal_range(kDeclaredSizeKey);
  if (begin == end) return std::nullopt;
  const absl::string_view text(begin->second.data(), begin->second.size());
  int64_t bytes;
  if (std::next(begin) != end ||
      text.find_first_not_of("0123456789") != text.npos ||
      !absl::SimpleAtoi(text, &bytes)) {
    return DeclaredSizeInvalidError(kDeclaredSizeKey, text);
  }
  return bytes;
}

}  // namespace reductor
