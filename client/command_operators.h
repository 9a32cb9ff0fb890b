// `reductor operators`: the table of what the server computes.
#ifndef REDUCTOR_CLIENT_COMMAND_OPERATORS_H_
#define REDUCTOR_CLIENT_COMMAND_OPERATORS_H_

#include "client/invocation.h"

namespace CLI {
class App;
}

namespace reductor {

void AddOperatorsCommand(CLI::App& app, Invocation& invocation);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_COMMAND_OPERATORS_H_
