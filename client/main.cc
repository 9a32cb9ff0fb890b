// The program `reductor`.
#include <unistd.h>

#include <exception>
#include <iostream>

#include "client/command_line.h"
#include "client/invocation.h"

// What libraries throw, where a tensor does not fit into memory say.
int main(int argc, char** argv) try {
  return reductor::Run(
      argc, argv, {std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0});
} catch (const std::exception& error) {
  std::cerr << "reductor: " << error.what() << '\n';
  return reductor::kExitFailed;
}
