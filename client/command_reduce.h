// `reductor reduce-l1` and its like: one command for each operator, which
// reduces a .npy file.
#ifndef REDUCTOR_CLIENT_COMMAND_REDUCE_H_
#define REDUCTOR_CLIENT_COMMAND_REDUCE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "client/invocation.h"

namespace CLI {
class App;
}

namespace reductor {

// "ReduceLogSumExp" -> "reduce-log-sum-exp", "ReduceL1" -> "reduce-l1".
std::string KebabCase(absl::string_view official_name);

// One command for each operator that the wire names, whether or not a server
// has it: that is for the server to say.
void AddReduceCommands(CLI::App& app, Invocation& invocation);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_COMMAND_REDUCE_H_
