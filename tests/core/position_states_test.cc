// What the kernels of ArgMax and ArgMin hold of elements that others follow:
// the place of the best, counted from the first.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels.h"
#include "tests/core/targets.h"

namespace reductor {
namespace {

template <class T>
const std::byte* Bytes(const std::vector<T>& x) {
  return reinterpret_cast<const std::byte*>(x.data());
}

std::vector<int64_t> Places(const Kernel& kernel,
                            const std::vector<std::byte>& states, int64_t n,
                            int64_t count) {
  std::vector<int64_t> places(n, -1);
  kernel.finish(states.data(), n, count,
                reinterpret_cast<std::byte*>(places.data()));
  return places;
}

// Lines of `count` elements in each of two halves: those of a third have their
// best in the first half alone, of another in the second, of the last in both.
constexpr int64_t kLines = 130;
int64_t PlaceInFirst(int64_t line, int64_t count) { return line * 3 % count; }
int64_t PlaceInSecond(int64_t line, int64_t count) { return line * 5 % count; }
bool IsInFirst(int64_t line) { return line % 3 != 0; }
bool IsInSecond(int64_t line) { return line % 3 != 1; }

// As fold(kernel, half, states, into) folds such lines, of which element i of
// line l is x[at(l, i)].
template <class T, class At, class Fold>
void ExpectPlacesOverHalves(int64_t count, const At& at, const Fold& fold) {
  for (const Operator op : {Operator::kArgMax, Operator::kArgMin}) {
    const T best = op == Operator::kArgMax ? 7 : 3;
    std::vector<T> halves[2];
    for (std::vector<T>& half : halves) half.assign(kLines * count, T{5});
    std::vector<int64_t> firsts;
    std::vector<int64_t> lasts;
    for (int64_t l = 0; l < kLines; ++l) {
      const int64_t first = PlaceInFirst(l, count);
      const int64_t second = PlaceInSecond(l, count);
      if (IsInFirst(l)) halves[0][at(l, first)] = best;
      if (IsInSecond(l)) halves[1][at(l, second)] = best;
      firsts.push_back(IsInFirst(l) ? first : count + second);
      lasts.push_back(IsInSecond(l) ? count + second : first);
    }
    for (const bool select_last_index : {false, true}) {
      const Kernel& kernel = GetKernel(op, kDTypeOf<T>, select_last_index);
      std::vector<std::byte> states(kLines * kernel.state_size);
      fold(kernel, Bytes(halves[0]), states.data(), Into::kNew);
      fold(kernel, Bytes(halves[1]), states.data(), Into::kHeld);
      EXPECT_EQ(Places(kernel, states, kLines, 2 * count),
                select_last_index ? lasts : firsts)
          << NameOf(op) << " of " << NameOf(kDTypeOf<T>) << ", lines of "
          << count;
    }
  }
}

template <class T>
void ExpectPlacesOverHalvesOfAll() {
  for (const int64_t n : {1, 3, 17, 400}) {
    ExpectPlacesOverHalves<T>(
        n, [n](int64_t row, int64_t i) { return row * n + i; },
        [n](const Kernel& kernel, const std::byte* x, std::byte* states,
            Into into) {
          kernel.fold_rows(x, kLines, n, states, into, Source::kSharedCache);
        });
    ExpectPlacesOverHalves<T>(
        n, [](int64_t column, int64_t i) { return i * kLines + column; },
        [n](const Kernel& kernel, const std::byte* x, std::byte* states,
            Into into) {
          kernel.fold_columns(x, n, kLines, kLines, states, into,
                              Source::kSharedCache);
        });
  }
  for (const int64_t cols : {2, 10}) {
    for (const int64_t rows : {1, 3, 17}) {
      ExpectPlacesOverHalves<T>(
          rows,
          [rows, cols](int64_t l, int64_t i) {
            return (l / cols * rows + i) * cols + l % cols;
          },
          [rows, cols](const Kernel& kernel, const std::byte* x,
                       std::byte* states, Into into) {
            kernel.fold_slabs(x, kLines / cols, rows, cols, states, into,
                              Source::kSharedCache);
          });
    }
  }
}

TEST(PositionStates, TakeTheFirstOrTheLastOfEqualsOverWhatFollows) {
  ForEachTarget([] {
    ExpectPlacesOverHalvesOfAll<float>();
    ExpectPlacesOverHalvesOfAll<double>();
    ExpectPlacesOverHalvesOfAll<uint8_t>();
    ExpectPlacesOverHalvesOfAll<int16_t>();
    ExpectPlacesOverHalvesOfAll<int64_t>();
  });
}

// Rows that are walked side by side, and one that is left over and fills no
// line: the best stand in these rows, which ascend, -1 being the last.
template <class T>
void ExpectPlacesInNarrowColumns(const std::vector<int64_t>& places, T best) {
  struct Shape {
    int64_t rows, cols;
  };
  for (const auto& [rows, cols] : {Shape{1361, 3}, Shape{4097, 1}}) {
    const auto row_of = [&](int64_t place) { return (place + rows) % rows; };
    std::vector<T> x(rows * cols, T{5});
    for (const int64_t place : places) {
      for (int64_t c = 0; c < cols; ++c) x[row_of(place) * cols + c] = best;
    }
    for (const bool select_last_index : {false, true}) {
      const Kernel& kernel =
          GetKernel(Operator::kArgMax, kDTypeOf<T>, select_last_index);
      std::vector<std::byte> states(cols * kernel.state_size);
      kernel.fold_columns(Bytes(x), rows, cols, cols, states.data(), Into::kNew,
                          Source::kSharedCache);
      const int64_t place =
          row_of(select_last_index ? places.back() : places.front());
      EXPECT_EQ(Places(kernel, states, cols, rows),
                std::vector<int64_t>(cols, place))
          << rows << " x " << cols << " " << NameOf(kDTypeOf<T>);
    }
  }
}

template <class T>
void ExpectPlacesInNarrowColumns(T best) {
  ExpectPlacesInNarrowColumns<T>({0}, best);
  ExpectPlacesInNarrowColumns<T>({-1}, best);
  ExpectPlacesInNarrowColumns<T>({0, 700, -1}, best);
  ExpectPlacesInNarrowColumns<T>({700, 1300}, best);
}

TEST(PositionStates, OfRowsSideBySideAndOneThatIsLeftOver) {
  ForEachTarget([] {
    ExpectPlacesInNarrowColumns<float>(7);
    ExpectPlacesInNarrowColumns<float>(NAN);
    ExpectPlacesInNarrowColumns<double>(7);
    ExpectPlacesInNarrowColumns<double>(NAN);
    ExpectPlacesInNarrowColumns<int8_t>(7);
    ExpectPlacesInNarrowColumns<uint16_t>(7);
    ExpectPlacesInNarrowColumns<int32_t>(7);
    ExpectPlacesInNarrowColumns<int64_t>(7);
  });
}

}  // namespace
}  // namespace reductor
