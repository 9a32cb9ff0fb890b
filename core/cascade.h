// Joins the states of many children, given in order, with little rounding: the
// children fold into chains of at most kChainRows, and the chains join
// pairwise, as the digits of a binary counter carry. What is joined with what
// depends on the number of children alone, and log2(children) states are held
// at most.
//
// The error of a sum of float64 is at most the longest path of additions: 38 in
// a lane and 5 between lanes (order.h), kChainRows for each level of the nest,
// or 15 in a chain of a slab and 15 between its chains (of narrow rows 16, 7 by
// halves and 15 between blocks), and the pairwise joins. Narrower floats have
// longer paths in the same float64 (order.h).
#ifndef REDUCTOR_CORE_CASCADE_H_
#define REDUCTOR_CORE_CASCADE_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "core/kernels.h"
#include "core/order.h"
#include "core/scratch.h"

namespace reductor {

// A child has `width` states, which are folded side by side.
class Cascade {
 public:
  // The chains of as many children join one after the other: of four, the last
  // two join first.
  static constexpr int64_t kMostInTurn = 3 * kChainRows;

  Cascade(const Kernel& kernel, int64_t width)
      : kernel_(&kernel), width_(width) {}

  // The most slots, of a child's width each, that `children` take.
  static int64_t MaxSlots(int64_t children) {
    const auto chains =
        static_cast<uint64_t>((children + kChainRows - 1) / kChainRows);
    return static_cast<int64_t>(std::bit_width(chains)) + 1;
  }

  // The states that the next children fold into, valid until CloseChildren().
  std::byte* open() {
    if (!is_open_) kernel_->init(OpenUnset(), width_);
    return slot(joined_);
  }

  // The same, but if is_new() says so the next child makes them, all of them.
  std::byte* OpenUnset() {
    is_open_ = true;
    if (joined_ == static_cast<int64_t>(slots_.size())) {
      slots_.emplace_back(width_ * kernel_->state_size);
    }
    return slot(joined_);
  }
  bool is_new() const { return in_chain_ == 0; }

  // How many children open() can still take; at least 1.
  int64_t room() const { return kChainRows - in_chain_; }

  // Says that `n` children have been folded into open(). REQUIRES: n <= room().
  void CloseChildren(int64_t n) {
    in_chain_ += n;
    if (in_chain_ == kChainRows) CloseChain();
  }

  // The states of all children. Forgets them: the next child is a first one.
  // Valid until open(). REQUIRES: there was a child.
  const std::byte* Total() {
    if (is_open_) ++joined_;
    while (joined_ > 1) JoinLastTwo();
    is_open_ = false;
    joined_ = chains_ = in_chain_ = 0;
    return slot(0);
  }

 private:
  std::byte* slot(int64_t i) { return slots_[i].data(); }

  void CloseChain() {
    is_open_ = false;
    in_chain_ = 0;
    ++joined_;
    for (int64_t carry = ++chains_; carry % 2 == 0; carry /= 2) JoinLastTwo();
  }

  void JoinLastTwo() {
    --joined_;
    kernel_->combine(slot(joined_ - 1), slot(joined_), 1, 1, width_);
  }

  absl::InlinedVector<Scratch, 2> slots_;
  const Kernel* kernel_;
  int64_t width_;
  bool is_open_ = false;  // Whether there is an open chain,
  int64_t in_chain_ = 0;  // and its children so far.
  int64_t chains_ = 0;    // Chains closed.
  int64_t joined_ = 0;    // Slots in use below the open chain.
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_CASCADE_H_
