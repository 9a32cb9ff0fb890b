// The bytes of one result, and how a block of them becomes part of a Cord.
#ifndef REDUCTOR_CORE_RESULT_BYTES_H_
#define REDUCTOR_CORE_RESULT_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "core/line_bytes.h"

namespace reductor {

// Row-major. A few of a small tensor lie within it, others in a Cord: to take
// memory for 32 bytes, and to give it back, takes as long as to reduce 24
// elements (the sums of 2 x 3 x 4 float32 by axis 1, from plan to result, Intel
// with AVX-512: 76 ns with a Cord, 44 so).
class ResultBytes {
 public:
  static constexpr int64_t kMostWithin = 512;

  // No byte. By a default of the compiler's, containers would clear it first.
  ResultBytes() {}  // NOLINT(modernize-use-equals-default)
  explicit ResultBytes(absl::Cord bytes) : bytes_(std::move(bytes)) {}

  // Makes it one of `size` bytes within, which are to be written where this
  // says. REQUIRES: size <= kMostWithin.
  std::byte* MakeWithin(size_t size) {
    Within& within = bytes_.emplace<Within>();
    within.size = size;
    return within.bytes;
  }

  // The Cord, or null if they lie within it.
  const absl::Cord* cord() const { return std::get_if<absl::Cord>(&bytes_); }

  // Those within it, or none if they are in a Cord.
  absl::string_view within() const {
    const Within* within = std::get_if<Within>(&bytes_);
    if (within == nullptr) return {};
    return {reinterpret_cast<const char*>(within->bytes), within->size};
  }

  // All of them; those in a Cord are shared.
  absl::Cord ToCord() const { return cord() ? *cord() : absl::Cord(within()); }

  size_t size() const { return cord() ? cord()->size() : within().size(); }

 private:
  struct Within {
    Within() {}  // NOLINT(modernize-use-equals-default)

    size_t size = 0;
    alignas(std::max_align_t) std::byte bytes[kMostWithin];
  };

  std::variant<Within, absl::Cord> bytes_;
};

// Appends `n` bytes of results to the Cord, which owns them then.
void Append(LineBytes bytes, int64_t n, absl::Cord& cord);

}  // namespace reductor

#endif  // REDUCTOR_CORE_RESULT_BYTES_H_
