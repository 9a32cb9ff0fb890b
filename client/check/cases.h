// Random valid requests for what a server lists: the same ones for the same
// seed and list.
#ifndef REDUCTOR_CLIENT_CHECK_CASES_H_
#define REDUCTOR_CLIENT_CHECK_CASES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "client/check/random.h"
#include "client/client.h"
#include "client/tensor.h"

namespace reductor::check {

// One version of an operator that the server lists.
struct Version {
  v1::OperatorSchema schema;
  int32_t last_opset = 0;   // The last one that selects it.
  bool is_default = false;  // Selected too where no opset is given.
  bool is_known = false;    // To the local computation, for some type.
};

struct Case {
  Tensor tensor;
  std::vector<Reduction> reductions = {};
  std::vector<size_t> versions =
      {};  // Of each reduction: its place in versions().

  // The request goes as a stream too, cut so. Absent: it does not.
  std::optional<int64_t> piece_bytes = std::nullopt;
};

class Cases {
 public:
  Cases(const v1::ListOperatorsResponse& operators, uint64_t seed);

  absl::Span<const Version> versions() const { return versions_; }

  // How many pairs of version and element type there are to check. Any so many
  // cases in a row have each pair once.
  int64_t pair_count() const { return std::ssize(pairs_); }

  // REQUIRES: pair_count() > 0.
  Case Make(int64_t index) const;

 private:
  Reduction RandomReduction(size_t version, const std::vector<int64_t>& shape,
                            Random& random) const;

  uint64_t seed_;
  std::vector<Version> versions_;
  std::vector<std::pair<size_t, DType>> pairs_;
};

// A case for people: the tensor's type and shape, each reduction, the pieces.
std::string Describe(const Case& request);

}  // namespace reductor::check

#endif  // REDUCTOR_CLIENT_CHECK_CASES_H_
