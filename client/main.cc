// The program `reductor`.
#include <unistd.h>

#include <iostream>

#include "client/command_line.h"

int main(int argc, char** argv) {
  return reductor::Run(
      argc, argv, {std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0});
}
