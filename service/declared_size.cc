// absl::SimpleAtoi() takes signs and spaces, too.
#include "service/declared_size.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "service/status.h"

namespace reductor {

absl::StatusOr<std::optional<int64_t>> DeclaredSize(
    const ClientMetadata& metadata) {
  const auto [begin, end] = metadata.equal_range(kDeclaredSizeKey);
  if (begin == end) return std::nullopt;
  // Given twice it is one text with a comma, as in HTTP.
  const std::string text =
      absl::StrJoin(begin, end, ", ", [](std::string* out, const auto& entry) {
        out->append(entry.second.data(), entry.second.size());
      });
  int64_t bytes;
  if (text.find_first_not_of("0123456789") != text.npos ||
      !absl::SimpleAtoi(text, &bytes)) {
    return DeclaredSizeInvalidError(kDeclaredSizeKey, text);
  }
  return bytes;
}

}  // namespace reductor
