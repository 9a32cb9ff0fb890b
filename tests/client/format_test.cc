#include "client/format.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace reductor {
namespace {

TEST(Format, ShowsAScalarAlone) {
  EXPECT_EQ(Format(MakeTensor<int32_t>({}, {-7})), "-7");
  EXPECT_EQ(Format(MakeTensor<float>({}, {3})), "3.0");
}

TEST(Format, AlignsColumnsInNestedBrackets) {
  EXPECT_EQ(Format(MakeTensor<int8_t>({2, 3}, {1, -20, 3, 4, 5, 100})),
            "[[  1 -20   3]\n"
            " [  4   5 100]]");
}

TEST(Format, PutsAnEmptyLineBetweenMatrices) {
  EXPECT_EQ(Format(MakeTensor<uint8_t>({2, 2, 1}, {1, 2, 3, 4})),
            "[[[1]\n"
            "  [2]]\n"
            "\n"
            " [[3]\n"
            "  [4]]]");
}

TEST(Format, ShowsTheFewestDigitsThatReadBack) {
  EXPECT_EQ(Format(MakeTensor<float>({3}, {0.1f, 1e30f, 16777216.0f})),
            "[       0.1      1e+30 16777216.0]");
  EXPECT_EQ(Format(MakeTensor<double>({2}, {0.1, 1.0 / 3})),
            "[               0.1 0.3333333333333333]");
}

TEST(Format, ShowsTheFewestDigitsOf16BitFloats) {
  // 0.1, the largest number, 65504, and the smallest, 2^-24.
  EXPECT_EQ(Format(MakeTensor<Float16>({3}, {{0x2e66}, {0x7bff}, {0x0001}})),
            "[     0.1 6.55e+04    6e-08]");
  // 0.1 and 258.
  EXPECT_EQ(Format(MakeTensor<BFloat16>({2}, {{0x3dcd}, {0x4381}})),
            "[  0.1 258.0]");
}

TEST(Format, BreaksLinesBefore75Columns) {
  EXPECT_EQ(
      Format(MakeTensor<int32_t>({1, 9}, {100000000, 2, 3, 4, 5, 6, 7, 8, 9})),
      "[[100000000         2         3         4         5         6 "
      "        7\n"
      "          8         9]]");
}

TEST(Format, NamesTheSpecialValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Format(MakeTensor<float>({5}, {nan, -nan, inf, -inf, -0.0f})),
            "[ nan  nan  inf -inf -0.0]");
  EXPECT_EQ(Format(MakeTensor<Float16>({2}, {{0x7e00}, {0xfc00}})),
            "[ nan -inf]");
}

TEST(Format, ShowsBools) {
  EXPECT_EQ(Format(MakeTensor<Bool>({3}, {{0}, {1}, {2}})),
            "[False  True  True]");
}

TEST(Format, ShowsTheEndsOfTheIntegers) {
  EXPECT_EQ(
      Format(MakeTensor<int64_t>({1}, {std::numeric_limits<int64_t>::min()})),
      "[-9223372036854775808]");
  EXPECT_EQ(
      Format(MakeTensor<uint64_t>({1}, {std::numeric_limits<uint64_t>::max()})),
      "[18446744073709551615]");
}

TEST(Format, SaysTypeAndShapeWhereThereAreNoElements) {
  EXPECT_EQ(Format(MakeTensor<float>({0, 3}, {})), "[] of float32[0,3]");
}

std::vector<int16_t> Count(int64_t n) {
  std::vector<int16_t> elements(n);
  std::iota(elements.begin(), elements.end(), int16_t{0});
  return elements;
}

TEST(Format, AbridgesFrom1001Elements) {
  EXPECT_EQ(Format(MakeTensor<int16_t>({1001}, Count(1001))),
            "[   0    1    2 ...  998  999 1000]");
  const std::string whole = Format(MakeTensor<int16_t>({1000}, Count(1000)));
  EXPECT_EQ(whole.find("..."), std::string::npos);
}

TEST(Format, AbridgesEveryLongAxis) {
  EXPECT_EQ(Format(MakeTensor<int16_t>({143, 7}, Count(1001))),
            "[[   0    1    2 ...    4    5    6]\n"
            " [   7    8    9 ...   11   12   13]\n"
            " [  14   15   16 ...   18   19   20]\n"
            " ...\n"
            " [ 980  981  982 ...  984  985  986]\n"
            " [ 987  988  989 ...  991  992  993]\n"
            " [ 994  995  996 ...  998  999 1000]]");
}

}  // namespace
}  // namespace reductor
