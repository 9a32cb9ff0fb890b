// Arrays of states for loops over lanes. A state of several members is stored
// member by member, so that the compiler vectorises the loop: as an array of
// structs it would shuffle every register.
#ifndef REDUCTOR_CORE_KERNELS_LANES_H_
#define REDUCTOR_CORE_KERNELS_LANES_H_

#include <array>
#include <cstddef>
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

// The members of a state of three or four, which have one type.
template <class S>
constexpr auto MembersOf(S s) {
  if constexpr (CountMembers<S>() == 3) {
    const auto [first, second, third] = s;
    return std::array{first, second, third};
  } else {
    const auto [first, second, third, fourth] = s;
    return std::array{first, second, third, fourth};
  }
}

}  // namespace lanes_internal

template <class S>
inline constexpr int64_t kMemberCount = lanes_internal::CountMembers<S>();

// `kCount` states, each a number or a struct of two to four.
template <class S, int64_t kCount, int = lanes_internal::CountMembers<S>()>
class Lanes {
 public:
  S Get(int64_t l) const { return states_[l]; }
  void Set(int64_t l, S s) { states_[l] = s; }
  S* data() { return states_; }

 private:
  alignas(64) S states_[kCount];
};

template <class S, int64_t kCount>
class Lanes<S, kCount, 2> {
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

  alignas(64) typename Members::first_type first_[kCount];
  alignas(64) typename Members::second_type second_[kCount];
};

// Three or four members, which have one type.
template <class S, int64_t kCount, int kMembers>
requires(kMembers > 2) class Lanes<S, kCount, kMembers> {
 public:
  S Get(int64_t l) const { return Get(l, Numbers()); }
  void Set(int64_t l, S s) { Set(l, lanes_internal::MembersOf(s), Numbers()); }
  // Those of a member.
  auto* data(int64_t member) { return members_[member]; }

 private:
  using Members = decltype(lanes_internal::MembersOf(S{}));
  using Numbers = std::make_index_sequence<kMembers>;

  template <size_t... kNumber>
  S Get(int64_t l, std::index_sequence<kNumber...> /*numbers*/) const {
    return {members_[kNumber][l]...};
  }
  template <size_t... kNumber>
  void Set(int64_t l, Members members,
           std::index_sequence<kNumber...> /*numbers*/) {
    ((members_[kNumber][l] = members[kNumber]), ...);
  }

  alignas(64) typename Members::value_type members_[kMembers][kCount];
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_KERNELS_LANES_H_
