// Elements as numbers, for the local computation: a long double holds every
// value of every type. Nothing of core's arithmetic is used here.
#ifndef REDUCTOR_CLIENT_CHECK_VALUES_H_
#define REDUCTOR_CLIENT_CHECK_VALUES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "client/tensor.h"
#include "core/dtype.h"

namespace reductor::check {

static_assert(std::numeric_limits<long double>::digits >= 64,
              "a long double holds every int64 and uint64");

// How a float lies in its bits: a sign, an exponent, a mantissa.
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

// Absent for the types that are no floats.
std::optional<FloatFormat> FormatOf(DType dtype);

bool IsSigned(DType dtype);

// The value of an element, given its bits. A bool's is its byte.
long double ValueOf(DType dtype, uint64_t bits);

// The integer of that type that equals `x` modulo 2^bits.
long double Wrap(DType dtype, uint64_t x);

// An integer's bits, as C++ converts it: modulo 2^64.
uint64_t ToBits(long double x);

// The ends of an integer type.
long double SmallestInteger(DType dtype);
long double LargestInteger(DType dtype);

// The value of that format nearest to x, of two the one with the even mantissa;
// infinite beyond the largest.
long double Round(const FloatFormat& format, long double x);

// The elements of a tensor, in its order.
std::vector<long double> ValuesOf(const Tensor& tensor);

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_VALUES_H_
