// Joins lanes or elements of rows by shuffles: JoinHalves() those of one, by
// halves; JoinRows() of as many rows as fill a block of 128 bits, in no order
// that counts; JoinTwos() and JoinFours() of as many as fill a vector, as a
// tree (order.h; sums of rows of 12 and 33 int32, in cache, Zen 3, AVX2: 15 and
// 23 GB/s as g++ joins them, 38 and 35 so). JoinWords() takes rows of lanes
// narrower than a word, each of which fills one, by shifts. Compiled once per
// instruction set.
#if defined(REDUCTOR_CORE_KERNELS_JOIN_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_JOIN_ROWS_INL_H_
#undef REDUCTOR_CORE_KERNELS_JOIN_ROWS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_JOIN_ROWS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What join(a, b) makes of the halves of a vector, of the halves of that, and
// so on until no more than kKept lanes are left.
template <int64_t kKept, class D, class Join>
HWY_INLINE auto JoinHalves(D d, hn::Vec<D> v, const Join& join) {
  if constexpr (hn::MaxLanes(d) <= kKept) {
    return v;
  } else {
    const hn::Half<D> half;
    return JoinHalves<kKept>(
        half, join(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), join);
  }
}

// In each block of 128 bits lanes of a and of b in turn, each joined with that
// half a block after it: of four lanes a0 a2, b0 b2, a1 a3, b1 b3.
template <class D, class Join>
HWY_INLINE hn::Vec<D> JoinPairs(D d, hn::Vec<D> a, hn::Vec<D> b,
                                const Join& join) {
  return join(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
}

// All blocks of 128 bits, joined lane by lane.
template <class D, class Join>
HWY_INLINE auto JoinBlocks(D d, hn::Vec<D> blocks, const Join& join) {
  return JoinHalves<16 / sizeof(hn::TFromD<D>)>(d, blocks, join);
}

// A block: in lane r what join(a, b) makes of all lanes of rows[r], four of 32
// or two of 64 bits. REQUIRES: a row has a block at least.
template <class D, class Join>
HWY_INLINE auto JoinRows(D d, const hn::Vec<D>* rows, const Join& join) {
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return JoinBlocks(d, JoinPairs(d, rows[0], rows[1], join), join);
  } else {
    const hn::Repartition<double, D> pairs;
    const auto first = hn::BitCast(pairs, JoinPairs(d, rows[0], rows[1], join));
    const auto second =
        hn::BitCast(pairs, JoinPairs(d, rows[2], rows[3], join));
    const auto all =
        join(hn::BitCast(d, hn::InterleaveLower(pairs, first, second)),
             hn::BitCast(d, hn::InterleaveUpper(pairs, first, second)));
    return JoinBlocks(d, all, join);
  }
}

// A vector: in lane r what join(a, b) makes of the two lanes of row r. As many
// rows as it has lanes follow each other in `lower` and then in `upper`.
template <class D, class Join>
HWY_INLINE hn::Vec<D> JoinTwos(D d, hn::Vec<D> lower, hn::Vec<D> upper,
                               const Join& join) {
  return join(hn::ConcatEven(d, upper, lower), hn::ConcatOdd(d, upper, lower));
}

// The same of four lanes of 64 bits a row, the first two with the last two;
// at(r, l) gives those from l on of row r.
template <class D, class At, class Join>
HWY_INLINE hn::Vec<D> JoinFours(D d, const At& at, const Join& join) {
  if constexpr (hn::MaxLanes(d) == 2) {
    return join(JoinPairs(d, at(0, 0), at(1, 0), join),
                JoinPairs(d, at(0, 2), at(1, 2), join));
  } else {
    static_assert(hn::MaxLanes(d) == 4);
    const auto first = JoinPairs(d, at(0, 0), at(1, 0), join);
    const auto second = JoinPairs(d, at(2, 0), at(3, 0), join);
    return join(hn::ConcatLowerLower(d, second, first),
                hn::ConcatUpperUpper(d, second, first));
  }
}

// In the lowest lane of each word what join(a, b) makes of the lanes of its
// first kBytes: of all, if that is not said.
template <class Word, size_t kBytes = sizeof(Word), class D, class Join>
HWY_INLINE hn::Vec<D> JoinWords(D d, hn::Vec<D> lanes, const Join& join) {
  if constexpr (kBytes == sizeof(hn::TFromD<D>)) {
    return lanes;
  } else {
    constexpr size_t kHalf = kBytes / 2;
    const auto words = hn::BitCast(hn::Repartition<Word, D>(), lanes);
    const auto upper = hn::BitCast(d, hn::ShiftRight<8 * kHalf>(words));
    return JoinWords<Word, kHalf>(d, join(lanes, upper), join);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_JOIN_ROWS_INL_H_
