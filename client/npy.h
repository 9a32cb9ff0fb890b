// numpy's .npy files, as streams: any version, order and byte order in; version
// 1.0, row-major and little-endian out, byte for byte what numpy.save writes.
//
// numpy has no name for bfloat16: files of it say '<V2', two raw bytes.
#ifndef REDUCTOR_CLIENT_NPY_H_
#define REDUCTOR_CLIENT_NPY_H_

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

// The tensor that `in` holds to its end. INVALID_ARGUMENT where it is no such
// file, or holds what we have no type for; the text goes after a file's name.
// Memory grows with what is there, never with what a header promises.
absl::StatusOr<Tensor> ReadNpy(std::istream& in,
                               const NpyReadOptions& options = {});

// Failures show in the state of `out`.
// REQUIRES: the data has the size that the type and the shape say.
void WriteNpy(const Tensor& tensor, std::ostream& out);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_NPY_H_
