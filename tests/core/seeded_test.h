// Random cases that can be run again: a failure tells its seed.
#ifndef REDUCTOR_TESTS_CORE_SEEDED_TEST_H_
#define REDUCTOR_TESTS_CORE_SEEDED_TEST_H_

#include <cstdint>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace reductor {

class SeededTest : public testing::Test {
 protected:
  SeededTest() { RecordProperty("seed", std::to_string(seed_)); }

 private:
  const uint32_t seed_ = std::random_device()();
  const testing::ScopedTrace trace_{__FILE__, __LINE__,
                                    testing::Message() << "seed " << seed_};

 protected:
  std::mt19937 rng_{seed_};
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_SEEDED_TEST_H_
