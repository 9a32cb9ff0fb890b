// `reductor health`: asks the server whether it takes calls.
#ifndef REDUCTOR_CLIENT_COMMAND_HEALTH_H_
#define REDUCTOR_CLIENT_COMMAND_HEALTH_H_

#include "client/invocation.h"

namespace CLI {
class App;
}

namespace reductor {

// The exit codes of grpc_health_probe, so that probes can be exchanged. 0: the
// server is SERVING.
inline constexpr int kHealthExitUsage = 1;
inline constexpr int kHealthExitNoConnection = 2;
inline constexpr int kHealthExitCallFailed = 3;  // No answer in time, too.
inline constexpr int kHealthExitNotServing = 4;

// Adds the command, which belongs to `app`.
const CLI::App* AddHealthCommand(CLI::App& app, Invocation& invocation);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_COMMAND_HEALTH_H_
