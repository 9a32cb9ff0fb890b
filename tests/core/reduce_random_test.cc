// Any reduction of any tensor equals the plain one, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "core/reduce.h"
#include "tests/core/reference.h"
#include "tests/core/seeded_test.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"

namespace reductor {
namespace {

struct Case {
  std::vector<int64_t> shape;
  std::vector<int64_t> axes;
  std::vector<bool> reduced;
  int64_t count = 1;
};

// Rank 0 to 6, with extents of 0 and 1 and, for low ranks, around the edges of
// lanes (32) and blocks (1024 to 32768). A position has one axis, which is not
// empty.
Case RandomCase(Operator op, std::mt19937& rng) {
  constexpr int64_t kEdges[] = {31,   32,   33,   63,   64,   65,    1023, 1024,
                                1025, 2049, 8191, 8192, 8193, 16385, 32769};
  Case c;
  const int rank = static_cast<int>(IsPosition(op) ? 1 + rng() % 5 : rng() % 7);
  const int position_axis = static_cast<int>(rng() % 5) % std::max(rank, 1);
  for (int d = 0; d < rank; ++d) {
    const bool reduced = IsPosition(op) ? d == position_axis : rng() % 2;
    int64_t extent = 1 + rng() % (rank < 4 ? 12 : 5);
    if (rank < 3 && rng() % 2) extent = kEdges[rng() % std::size(kEdges)];
    if (c.count * extent > 70000) extent = 2;
    if (rng() % 25 == 0 && !(IsPosition(op) && reduced)) extent = 0;
    c.shape.push_back(extent);
    c.reduced.push_back(reduced);
    if (reduced) c.axes.push_back(rng() % 2 ? d : d - rank);
    c.count *= extent;
  }
  // No axes means all of them.
  if (c.axes.empty()) c.reduced.assign(rank, true);
  return c;
}

// Sums, products and exponentials stay in range, whatever the type and the
// length: of a product's factors about 64 are not 1.
template <class T>
std::vector<T> RandomValues(Operator op, int64_t count, std::mt19937& rng) {
  std::vector<T> x(count);
  std::normal_distribution<double> normal;
  for (T& value : x) {
    if constexpr (kIsFloat<T>) {
      const double v = normal(rng);
      const bool is_one = rng() % (1 + count / 64) != 0;
      value = Narrow<T>(op == Operator::kReduceProd ? (is_one ? 1 : 1 + v / 8)
                                                    : v / 256);
    } else {
      const uint64_t bits = rng() * 0x9e3779b97f4a7c15;
      value = static_cast<T>(bits);
      // The reference squares in 127 bits, and exponentials lose an int64.
      if (op == Operator::kReduceL2) {
        value = static_cast<T>(bits >> (10 + rng() % 30));
      }
      if (op == Operator::kReduceLogSumExp) value = static_cast<T>(bits >> 57);
    }
  }
  return x;
}

// Half a unit in the last place of the type, relative and, where it has
// subnormals, absolute.
template <class T>
constexpr long double kRounding = 0x1p-53L;
template <>
constexpr long double kRounding<float> = 0x1p-24L;
template <>
constexpr long double kRounding<Float16> = 0x1p-11L;
template <>
constexpr long double kRounding<BFloat16> = 0x1p-8L;
template <class T>
constexpr long double kSmallest = 0;
template <>
constexpr long double kSmallest<Float16> = 0x1p-25L;

template <class T>
void ExpectResult(Operator op, T got, const std::vector<T>& elements) {
  if constexpr (kIsFloat<T>) {
    const Expected<Float128> want = ExpectedFloat(op, elements);
    const auto exact = static_cast<long double>(want.value);
    if (!std::isfinite(exact)) {
      const bool is_same =
          std::isnan(exact) ? std::isnan(Widen(got)) : exact == Widen(got);
      ASSERT_TRUE(is_same) << "got " << Widen(got);
      return;
    }
    ASSERT_LE(
        std::fabs(Widen(got) - exact),
        want.error + std::fabs(exact) * kRounding<T> * 1.0001L + kSmallest<T>)
        << "got " << Widen(got) << ", exact " << static_cast<double>(exact);
  } else {
    ASSERT_EQ(got, static_cast<T>(ExpectedInteger(op, elements).value));
  }
}

template <class T>
void Check(ReduceSpec spec, const Case& c, std::mt19937& rng) {
  // That would be the identity of OpenVINO.
  if (spec.family == Family::kOpenvino && c.axes.empty()) return;
  const std::vector<T> x = RandomValues<T>(spec.op, c.count, rng);
  SCOPED_TRACE(testing::Message()
               << NameOf(spec.op) << " " << NameOf(kDTypeOf<T>) << " shape "
               << testing::PrintToString(c.shape) << " axes "
               << testing::PrintToString(c.axes));
  const auto elements = ElementsByOutput(x, c.shape, c.reduced);
  spec.axes = c.axes;
  if (IsPosition(spec.op)) {
    const std::vector<int64_t> got = Reduced<T, int64_t>(x, c.shape, spec);
    ASSERT_EQ(got.size(), elements.size());
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i],
                FirstPosition(elements[i], spec.op == Operator::kArgMax));
    }
    return;
  }
  const std::vector<T> got = Reduced(x, c.shape, spec);
  ASSERT_EQ(got.size(), elements.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ExpectResult(spec.op, got[i], elements[i]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Of the case that `case_for` gives for an operator.
template <class T, class CaseFor>
void CheckEveryOperator(const CaseFor& case_for, std::mt19937& rng) {
  for (const Operator op : kOperators) {
    const std::optional<ReduceSpec> spec = SpecFor(op, kDTypeOf<T>);
    if (spec.has_value()) Check<T>(*spec, case_for(op), rng);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class CaseFor>
void CheckEveryOperatorAndType(const CaseFor& case_for, std::mt19937& rng) {
#define X(enumerator, type, name)                 \
  if constexpr (!std::is_same_v<type, Bool>) {    \
    CheckEveryOperator<type>(case_for, rng);      \
    if (testing::Test::HasFatalFailure()) return; \
  }
  REDUCTOR_DTYPES(X)
#undef X
}

using RandomReduce = SeededTest;

TEST_F(RandomReduce, EqualsTheDefinitionOnEveryInstructionSet) {
  ForEachTarget([this] {
    for (int round = 0; round < 40; ++round) {
      CheckEveryOperatorAndType(
          [this](Operator op) { return RandomCase(op, rng_); }, rng_);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

// As many rows as make none, one or two tiles, and some more.
TEST_F(RandomReduce, EqualsTheDefinitionOnRowsOfEveryLength) {
  ForEachTarget([this] {
    for (int64_t n = 1; n < 600; n += n < 68 ? 1 : 59) {
      const auto rows = [this, n](Operator) -> Case {
        const int64_t most = n < 9 ? 5000 / n : n < 20 ? 600 : 10;
        const int64_t count = 1 + rng_() % most;
        return {{count, n}, {1}, {false, true}, count * n};
      };
      CheckEveryOperatorAndType(rows, rng_);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

// Of few and of many rows and columns, for all of them and for one.
TEST_F(RandomReduce, EqualsTheDefinitionOnSlabsAndColumnsOfEveryWidth) {
  ForEachTarget([this] {
    for (int64_t cols = 2; cols < 600; cols += cols < 20 ? 1 : 45) {
      const auto slabs = [this, cols](Operator) -> Case {
        const int64_t rows = 2 + rng_() % (rng_() % 2 ? 5 : 70);
        const int64_t count = 1 + rng_() % (1 + 2000 / (rows * cols));
        return {{count, rows, cols},
                {1},
                {false, true, false},
                count * rows * cols};
      };
      CheckEveryOperatorAndType(slabs, rng_);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

}  // namespace
}  // namespace reductor
