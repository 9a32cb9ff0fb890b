// How the bench drives its clients: one command a line on standard input, one
// answer a line on standard output, until the input ends. A client that lives
// through the whole bench keeps its connections, and its start costs nobody.
#ifndef REDUCTOR_TESTS_BENCH_RPC_COMMAND_H_
#define REDUCTOR_TESTS_BENCH_RPC_COMMAND_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>

#include "absl/status/statusor.h"

namespace reductor::bench {

using Clock = std::chrono::steady_clock;

// What one message of a stream carries of the tensor.
inline constexpr int64_t kPieceBytes = 1 << 20;

struct Command {
  std::string kind;     // "unary": a tensor a message; "stream": in pieces.
  std::string address;  // host:port
  int64_t bytes = 0;    // Of one tensor of float32.
  int in_flight = 0;    // Calls at a time.
  int connections = 0;  // That carry them, at most in_flight.
  double seconds = 0;   // After which no call starts that is not the first.
};

// What a command came to.
struct Batch {
  int64_t calls = 0;
  Clock::duration time{};
};

// Answers "CALLS SECONDS", or "error" and why, to each command.
inline void ServeCommands(
    const std::function<absl::StatusOr<Batch>(const Command&)>& run) {
  Command command;
  while (std::cin >> command.kind >> command.address >> command.bytes >>
         command.in_flight >> command.connections >> command.seconds) {
    const absl::StatusOr<Batch> batch = run(command);
    if (batch.ok()) {
      std::printf("%lld %.9f\n", static_cast<long long>(batch->calls),
                  std::chrono::duration<double>(batch->time).count());
    } else {
      std::printf("error %s\n", batch.status().ToString().c_str());
    }
    std::fflush(stdout);
  }
}

}  // namespace reductor::bench

#endif  // REDUCTOR_TESTS_BENCH_RPC_COMMAND_H_
