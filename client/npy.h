// numpy's .npy files, as streams: any version, order and byte order in; version
// 1.0, row-major and little-endian out, byte for byte what numpy.save writes.
//
// numpy has no name for bfloat16: files of it say '<V2', two raw bytes.
#ifndef REDUCTOR_CLIENT_NPY_H_
#define REDUCTOR_CLIENT_NPY_H_

#include <cstdint>
#include <istream>
#include <ostream>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tensor.h"

namespace reductor {

struct NpyReadOptions {
  // The file must hold raw two-byte elements, and they are bfloat16.
  bool is_bfloat16 = false;
};

// No preamble that is read is longer: numpy's own limit for strangers' headers
// is 10,000 bytes, and a tensor of rank 64 needs under 2,000.
inline constexpr int64_t kMaxNpyPreambleBytes = (1 << 16) + 12;

// What stands before the elements.
struct NpyPreamble {
  TensorType type;  // Its elements are at most as many bytes as int64 counts.
  bool is_big_endian = false;
  bool is_fortran = false;  // The first axis is the fastest.
};

// Reads `in` up to its elements. INVALID_ARGUMENT where it is no such file, or
// holds what we have no type for; the text goes after a file's name.
absl::StatusOr<NpyPreamble> ReadNpyPreamble(std::istream& in,
                                            const NpyReadOptions& options = {});

// The row-major, little-endian elements follow. Failures show in the state of
// `out`.
void WriteNpyPreamble(const TensorType& type, std::ostream& out);

// The whole file. REQUIRES: the data has the size that the type and the shape
// say.
void WriteNpy(const Tensor& tensor, std::ostream& out);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_NPY_H_
