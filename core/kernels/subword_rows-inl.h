// Rows of 2, 4, 8 and 16 states of 8 or 16 bits, in up to 128 bits: elements,
// or the lanes of longer rows. Shuffles join the halves of each row until it is
// a word of up to 32 bits; shifts join the halves of the word, and so on. Its
// lowest lane is the row's state then, the others mean nothing. None is
// rounded, so that the order does not count. Compiled once per instruction set.
//
// g++ takes one lane of each row at a time out of vectors that have all. In
// cache, Intel, GB/s by its expressions and so, AVX2 and AVX-512:
//   the largest of rows of 2 int8       28  35   34  45
//   the largest of rows of 8 uint8      15  36   12  64
//   the largest of rows of 64 uint8     29  37   35  40
//   the largest of rows of 4 int16      22  42   42  64
//   the largest of rows of 12 float16    9  11   11  15
//   products of rows of 4 uint16                 42  68
#if defined(REDUCTOR_CORE_KERNELS_SUBWORD_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_SUBWORD_ROWS_INL_H_
#undef REDUCTOR_CORE_KERNELS_SUBWORD_ROWS_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_SUBWORD_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels/combine_vectors-inl.h"
#include "core/kernels/isa-inl.h"
#include "core/kernels/join_rows-inl.h"
#include "core/kernels/widening-inl.h"
#include "core/reducers.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Monoid M>
class SubwordRows {
  using State = typename M::State;
  using D = hn::ScalableTag<State>;

  template <int64_t kN>
  static constexpr size_t kBytes = kN * sizeof(State);
  // The longest word that shifts halve: of longer ones two vectors become one
  // by two shuffles (the largest of rows of 8 uint8 and of 4 int16, in cache,
  // AVX-512: 30 and 34 GB/s by shifts, 64 and 63 so).
  static constexpr size_t kMostShifted = 4;
  template <int64_t kN>
  static constexpr size_t kShifted = std::min(kBytes<kN>, kMostShifted);

 public:
  // Whether it takes less time than expressions do, on any CPU.
  static constexpr bool AreFast() { return true; }

  // Whether lanes may be joined so,
  static constexpr bool kJoinsLanes =
      kHasExtraLoops && kIsExact<M> && FitsVectors<M>();
  // and kN elements.
  template <int64_t kN>
  static constexpr bool kJoinsElements = kJoinsLanes;

  // How many rows of kN are joined at once.
  template <int64_t kN>
  static constexpr int64_t kRows = hn::MaxLanes(D()) *
                                   sizeof(State) / kShifted<kN>;

  // Makes states [0, kRows<kN>) those of rows of kN elements, or of as many
  // lanes: at(d, i) gives a vector of tag d from the i'th on.
  template <int64_t kN, class At>
  static HWY_INLINE void Join(const At& at, State* HWY_RESTRICT states) {
    static_assert(1 < kN && kBytes<kN> <= 16);
    using Word = hwy::UnsignedFromSize<kShifted<kN>>;
    const D d;
    const hn::Repartition<Word, D> words;
    const auto joined =
        JoinWords<Word>(d, Halved<kN, kShifted<kN>>(at, 0),
                        [](V a, V b) { return CombineVectors<M>(a, b); });
    const hn::Rebind<State, decltype(words)> to;
    const hn::RebindToUnsigned<decltype(to)> bits;
    const auto lowest = hn::TruncateTo(bits, hn::BitCast(words, joined));
    hn::StoreU(hn::BitCast(to, lowest), to, states);
  }

 private:
  using V = hn::Vec<D>;

  // Words of kTo bytes, one for each of as many rows of kN as fill a vector,
  // which begin with the i'th state: their halves are joined until they are as
  // long.
  template <int64_t kN, size_t kTo, class At>
  static HWY_INLINE V Halved(const At& at, int64_t i) {
    const D d;
    if constexpr (kTo == kBytes<kN>) {
      return at(d, i);
    } else {
      constexpr size_t kFrom = 2 * kTo;
      constexpr int64_t kTaken = hn::MaxLanes(d) * kBytes<kN> / kFrom;
      const hn::Repartition<hwy::UnsignedFromSize<kTo>, D> words;
      const auto lower = hn::BitCast(words, Halved<kN, kFrom>(at, i));
      const auto upper = hn::BitCast(words, Halved<kN, kFrom>(at, i + kTaken));
      return hn::BitCast(
          d, JoinTwos(words, lower, upper, [=](auto a, auto b) {
            return hn::BitCast(
                words, CombineVectors<M>(hn::BitCast(d, a), hn::BitCast(d, b)));
          }));
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#endif  // REDUCTOR_CORE_KERNELS_SUBWORD_ROWS_INL_H_
