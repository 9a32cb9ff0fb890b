// Looks whether a request has the same bits on every instruction set, with any
// number of threads, and however its bytes are cut.
#ifndef REDUCTOR_TESTS_CORE_SAME_BITS_H_
#define REDUCTOR_TESTS_CORE_SAME_BITS_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "core/parallel.h"
#include "core/reduce.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {

// Bit patterns are values of any type: most float64 sums of them round in every
// addition, and many overflow or meet a NaN.
inline std::string RandomBytes(int64_t size, std::mt19937& rng) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(rng());
  return bytes;
}

// The same, but none of which a reduction need not read to its end: integers
// are odd, and bytes not the largest.
inline std::string NeverAbsorbing(int64_t size, std::mt19937& rng) {
  std::string bytes = RandomBytes(size, rng);
  for (char& byte : bytes) {
    byte = static_cast<char>(byte | 1);
    if ((byte & 0x7f) == 0x7f) byte = static_cast<char>(byte - 2);
  }
  return bytes;
}

// Finite values below 2^largest, so that the order of every addition shows.
inline std::string RandomFloat64s(int64_t count, std::mt19937& rng,
                                  int largest = 50) {
  std::vector<double> x(count);
  for (double& value : x) {
    value = std::ldexp(static_cast<double>(rng()) - 0x1p31,
                       largest - 31 - static_cast<int>(rng() % 40));
  }
  return BytesOf(x);
}

inline std::vector<std::string> ResultsOf(const RequestSpec& request,
                                          const absl::Cord& data) {
  std::vector<std::string> results;
  const std::vector<Plan> plans = MakePlans(request).value();
  const absl::StatusOr<Results> answers = Reduce(plans, data);
  for (const ResultBytes& result : *answers) {
    results.emplace_back(result.ToCord());
  }
  return results;
}

// The same, of a tensor that arrives in pieces of up to `longest` bytes.
inline std::vector<std::string> PiecewiseResultsOf(const RequestSpec& request,
                                                   const std::string& bytes,
                                                   size_t longest,
                                                   std::mt19937& rng) {
  const std::vector<Plan> plans = MakePlans(request).value();
  std::vector<std::string> results(plans.size());
  PiecewiseReduce reduce(plans);
  for (size_t begin = 0; begin < bytes.size();) {
    const std::string piece = bytes.substr(begin, 1 + rng() % longest);
    begin += piece.size();
    EXPECT_TRUE(reduce.Consume(MisalignedPiece(piece), NeverCancelled).ok());
    for (size_t i = 0; i < plans.size(); ++i) {
      results[i] += std::string(reduce.TakeResults(i));
    }
  }
  return results;
}

// One request for each operator that takes the type, along each of the axes.
inline std::vector<RequestSpec> EveryOperator(
    DType dtype, const std::vector<int64_t>& shape,
    const std::vector<std::vector<int64_t>>& axes_sets) {
  std::vector<RequestSpec> requests;
  for (const Operator op : kOperators) {
    std::optional<ReduceSpec> spec = SpecFor(op, dtype);
    if (!spec.has_value()) continue;
    RequestSpec& request = requests.emplace_back(RequestFor(dtype, shape, {}));
    request.reductions.clear();
    for (const std::vector<int64_t>& axes : axes_sets) {
      if (IsPosition(op) && axes.size() != 1) continue;
      spec->axes = axes;
      request.reductions.push_back(*spec);
    }
  }
  return requests;
}

inline void ExpectSameBitsEverywhere(const RequestSpec& request,
                                     const std::string& bytes,
                                     std::mt19937& rng) {
  if (request.reductions.empty()) return;
  SCOPED_TRACE(NameOf(request.reductions[0].op));
  const std::vector<std::string> first =
      ResultsOf(request, MisalignedPiece(bytes));
  ForEachTarget([&] {
    SetThreads(1);
    EXPECT_TRUE(ResultsOf(request, absl::Cord(bytes)) == first);
    EXPECT_TRUE(PiecewiseResultsOf(request, bytes, 700'000, rng) == first);
    for (const auto& [threads, longest] :
         {std::pair{1, 7}, {1, 70000}, {2, 3000}, {5, 70000}}) {
      // Tiny pieces of a large tensor would only take long.
      if (bytes.size() / longest > 20000) continue;
      SetThreads(threads);
      EXPECT_TRUE(ResultsOf(request, CutAtRandom(bytes, longest, rng)) == first)
          << threads << " threads, pieces of up to " << longest << " bytes";
    }
    EXPECT_TRUE(PiecewiseResultsOf(request, bytes, 700'000, rng) == first);
    if (bytes.size() > 100'000) return;
    EXPECT_TRUE(PiecewiseResultsOf(request, bytes, 50, rng) == first);
  });
}

class SameBits : public SeededTest {
 protected:
  void TearDown() override { SetThreads(2); }

  // Of every operator that takes the type, along each of these sets of axes.
  void ExpectSameBitsOfEveryOperator(
      DType dtype, const std::vector<int64_t>& shape,
      const std::vector<std::vector<int64_t>>& axes_sets,
      const std::string& bytes) {
    for (const RequestSpec& request : EveryOperator(dtype, shape, axes_sets)) {
      ExpectSameBitsEverywhere(request, bytes, rng_);
    }
  }
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_SAME_BITS_H_
