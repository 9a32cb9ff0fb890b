// Gives memory back when the server is idle: malloc keeps every page for the
// next request (TuneAllocator), which is right only while requests come.
#ifndef REDUCTOR_SERVICE_IDLE_TRIM_H_
#define REDUCTOR_SERVICE_IDLE_TRIM_H_

#include <stop_token>
#include <thread>

#include "service/calls.h"

namespace reductor {

// A thread that looks every few seconds, for as long as the object lives.
class IdleTrim {
 public:
  // `calls` outlives the object.
  explicit IdleTrim(const Calls* calls);

 private:
  void Run(const std::stop_token& stop) const;

  const Calls* const calls_;
  std::jthread thread_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_IDLE_TRIM_H_
