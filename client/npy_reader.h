// The elements of a .npy file piece by piece, as the wire carries them.
#ifndef REDUCTOR_CLIENT_NPY_READER_H_
#define REDUCTOR_CLIENT_NPY_READER_H_

#include <cstdint>
#include <functional>
#include <istream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "client/npy.h"
#include "client/tensor.h"

namespace reductor {

// Memory grows with what is there, never with what a header promises; a piece
// at a time, except for Fortran order, whose first row needs all of the file.
//
// What stands after the elements is left alone, as numpy leaves it: several
// arrays may follow each other.
class NpyReader {
 public:
  // Reads `in`, which outlives this, from where it stands.
  static absl::StatusOr<NpyReader> Open(std::istream& in,
                                        const NpyReadOptions& options = {});

  // Maps a regular file and reads any other. NOT_FOUND where it cannot be
  // opened; a regular file that is too short is refused here, others when their
  // end is met.
  static absl::StatusOr<NpyReader> OpenFile(const std::string& path,
                                            const NpyReadOptions& options = {});

  const TensorType& type() const { return preamble_.type; }

  // Of all elements.
  int64_t bytes() const { return bytes_; }

  // The next elements; nothing once all have been answered. INVALID_ARGUMENT
  // where the file ends before that.
  absl::StatusOr<absl::Cord> Next();

  // What Next() has not answered yet, at once.
  absl::StatusOr<std::string> Rest();

 private:
  // Answers the bytes of the elements as they lie in the file: so many, from
  // there on. It is asked for all of them, in order.
  using Bytes =
      std::function<absl::StatusOr<absl::Cord>(int64_t offset, int64_t size)>;

  NpyReader(NpyPreamble preamble, Bytes read);

  absl::Status TooShort(int64_t there) const;

  NpyPreamble preamble_;
  Bytes read_;
  int64_t bytes_;
  int64_t offset_ = 0;  // Of the next element to be read.
};

// The whole tensor, which `in` begins with.
absl::StatusOr<Tensor> ReadNpy(std::istream& in,
                               const NpyReadOptions& options = {});

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_NPY_READER_H_
