// What every server of the bench does besides serving: it says where it listens
// and ends when its standard input does, so that none outlives the bench.
#ifndef REDUCTOR_TESTS_BENCH_RPC_SERVING_H_
#define REDUCTOR_TESTS_BENCH_RPC_SERVING_H_

#include <unistd.h>

#include <cstdio>

namespace reductor::bench {

inline constexpr char kAnyPort[] = "127.0.0.1:0";

inline void SayAddress(int port) {
  std::printf("127.0.0.1:%d\n", port);
  std::fflush(stdout);
}

inline void AwaitEndOfInput() {
  char ignored;
  while (read(STDIN_FILENO, &ignored, 1) > 0) {
  }
}

}  // namespace reductor::bench

#endif  // REDUCTOR_TESTS_BENCH_RPC_SERVING_H_
