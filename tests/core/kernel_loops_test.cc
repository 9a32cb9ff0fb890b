// What a kernel makes of columns, slabs and rows by one call, wherever they
// come from and however they lie; the places that it finds are
// kernel_places_test.cc's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/kernels.h"
#include "tests/core/targets.h"

namespace reductor {
namespace {

// Of either sign, and in any part of the range of int32.
template <class T>
std::vector<T> RandomElements(int64_t count, std::mt19937& random) {
  std::vector<T> x(count);
  for (T& each : x) {
    each = static_cast<T>(static_cast<int32_t>(random())) / T{3};
  }
  return x;
}

// Zen 3 and 4 walk those otherwise.
TEST(FoldColumns, MakesTheSameOfWhatComesFromMemory) {
  const auto expect = [](Operator op, auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    for (const int64_t rows : {1, 3, 4, 9}) {
      for (const int64_t cols : {5, 300, 1000, 2100, 5000, 20'000}) {
        for (const int64_t stride : {cols, cols + 7}) {
          const std::vector<T> x = RandomElements<T>(rows * stride, random);
          const auto states_from = [&](Source source) {
            const Kernel& kernel = GetKernel(op, kDTypeOf<T>, false, source);
            std::vector<std::byte> states(cols * kernel.state_size);
            for (const Into into : {Into::kNew, Into::kHeld}) {
              kernel.fold_columns(reinterpret_cast<const std::byte*>(x.data()),
                                  rows, stride, cols, states.data(), into,
                                  source);
            }
            return states;
          };
          EXPECT_EQ(states_from(Source::kMemory),
                    states_from(Source::kSharedCache))
              << NameOf(op) << " of " << rows << " x " << cols << ", " << stride
              << " apart";
        }
      }
    }
  };
  ForEachTarget([&expect] {
    expect(Operator::kReduceSum, double{});
    expect(Operator::kReduceSum, float{});
    expect(Operator::kReduceSum, int32_t{});
    expect(Operator::kReduceL2, int32_t{});
    expect(Operator::kReduceMax, float{});
    expect(Operator::kArgMax, float{});
  });
}

TEST(ReduceSlabs, WritesTheSameOfWhatComesFromMemory) {
  const auto expect = [](Operator op, auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    for (const int64_t rows : {2, 7, 16}) {
      for (const int64_t cols : {16, 100, 300, 1100}) {
        constexpr int64_t kSlabs = 3;
        const std::vector<T> x =
            RandomElements<T>(kSlabs * rows * cols, random);
        const auto results_from = [&](Source source) {
          const Kernel& kernel = GetKernel(op, kDTypeOf<T>, false, source);
          std::vector<std::byte> results(kSlabs * cols * kernel.output_size);
          kernel.reduce_slabs(reinterpret_cast<const std::byte*>(x.data()),
                              kSlabs, rows, cols, cols, results.data(), source);
          return results;
        };
        EXPECT_EQ(results_from(Source::kMemory),
                  results_from(Source::kSharedCache))
            << NameOf(op) << " of " << rows << " x " << cols;
      }
    }
  };
  expect(Operator::kReduceSum, double{});
  expect(Operator::kReduceSum, float{});
  expect(Operator::kReduceMax, float{});
  expect(Operator::kArgMax, int32_t{});
}

// On Zen 3 these are prefetched as streams (core/kernels/read_ahead-inl.h):
// several windows from an odd address on, with a NaN on the way, from which on
// other loops find the extremes.
TEST(FoldRowsAndSlabs, MakeTheSameOfWhatComesFromMemory) {
  const auto expect = [](Operator op, auto zero) {
    using T = decltype(zero);
    constexpr int64_t kSize = sizeof(T);
    constexpr int64_t kCount = 400'000 / kSize;
    std::mt19937 random(1);
    std::vector<T> x = RandomElements<T>(kCount, random);
    if constexpr (std::is_floating_point_v<T>) x[kCount * 3 / 4] = NAN;
    std::vector<std::byte> bytes(1 + kCount * kSize);
    std::memcpy(bytes.data() + 1, x.data(), kCount * kSize);
    // Finished, as a NaN in a state may have any bits.
    const auto results_from = [&](Source source, int64_t rows, int64_t cols) {
      const Kernel& kernel = GetKernel(op, kDTypeOf<T>, false, source);
      const int64_t count = kCount / (rows * cols);
      std::vector<std::byte> states(count * cols * kernel.state_size);
      if (cols == 1) {
        kernel.fold_rows(bytes.data() + 1, count, rows, states.data(),
                         Into::kNew, source);
      } else {
        kernel.fold_slabs(bytes.data() + 1, count, rows, cols, states.data(),
                          Into::kNew, source);
      }
      std::vector<std::byte> results(count * cols * kernel.output_size);
      kernel.finish(states.data(), count * cols, rows, results.data());
      return results;
    };
    using Shape = std::pair<int64_t, int64_t>;
    for (const auto& [rows, cols] :
         {Shape{5, 1}, Shape{20, 1}, Shape{100, 1}, Shape{300, 1},
          Shape{1000, 1}, Shape{4096, 1}, Shape{2, 5}, Shape{16, 12},
          Shape{17, 100}, Shape{40, 50}}) {
      EXPECT_EQ(results_from(Source::kMemory, rows, cols),
                results_from(Source::kSharedCache, rows, cols))
          << NameOf(op) << " of " << rows << " x " << cols;
    }
  };
  ForEachTarget([&expect] {
    expect(Operator::kReduceSum, double{});
    expect(Operator::kReduceSum, float{});
    expect(Operator::kReduceSum, int8_t{});
    expect(Operator::kReduceMean, double{});
    expect(Operator::kReduceMax, double{});
    expect(Operator::kReduceMax, float{});
    expect(Operator::kReduceMax, int32_t{});
    expect(Operator::kArgMax, float{});
  });
}

// As strips of columns do.
TEST(ReduceSlabs, WritesTheSameOfRowsThatLieApart) {
  const auto expect = [](Operator op, auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    const Kernel& kernel = GetKernel(op, kDTypeOf<T>);
    for (const int64_t rows : {2, 17, 33, 48}) {
      for (const int64_t cols : {16, 64, 129, 1100}) {
        if (cols * static_cast<int64_t>(sizeof(T)) < kMinSlabRowBytes) continue;
        const std::vector<T> together = RandomElements<T>(rows * cols, random);
        const auto results_by = [&](int64_t stride) {
          std::vector<T> x(rows * stride);
          for (int64_t r = 0; r < rows; ++r) {
            std::copy_n(together.begin() + r * cols, cols,
                        x.begin() + r * stride);
          }
          std::vector<std::byte> results(cols * kernel.output_size);
          kernel.reduce_slabs(reinterpret_cast<const std::byte*>(x.data()), 1,
                              rows, stride, cols, results.data(),
                              Source::kSharedCache);
          return results;
        };
        EXPECT_EQ(results_by(cols + 700), results_by(cols))
            << NameOf(op) << " of " << rows << " x " << cols;
      }
    }
  };
  ForEachTarget([&expect] {
    expect(Operator::kReduceSum, double{});
    expect(Operator::kReduceMean, double{});
    expect(Operator::kReduceSum, float{});
    expect(Operator::kReduceMax, float{});
    expect(Operator::kReduceMean, int16_t{});
    expect(Operator::kArgMax, float{});
    expect(Operator::kArgMin, int64_t{});
  });
}

}  // namespace
}  // namespace reductor
