// A flag has three names: max_message_bytes (Abseil), --max-message-bytes
// (users), REDUCTOR_MAX_MESSAGE_BYTES (the environment).
#ifndef REDUCTOR_SERVICE_FLAG_NAMES_H_
#define REDUCTOR_SERVICE_FLAG_NAMES_H_

#include <string>

#include "absl/flags/commandlineflag.h"
#include "absl/strings/string_view.h"

namespace reductor {

inline constexpr absl::string_view kVariablePrefix = "REDUCTOR_";
// Belongs to the command-line client: not a misspelt one of ours.
inline constexpr absl::string_view kClientVariable = "REDUCTOR_SERVER";

// "max_message_bytes" -> "--max-message-bytes".
std::string DashedName(absl::string_view name);

// "max_message_bytes" -> "REDUCTOR_MAX_MESSAGE_BYTES".
std::string TwinName(absl::string_view name);

// The flag of REDUCTOR_FLAGS that a user names "--max-message-bytes", or the
// environment REDUCTOR_MAX_MESSAGE_BYTES; null if there is none.
absl::CommandLineFlag* FindFlag(absl::string_view dashed_name);
absl::CommandLineFlag* FindTwin(absl::string_view twin_name);

// The boolean flag that "--reflection" or "--noreflection" means, or null.
absl::CommandLineFlag* FindBoolFlag(absl::string_view argument);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_FLAG_NAMES_H_
