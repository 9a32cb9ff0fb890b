// Reduced axes with kept ones between them, of so few elements that many such
// nests are folded together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/reduce.h"
#include "core/shape.h"
#include "tests/core/same_bits.h"
#include "tests/core/targets.h"
#include "tests/core/tensors.h"
#include "tests/core/vectors.h"

namespace reductor {
namespace {

using ::testing::Pointwise;

using Extents = std::vector<int64_t>;

// An element is the sum of its indices, each times this of its dim. So the
// largest of a nest is its last element, and its mean that of the first and the
// last.
constexpr int64_t kWeights[] = {1, 3, 2, 5, 4};

struct Nests {
  Extents shape;
  Extents axes;

  bool IsReduced(int64_t d) const {
    return std::find(axes.begin(), axes.end(), d) != axes.end();
  }

  // How many elements a nest has, and by how much its last one exceeds the
  // first.
  int64_t Count() const {
    int64_t count = 1;
    for (const int64_t d : axes) count *= shape[d];
    return count;
  }
  int64_t Spread() const {
    int64_t spread = 0;
    for (const int64_t d : axes) spread += kWeights[d] * (shape[d] - 1);
    return spread;
  }
};

// Of these dims, at each of their indices in order.
enum class Dims { kAll, kKept, kReduced };
std::vector<int64_t> SumsOfIndices(const Nests& nests, Dims dims) {
  std::vector<int64_t> sums = {0};
  for (size_t d = 0; d < nests.shape.size(); ++d) {
    if (dims != Dims::kAll && nests.IsReduced(d) != (dims == Dims::kReduced)) {
      continue;
    }
    std::vector<int64_t> longer;
    for (const int64_t sum : sums) {
      for (int64_t i = 0; i < nests.shape[d]; ++i) {
        longer.push_back(sum + kWeights[d] * i);
      }
    }
    sums = longer;
  }
  return sums;
}

// of(first) is what `spec` makes of the nest whose first element that is, to
// the last bit or as far as `equal` says.
template <class T, class Of, class Equal = decltype(testing::Eq())>
void Expect(const Nests& nests, const ReduceSpec& spec, const Of& of,
            const Equal& equal = testing::Eq()) {
  SCOPED_TRACE(testing::PrintToString(nests.shape));
  const std::vector<int64_t> elements = SumsOfIndices(nests, Dims::kAll);
  const auto x = Narrowed<T>({elements.begin(), elements.end()});
  std::vector<double> expected;
  for (const int64_t first : SumsOfIndices(nests, Dims::kKept)) {
    expected.push_back(static_cast<double>(of(first)));
  }
  EXPECT_THAT(Widened(Reduced(x, nests.shape, spec)),
              Pointwise(equal, Widened(Narrowed<T>(expected))));
}

template <class T>
void ExpectSumsAndLargest(const Nests& nests) {
  const int64_t count = nests.Count();
  const int64_t spread = nests.Spread();
  Expect<T>(nests, Onnx(Operator::kReduceSum, nests.axes),
            [=](int64_t first) { return first * count + spread * count / 2; });
  Expect<T>(nests, Onnx(Operator::kReduceMax, nests.axes),
            [=](int64_t first) { return first + spread; });
}

// Rows at the bottom, and slabs; one chain of what lies above them, and more;
// two such levels, the upper one of few states and of many.
TEST(ReduceSumAndMax, OfNestsOfFewElements) {
  ForEachTarget([] {
    for (const Nests& nests :
         {Nests{{300, 3, 5, 2}, {1, 3}}, Nests{{300, 17, 2, 3}, {1, 3}},
          Nests{{20, 40, 7, 2}, {1, 3}}, Nests{{30, 4, 3, 5, 2}, {1, 3}},
          Nests{{40, 18, 2, 2, 3}, {1, 3}}, Nests{{50, 6, 3, 2, 2}, {0, 2, 4}},
          Nests{{3, 300, 3, 4, 2}, {0, 2, 4}}}) {
      ExpectSumsAndLargest<float>(nests);
      ExpectSumsAndLargest<double>(nests);
      ExpectSumsAndLargest<int32_t>(nests);
      ExpectSumsAndLargest<uint64_t>(nests);
    }
  });
}

template <class T>
void ExpectMeansAndSmallest(const Nests& nests) {
  const auto spread = static_cast<double>(nests.Spread());
  Expect<T>(
      nests, Openvino(Operator::kReduceMean, nests.axes),
      [=](int64_t first) { return static_cast<double>(first) + spread / 2; });
  Expect<T>(nests, Openvino(Operator::kReduceMin, nests.axes),
            [](int64_t first) { return first; });
}

// Up to a chain of rows, of columns that fill whole vectors and that do not.
TEST(ReduceMeanAndMin, OfNestsOfFewRowsOfManyColumns) {
  ForEachTarget([] {
    for (const Nests& nests :
         {Nests{{5, 7, 3, 33}, {0, 2}}, Nests{{3, 2, 16, 32}, {0, 2}},
          Nests{{4, 3, 2, 36}, {0, 2}}}) {
      ExpectMeansAndSmallest<uint8_t>(nests);
    }
    for (const Nests& nests :
         {Nests{{5, 7, 3, 47}, {0, 2}}, Nests{{3, 2, 16, 64}, {0, 2}},
          Nests{{2, 9, 5, 100}, {0, 2}}, Nests{{3, 4, 1, 4, 90}, {0, 3}}}) {
      ExpectMeansAndSmallest<int16_t>(nests);
      ExpectMeansAndSmallest<int32_t>(nests);
      ExpectMeansAndSmallest<uint64_t>(nests);
      ExpectMeansAndSmallest<float>(nests);
      ExpectMeansAndSmallest<double>(nests);
    }
  });
}

TEST(ReduceSum, OfMinusZerosInNestsIsZero) {
  const std::vector<float> x(30 * 3 * 5 * 2, -0.0f);
  for (const float sum :
       Reduced(x, {30, 3, 5, 2}, Onnx(Operator::kReduceSum, {1, 3}))) {
    EXPECT_TRUE(sum == 0 && !std::signbit(sum));
  }
}

// The elements of a nest exceed its first one by the same in each, and so do
// the results. The logarithm is libm's.
template <class T>
void ExpectLogSumExp(const Nests& nests) {
  const auto spread = static_cast<double>(nests.Spread());
  double sum = 0;
  for (const int64_t beyond : SumsOfIndices(nests, Dims::kReduced)) {
    sum += std::exp(static_cast<double>(beyond) - spread);
  }
  const double beyond = spread + std::log(sum);
  Expect<T>(
      nests, Onnx(Operator::kReduceLogSumExp, 27, nests.axes),
      [=](int64_t first) {
        const double result = static_cast<double>(first) + beyond;
        return kIsFloat<T> ? result : std::floor(result);
      },
      testing::DoubleEq());
}

// Gathered whole, one at once and many, or some steps at once, of one range and
// of two; and not gathered.
TEST(ReduceLogSumExp, OfNestsOfFewElements) {
  ForEachTarget([] {
    for (const Nests& nests :
         {Nests{{300, 3, 5, 2}, {1, 3}}, Nests{{40, 21, 2, 4, 2}, {1, 3}},
          Nests{{3, 30, 7, 5}, {1, 3}}, Nests{{700, 6, 3}, {0, 2}},
          Nests{{3, 300, 3, 4, 2}, {0, 2, 4}}, Nests{{5, 7, 3, 40}, {0, 2}}}) {
      ExpectLogSumExp<float>(nests);
      ExpectLogSumExp<double>(nests);
      ExpectLogSumExp<Float16>(nests);
      ExpectLogSumExp<int32_t>(nests);
      ExpectLogSumExp<int64_t>(nests);
    }
    ExpectLogSumExp<double>({{9000, 3, 3}, {0, 2}});
  });
}

using NestBits = SameBits;

TEST_F(NestBits, OfEveryOperatorAndType) {
  for (const DType dtype : kDTypes) {
    SCOPED_TRACE(NameOf(dtype));
    for (const auto& [shape, axes] :
         {Nests{{61, 3, 5, 2}, {1, 3}}, Nests{{4, 17, 5, 3}, {1, 3}},
          Nests{{23, 2, 4, 3, 2}, {1, 3}}, Nests{{9, 6, 3, 2, 4}, {0, 2, 4}},
          Nests{{4, 3, 5, 47}, {0, 2}}, Nests{{3, 2, 16, 70}, {0, 2}}}) {
      const std::string bytes =
          RandomBytes(*CountElements(shape, 1) * SizeOf(dtype), rng_);
      ExpectSameBitsOfEveryOperator(dtype, shape, {axes}, bytes);
    }
  }
}

// Of several ranges.
TEST_F(NestBits, OfFloat64InMany) {
  for (const auto& [shape, axes] :
       {Nests{{4000, 3, 5, 2}, {1, 3}}, Nests{{900, 6, 3, 2, 4}, {0, 2, 4}},
        Nests{{20, 300, 3, 4, 2}, {0, 2, 4}}}) {
    // Exponentials reach each other if elements lie close together.
    for (const auto& [op, largest] : {std::pair(Operator::kReduceSum, 50),
                                      {Operator::kReduceLogSumExp, 4}}) {
      const std::string bytes =
          RandomFloat64s(*CountElements(shape, 1), rng_, largest);
      ExpectSameBitsEverywhere(
          RequestFor(DType::kFloat64, shape, Onnx(op, axes)), bytes, rng_);
    }
  }
}

}  // namespace
}  // namespace reductor
