// The header of a .npy file: a Python dict in text. This file knows its
// grammar; npy.h knows the bytes around it.
#ifndef REDUCTOR_CLIENT_NPY_HEADER_H_
#define REDUCTOR_CLIENT_NPY_HEADER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace reductor {

struct NpyHeader {
  std::string descr;  // The element type in numpy's notation: "<f4".
  bool fortran_order = false;
  std::vector<int64_t> shape = {};
};

// Reads what numpy and its relatives write: either quote, keys in any order,
// spaces, a trailing comma, the L of old Pythons' integers. Anything else, and
// a negative extent, is INVALID_ARGUMENT.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view text);

// The text as numpy writes it, without padding.
std::string NpyHeaderText(const NpyHeader& header);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_NPY_HEADER_H_
