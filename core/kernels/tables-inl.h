// The kernel tables of reducers: for each a Kernel per element type, made of
// the loops of fold-inl.h, of position_fold-inl.h and log_sum_exp_fold-inl.h,
// which specialise them, and of reduced_slabs-inl.h. Compiled once per
// instruction set.
//
// Each kernels/*.cc but mixed_kernels.cc names a group of reducers in
// REDUCTOR_KERNEL_GROUP and includes this; then <reducer>Here() is the table of
// that reducer for the instruction set this is compiled for, <reducer>Kernels()
// that for this CPU, and <reducer>Avx2Kernels() that of AVX2 for any CPU that
// has it.
#if defined(REDUCTOR_CORE_KERNELS_TABLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REDUCTOR_CORE_KERNELS_TABLES_INL_H_
#undef REDUCTOR_CORE_KERNELS_TABLES_INL_H_
#else
#define REDUCTOR_CORE_KERNELS_TABLES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels.h"
#include "core/kernels/combine_states-inl.h"
#include "core/kernels/fold-inl.h"
#include "core/kernels/log_sum_exp_fold-inl.h"
#include "core/kernels/position_fold-inl.h"
#include "core/kernels/put_results-inl.h"
#include "core/kernels/reduced_slabs-inl.h"
#include "core/kernels/results-inl.h"
#include "core/order.h"
#include "core/reducers.h"

HWY_BEFORE_NAMESPACE();
namespace reductor {
namespace HWY_NAMESPACE {

template <Reducer R>
constexpr auto ReduceRowsOf() -> decltype(Kernel::reduce_rows) {
  using Loops = Folder<typename R::Fold>;
  using Output = typename R::Output;
  if constexpr (!HasTrial<R>) {
    return [](const std::byte* x, int64_t rows, int64_t n, std::byte* out,
              Source source) {
      Loops::template ReduceRows<R>(x, rows, n, reinterpret_cast<Output*>(out),
                                    source);
    };
  } else {
    return nullptr;
  }
}

template <Reducer R>
constexpr auto ReduceSlabsOf() -> decltype(Kernel::reduce_slabs) {
  using Loops = Folder<typename R::Fold>;
  using Output = typename R::Output;
  if constexpr (ReducedSlabs<R>::kIsThere) {
    return &ReducedSlabs<R>::Reduce;
  } else if constexpr (requires(Output * out) {
                         Loops::ReduceSlabs(nullptr, 0, 0, 0, 0, out,
                                            Source::kSharedCache);
                       }) {
    return [](const std::byte* x, int64_t slabs, int64_t rows, int64_t stride,
              int64_t cols, std::byte* out, Source source) {
      Loops::ReduceSlabs(x, slabs, rows, stride, cols,
                         reinterpret_cast<Output*>(out), source);
    };
  } else {
    return nullptr;
  }
}

// What a Folder says of itself: false where it says nothing, as a concept whose
// expression does not compile is not satisfied.
template <class M>
concept TakesNarrowSlabs = Folder<M>::kTakesNarrowSlabs;
template <class M>
concept JoinsSlowly = Folder<M>::kJoinsSlowly;

template <Monoid M>
constexpr int64_t MaxRowBytes() {
  if constexpr (HasPartial<M>) {
    constexpr int64_t kSize = sizeof(typename M::Input);
    return kSize * std::min(kLongRowBytes / kSize, M::Partial::kMostElements);
  } else {
    return kIsExact<M> ? kLongRowBytes : kBlockBytes;
  }
}

template <Monoid M>
constexpr int64_t PassRowBytes() {
  if constexpr (kIsExact<M> && !kFindsPlaces<M>) {
    return Folder<M>::PassColumns() * sizeof(typename M::Input);
  } else {
    return 0;
  }
}

// How states of many elements each are combined.
template <Monoid M>
constexpr auto CombinerOf() {
  if constexpr (requires(typename M::State s) { M::CombineTotals(s, s); }) {
    return &M::CombineTotals;
  } else {
    return &M::Combine;
  }
}

template <Reducer R>
constexpr Kernel MakeKernel();

template <Reducer R>
inline constexpr Kernel kKernel = MakeKernel<R>();

template <Reducer R>
constexpr void SetTrial(Kernel& kernel) {
  if constexpr (HasTrial<R>) {
    using Trial = typename R::Trial::State;
    static_assert(sizeof(Trial) <= sizeof(typename R::Input));
    // Both fold the same rows.
    static_assert(MaxRowBytes<typename R::Fold>() ==
                  MaxRowBytes<typename R::Trial::Fold>());
    kernel.trial = &kKernel<typename R::Trial>;
    kernel.from_trial = [](const std::byte* trial, int64_t n,
                           std::byte* states) {
      return PutOfTrial<R>(reinterpret_cast<const Trial*>(trial), n,
                           reinterpret_cast<typename R::State*>(states),
                           [](Trial t) { return R::FromTrial(t); });
    };
    kernel.finish_trial = [](const std::byte* trial, int64_t n, int64_t count,
                             std::byte* out) {
      return FinishTrials<R>(reinterpret_cast<const Trial*>(trial), n,
                             ResultOf<R>(count),
                             reinterpret_cast<typename R::Output*>(out));
    };
  }
}

template <Reducer R>
constexpr void SetAbsorbing(Kernel& kernel) {
  using State = typename R::State;
  if constexpr (requires(State s) { R::IsAbsorbing(s); }) {
    // A row is folded in two parts.
    static_assert(kIsExact<typename R::Fold>);
    static_assert(R::kAskedAfter > 0);
    kernel.asked_after = R::kAskedAfter;
    kernel.is_absorbing = [](const std::byte* state) {
      return R::IsAbsorbing(*reinterpret_cast<const State*>(state));
    };
  }
}

template <Reducer R>
constexpr Kernel MakeKernel() {
  using Fold = typename R::Fold;
  using State = typename R::State;
  using Output = typename R::Output;
  static_assert(sizeof(State) <= kMaxStateSize);
  Kernel kernel = {
      .state_size = sizeof(State),
      .output_size = sizeof(Output),
      .max_row_bytes = MaxRowBytes<Fold>(),
      .pass_row_bytes = PassRowBytes<Fold>(),
      .is_exact = kIsExact<Fold>,
      .finds_places = kFindsPlaces<Fold>,
      .takes_narrow_slabs = TakesNarrowSlabs<Fold>,
      .joins_slowly = JoinsSlowly<Fold>,
      .asked_after = 0,
      .is_absorbing = nullptr,
      .init =
          [](std::byte* states, int64_t n) {
            std::fill_n(reinterpret_cast<State*>(states), n, R::Identity());
          },
      .fold_rows =
          [](const std::byte* x, int64_t rows, int64_t n, std::byte* states,
             Into into, Source source) {
            Folder<Fold>::Rows(x, rows, n, reinterpret_cast<State*>(states),
                               into, source);
          },
      .fold_slabs =
          [](const std::byte* x, int64_t slabs, int64_t rows, int64_t cols,
             std::byte* states, Into into, Source source) {
            Folder<Fold>::Slabs(x, slabs, rows, cols,
                                reinterpret_cast<State*>(states), into, source);
          },
      .fold_columns =
          [](const std::byte* x, int64_t rows, int64_t stride, int64_t cols,
             std::byte* states, Into into, Source source) {
            Folder<Fold>::Columns(x, rows, stride, cols,
                                  reinterpret_cast<State*>(states), into,
                                  source);
          },
      .combine = &CombineSlabs<State, CombinerOf<Fold>()>,
      .reduce_rows = ReduceRowsOf<R>(),
      .reduce_slabs = ReduceSlabsOf<R>(),
      .finish =
          [](const std::byte* states, int64_t n, int64_t count,
             std::byte* out) {
            Finish<R>(reinterpret_cast<const State*>(states), n, count,
                      reinterpret_cast<Output*>(out));
          },
  };
  SetAbsorbing<R>(kernel);
  SetTrial<R>(kernel);
  return kernel;
}

// One entry per DType, in order; empty where the reducer does not take the
// type (its template constraint says which).
template <template <class> class R>
struct KernelRow {
  template <class T>
  static constexpr Kernel Of() {
    if constexpr (requires { typename R<T>::State; }) {
      return MakeKernel<R<T>>();
    } else {
      return {};
    }
  }
  static constexpr Kernel kKernels[] = {
#define X(enumerator, type, name) Of<type>(),
      REDUCTOR_DTYPES(X)
#undef X
  };
};

#define X(reducer) \
  const Kernel* reducer##Here() { return KernelRow<reducer>::kKernels; }
REDUCTOR_KERNEL_GROUP(X)
#undef X

}  // namespace HWY_NAMESPACE
}  // namespace reductor
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reductor {

#define X(reducer)                                \
  HWY_EXPORT(reducer##Here);                      \
  const Kernel* reducer##Kernels() {              \
    return HWY_DYNAMIC_DISPATCH(reducer##Here)(); \
  }
REDUCTOR_KERNEL_GROUP(X)
#undef X

#if HWY_TARGETS & HWY_AVX2
#define X(reducer) \
  const Kernel* reducer##Avx2Kernels() { return N_AVX2::reducer##Here(); }
REDUCTOR_KERNEL_GROUP(X)
#undef X
#endif

}  // namespace reductor
#endif  // HWY_ONCE

#endif  // REDUCTOR_CORE_KERNELS_TABLES_INL_H_
