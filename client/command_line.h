// The command line `reductor`: its options and its commands.
#ifndef REDUCTOR_CLIENT_COMMAND_LINE_H_
#define REDUCTOR_CLIENT_COMMAND_LINE_H_

#include "client/invocation.h"

namespace reductor {

// Does what the arguments say, argv[0] being the program, and answers the exit
// code: see invocation.h and command_health.h.
int Run(int argc, const char* const* argv, const Streams& streams);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_COMMAND_LINE_H_
