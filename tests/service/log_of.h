// What is logged, as text and as lines that a test can compare.
#ifndef REDUCTOR_TESTS_SERVICE_LOG_OF_H_
#define REDUCTOR_TESTS_SERVICE_LOG_OF_H_

#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "service/log.h"

namespace reductor {

// What `write` logs.
template <class Write>
std::string LogOf(Write write) {
  testing::internal::CaptureStderr();
  write();
  FlushLog();
  return testing::internal::GetCapturedStderr();
}

// The one line that `write` logs, without its timestamp.
template <class Write>
nlohmann::ordered_json LineOf(Write write) {
  nlohmann::ordered_json line = nlohmann::ordered_json::parse(LogOf(write));
  line.erase("ts");
  return line;
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_LOG_OF_H_
