// The part of RangeFold that gathers the elements of small nests: those of each
// result are put side by side and folded as one row. Where states join slowly
// that is sooner done than to fold the few elements at the bottom of a nest
// into a state and join this to others (LogSumExp over every other dim of K x
// 21 x 2 x 4 x 2, in cache, AVX-512, int64 and float32: 1.1 and 0.3 GB/s by
// states, 2.8 and 1.1 so).
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "core/order.h"
#include "core/range_fold.h"

namespace reductor {
namespace {

// The most elements that are gathered at once. Twice as many lose a third where
// they make rows longer than the 1,024 elements that LogSumExp adds at once (K
// x 300 x 3 x 5).
constexpr int64_t kMostGathered = kMaxSlab;

// More elements for each state at the bottom are as soon folded by themselves:
// its joining costs them little. Of int64, the last dim being reduced, GB/s by
// states and gathered:
//   K x 4 x 9 x 2    1.1  2.1
//   K x 2 x 9 x 4    1.7  2.0
//   K x 2 x 9 x 8    2.7  1.8
constexpr int64_t kMostAtBottom = 7;

// So are steps of which few are gathered at once (K x 5 x 7 x 3 x 40: 3.6 and
// 1.2).
constexpr int64_t kFewestSteps = 8;

// And more states join by vectors (K x 2 x 9 x 2 x 20 and x 50: 1.0 and 1.4
// GB/s by states, 1.2 and 0.9 gathered).
constexpr int64_t kMostStates = 256;

// to[i] = from[offsets[i]], elements of kSize bytes.
template <int64_t kSize>
void Gather(const std::byte* from, const std::vector<int32_t>& offsets,
            std::byte* to) {
  for (const int32_t offset : offsets) {
    std::memcpy(to, from + offset * kSize, kSize);
    to += kSize;
  }
}

// The same of each of `nests`, one after the other.
void GatherNests(int64_t element_size, const std::byte* from, int64_t nests,
                 const std::vector<int32_t>& offsets, std::byte* to) {
  const auto gather = element_size == 2   ? &Gather<2>
                      : element_size == 4 ? &Gather<4>
                                          : &Gather<8>;
  const int64_t bytes = static_cast<int64_t>(offsets.size()) * element_size;
  for (int64_t i = 0; i < nests; ++i) {
    gather(from + i * bytes, offsets, to + i * bytes);
  }
}

}  // namespace

bool RangeFold::IsGathered(size_t l) const {
  if (!kernel_.joins_slowly || is_last(l) || is_last(l + 1)) return false;
  const Level& level = levels_[l];
  const size_t last = levels_.size() - 1;
  const Level& bottom = levels_[levels_[last].reduced ? last : last - 1];
  return bottom.extent <= kMostAtBottom && level.step_width <= kMostStates &&
         std::min(level.extent, kFewestSteps) * level.step_elements <=
             kMostGathered;
}

bool RangeFold::IsGatheredWhole(size_t l) const {
  return IsGathered(l) &&
         levels_[l].extent * levels_[l].step_elements <= kMostGathered;
}

std::vector<int32_t> RangeFold::GatherOffsets(size_t l, int64_t steps) const {
  std::vector<int32_t> offsets = {0};
  const auto repeat = [&offsets](int64_t extent, int64_t stride) {
    std::vector<int32_t> repeated;
    repeated.reserve(offsets.size() * extent);
    for (const int32_t offset : offsets) {
      for (int64_t i = 0; i < extent; ++i) {
        repeated.push_back(static_cast<int32_t>(offset + i * stride));
      }
    }
    offsets = std::move(repeated);
  };
  // The kept dims are those of the rows, the reduced ones lie within a row.
  for (const bool reduced : {false, true}) {
    for (size_t m = l; m < levels_.size(); ++m) {
      if (levels_[m].reduced != reduced) continue;
      repeat(m == l ? steps : levels_[m].extent, levels_[m].step_elements);
    }
  }
  return offsets;
}

void RangeFold::FoldGatheredNests(size_t l, int64_t nests,
                                  const std::vector<int32_t>& offsets,
                                  std::byte* states, Into into) {
  const auto n = static_cast<int64_t>(offsets.size());
  const int64_t width = levels_[l].step_width;
  const int64_t at_once = std::min(nests, kMostGathered / n);
  Scratch gathered(at_once * n * element_size_);
  EachRun(
      nests, n, [&](const std::byte* x, int64_t first, int64_t whole, Source) {
        for (int64_t i = 0; i < whole; i += at_once) {
          const int64_t count = std::min(whole - i, at_once);
          GatherNests(element_size_, x + i * n * element_size_, count, offsets,
                      gathered.data());
          kernel_.fold_rows(gathered.data(), count * width, n / width,
                            states + (first + i) * width * kernel_.state_size,
                            into, Source::kOwnCache);
        }
      });
}

void RangeFold::FoldGatheredSteps(size_t l, int64_t steps, std::byte* states,
                                  Into into) {
  const int64_t at_once = kMostGathered / levels_[l].step_elements;
  Cascade& cascade = cascades_[l];
  std::vector<int32_t> offsets;
  for (int64_t count; steps > 0; steps -= count) {
    count = std::min(steps, at_once);
    const bool are_known =
        std::ssize(offsets) == count * levels_[l].step_elements;
    if (!are_known) offsets = GatherOffsets(l, count);
    FoldGatheredNests(l, 1, offsets, cascade.OpenUnset(), IntoOpen(cascade));
    cascade.CloseChildren(1);
  }
  TakeTotal(l, states, into);
}

}  // namespace reductor
