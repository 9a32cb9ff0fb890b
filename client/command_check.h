// `reductor check`: compares the server's answers to random requests with a
// plain local computation.
#ifndef REDUCTOR_CLIENT_COMMAND_CHECK_H_
#define REDUCTOR_CLIENT_COMMAND_CHECK_H_

#include "client/invocation.h"

namespace CLI {
class App;
}

namespace reductor {

void AddCheckCommand(CLI::App& app, Invocation& invocation);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_COMMAND_CHECK_H_
