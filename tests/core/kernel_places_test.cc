// The places that a kernel finds by one call in columns, slabs and rows,
// wherever they come from.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "core/kernels.h"
#include "tests/core/targets.h"

namespace reductor {
namespace {

// More rows than the loops over columns count at a time.
TEST(FoldColumns, FindsPlacesInColumnsOfAnyLength) {
  constexpr int64_t kRows = 16387;
  for (const int64_t place : {0, 16383, 16384, 16386}) {
    std::vector<std::byte> x(2 * kRows, std::byte{1});
    x[2 * place] = std::byte{2};
    for (const bool is_last : {false, true}) {
      const Kernel& kernel =
          GetKernel(Operator::kArgMax, DType::kUint8, is_last);
      std::vector<std::byte> state(kernel.state_size);
      kernel.fold_columns(x.data(), kRows, 2, 1, state.data(), Into::kNew,
                          Source::kSharedCache);
      int64_t found = -1;
      kernel.finish(state.data(), 1, kRows,
                    reinterpret_cast<std::byte*>(&found));
      EXPECT_EQ(found, place);
    }
  }
}

// Which of `rows` rows, `stride` elements apart, has the largest element of
// column c, or the smallest; of equal ones the first or the last.
template <class T>
int64_t RowOfBest(const std::vector<T>& x, int64_t rows, int64_t stride,
                  int64_t c, bool is_max, bool is_last) {
  int64_t best = 0;
  for (int64_t r = 1; r < rows; ++r) {
    const T later = x[r * stride + c];
    const T found = x[best * stride + c];
    const bool is_better = is_max ? later > found : later < found;
    if (is_better || (is_last && later == found)) best = r;
  }
  return best;
}

// Of five values, so that many are equal, and in every other column one of any
// value; with as many rows as a byte counts, and beside that.
TEST(FoldColumns, FindsPlacesAmongManyEqualBytes) {
  const auto expect = [](Operator op, bool is_last, auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    const Kernel& kernel = GetKernel(op, kDTypeOf<T>, is_last);
    for (const int64_t rows : {2, 5, 255, 256, 257, 260, 513, 1030}) {
      for (const int64_t cols : {1, 7, 20, 63, 64, 65, 100, 200, 4200}) {
        if (rows * cols > 600'000) continue;
        for (const int64_t stride : {cols, cols + 3}) {
          std::vector<T> x(rows * stride);
          for (T& each : x) each = static_cast<T>(random() % 5 + 126);
          for (int64_t c = 0; c < cols; c += 2) {
            x[random() % rows * stride + c] = static_cast<T>(random());
          }
          std::vector<std::byte> states(cols * kernel.state_size);
          kernel.fold_columns(reinterpret_cast<const std::byte*>(x.data()),
                              rows, stride, cols, states.data(), Into::kNew,
                              Source::kSharedCache);
          std::vector<int64_t> found(cols, -1);
          kernel.finish(states.data(), cols, rows,
                        reinterpret_cast<std::byte*>(found.data()));
          std::vector<int64_t> expected(cols);
          for (int64_t c = 0; c < cols; ++c) {
            expected[c] =
                RowOfBest(x, rows, stride, c, op == Operator::kArgMax, is_last);
          }
          EXPECT_EQ(found, expected)
              << NameOf(op) << " of " << rows << " x " << cols << " "
              << NameOf(kDTypeOf<T>) << ", " << stride << " apart";
        }
      }
    }
  };
  ForEachTarget([&expect] {
    for (const Operator op : {Operator::kArgMax, Operator::kArgMin}) {
      for (const bool is_last : {false, true}) {
        expect(op, is_last, int8_t{});
        expect(op, is_last, uint8_t{});
      }
    }
  });
}

// Some rows are searched at a time, of memory's fewer than of others.
TEST(ReduceRows, FindsTheSamePlacesInWhatComesFromMemory) {
  const auto expect = [](auto zero) {
    using T = decltype(zero);
    std::mt19937 random(1);
    for (const int64_t n : {2, 3, 17, 64, 300, 1000, 5000}) {
      const int64_t rows = 40'000 / n;
      std::vector<T> x(rows * n);
      for (T& each : x) each = static_cast<T>(static_cast<int32_t>(random()));
      const auto places_from = [&](Source source) {
        const Kernel& kernel =
            GetKernel(Operator::kArgMax, kDTypeOf<T>, false, source);
        std::vector<int64_t> places(rows);
        kernel.reduce_rows(reinterpret_cast<const std::byte*>(x.data()), rows,
                           n, reinterpret_cast<std::byte*>(places.data()),
                           source);
        return places;
      };
      EXPECT_EQ(places_from(Source::kMemory), places_from(Source::kSharedCache))
          << "rows of " << n;
    }
  };
  ForEachTarget([&expect] {
    expect(uint8_t{});
    expect(int16_t{});
    expect(float{});
    expect(int64_t{});
  });
}

// Of short rows, which only they take: of four values, so that many are equal,
// and with a NaN where there are any.
TEST(ReduceSlabs, FindsPlacesInColumnsThatFillNoLine) {
  const auto expect = [](bool select_last_index, auto zero) {
    using T = decltype(zero);
    constexpr int64_t kSlabs = 9;
    std::mt19937 random(1);
    const Kernel& kernel =
        GetKernel(Operator::kArgMax, kDTypeOf<T>, select_last_index);
    for (const int64_t rows : {1, 2, 3, 16, 17, 130}) {
      for (const int64_t cols : {1, 2, 3, 4, 5, 7, 15}) {
        std::vector<T> x(kSlabs * rows * cols);
        for (T& each : x) each = static_cast<T>(random() % 4);
        if constexpr (std::is_floating_point_v<T>) x[x.size() / 2] = NAN;
        std::vector<int64_t> largest(kSlabs * cols);
        for (int64_t i = 0; i < kSlabs * cols; ++i) {
          const auto at = [&](int64_t r) {
            return static_cast<double>(
                x[(i / cols * rows + r) * cols + i % cols]);
          };
          const auto takes = [&](double later, double found) {
            if (std::isnan(found)) {
              return select_last_index && std::isnan(later);
            }
            return std::isnan(later) || later > found ||
                   (select_last_index && later == found);
          };
          for (int64_t r = 1; r < rows; ++r) {
            if (takes(at(r), at(largest[i]))) largest[i] = r;
          }
        }
        std::vector<int64_t> found(kSlabs * cols, -1);
        kernel.reduce_slabs(reinterpret_cast<const std::byte*>(x.data()),
                            kSlabs, rows, cols, cols,
                            reinterpret_cast<std::byte*>(found.data()),
                            Source::kSharedCache);
        EXPECT_EQ(found, largest)
            << rows << " x " << cols << " " << NameOf(kDTypeOf<T>);
      }
    }
  };
  ForEachTarget([&expect] {
    for (const bool select_last_index : {false, true}) {
      expect(select_last_index, float{});
      expect(select_last_index, double{});
      expect(select_last_index, uint8_t{});
      expect(select_last_index, int64_t{});
    }
  });
}

}  // namespace
}  // namespace reductor
