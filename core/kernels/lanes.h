// Arrays of states for loops over lanes. A state of several members is stored
// member by member, so that the compiler vectorises the loop: as an array of
// structs it would shuffle every register.
#ifndef REDUCTOR_CORE_KERNELS_LANES_H_
#define REDUCTOR_CORE_KERNELS_LANES_H_

#include <cstdint>
#include <type_traits>
#include <utility>

namespace reductor {

namespace lanes_internal {

struct Anything {
  template <class T>
  operator T() const;  // Never called: only its type is asked for.
};

template <class S>
constexpr int CountMembers() {
  if constexpr (!std::is_class_v<S>) {
    return 1;
  } else if constexpr (requires {
                         S{Anything(), Anything(), Anything(), Anything()};
                       }) {
    return 4;
  } else if constexpr (requires { S{Anything(), Anything(), Anything()}; }) {
    return 3;
  } else {
    return 2;
  }
}

}  // namespace lanes_internal

template <class S>
inline constexpr int64_t kMemberCount = lanes_internal::CountMembers<S>();

// `kSize` states, each a number or a struct of two to four.
template <class S, int64_t kSize, int = lanes_internal::CountMembers<S>()>
class Lanes {
 public:
  S Get(int64_t l) const { return states_[l]; }
  void Set(int64_t l, S s) { states_[l] = s; }
  S* data() { return states_; }

 private:
  alignas(64) S states_[kSize];
};

template <class S, int64_t kSize>
class Lanes<S, kSize, 2> {
 public:
  S Get(int64_t l) const { return {first_[l], second_[l]}; }
  void Set(int64_t l, S s) {
    const auto [first, second] = s;
    first_[l] = first;
    second_[l] = second;
  }
  // The lanes of one member;
  auto* firsts() { return first_; }
  auto* seconds() { return second_; }
  // by number, where both have one type.
  auto* data(int64_t member) { return member == 0 ? first_ : second_; }

 private:
  static auto Split(S s) {
    const auto [first, second] = s;
    return std::pair(first, second);
  }
  using Members = decltype(Split(S{}));

  alignas(64) typename Members::first_type first_[kSize];
  alignas(64) typename Members::second_type second_[kSize];
};

// Three members, which have one type.
template <class S, int64_t kSize>
class Lanes<S, kSize, 3> {
 public:
  S Get(int64_t l) const {
    return {members_[0][l], members_[1][l], members_[2][l]};
  }
  void Set(int64_t l, S s) {
    const auto [first, second, third] = s;
    members_[0][l] = first;
    members_[1][l] = second;
    members_[2][l] = third;
  }

 private:
  static auto First(S s) {
    const auto [first, second, third] = s;
    return first;
  }

  alignas(64) decltype(First(S{})) members_[3][kSize];
};

// Four members, which have one type.
template <class S, int64_t kSize>
class Lanes<S, kSize, 4> {
 public:
  S Get(int64_t l) const {
    return {members_[0][l], members_[1][l], members_[2][l], members_[3][l]};
  }
  void Set(int64_t l, S s) {
    const auto [first, second, third, fourth] = s;
    members_[0][l] = first;
    members_[1][l] = second;
    members_[2][l] = third;
    members_[3][l] = fourth;
  }
  // Those of a member.
  auto* data(int64_t member) { return members_[member]; }

 private:
  static auto First(S s) {
    const auto [first, second, third, fourth] = s;
    return first;
  }

  alignas(64) decltype(First(S{})) members_[4][kSize];
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_LANES_H_
