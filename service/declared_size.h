// What a caller says of its message before it comes: how long it is.
#ifndef REDUCTOR_SERVICE_DECLARED_SIZE_H_
#define REDUCTOR_SERVICE_DECLARED_SIZE_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "service/request_log.h"

namespace reductor {

// The key of the metadata.
inline constexpr char kDeclaredSizeKey[] = "reductor-message-bytes";

// The bytes of the call's message as `metadata` declares them, not negative;
// absent: it does not. INVALID_ARGUMENT DECLARED_SIZE_INVALID for all else but
// digits, for what exceeds int64, and for several declarations.
absl::StatusOr<std::optional<int64_t>> DeclaredSize(
    const ClientMetadata& metadata);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_DECLARED_SIZE_H_
