// Runs the command line within the test, as main() would.
#ifndef REDUCTOR_TESTS_CLIENT_RUN_COMMAND_H_
#define REDUCTOR_TESTS_CLIENT_RUN_COMMAND_H_

#include <sstream>
#include <string>
#include <vector>

#include "client/command_line.h"

namespace reductor {

struct Outcome {
  int exit_code;
  std::string out;
  std::string err;
};

// The arguments come after the program's name.
inline Outcome RunCommand(std::vector<const char*> arguments,
                          const std::string& input = "") {
  arguments.insert(arguments.begin(), "reductor");
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int exit_code =
      Run(static_cast<int>(arguments.size()), arguments.data(), {in, out, err});
  return {exit_code, out.str(), err.str()};
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CLIENT_RUN_COMMAND_H_
