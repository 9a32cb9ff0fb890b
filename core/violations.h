// Collects all that is wrong with a request, so that one answer names it all.
#ifndef REDUCTOR_CORE_VIOLATIONS_H_
#define REDUCTOR_CORE_VIOLATIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace reductor {

// One thing wrong with one field.
struct Violation {
  std::string field;        // A path: "reductions[0].axes[1]".
  std::string reason;       // UPPER_SNAKE_CASE, stable: programs compare it.
  std::string description;  // For people: what is wrong, and what is right.
};

class Violations {
 public:
  // Answers stay small whatever was sent: what is past either limit, but for
  // the first, is counted and not kept. Both limits belong to the wire
  // contract.
  static constexpr size_t kMaxKept = 16;
  static constexpr size_t kMaxBytes = 3500;

  void Add(absl::string_view field, absl::string_view reason,
           absl::string_view description);

  // Whether no more are kept. Then AddUnlisted() does what Add() would, without
  // its texts: a message may have hundreds of thousands of violations.
  bool is_full() const {
    return kept_.size() == kMaxKept ||
           count_ > static_cast<int64_t>(kept_.size());
  }
  // REQUIRES: is_full().
  void AddUnlisted() { ++count_; }

  // The same violations with each field renamed.
  Violations Renamed(
      absl::FunctionRef<std::string(absl::string_view field)> rename) const;

  bool empty() const { return count_ == 0; }

  // All that were added, kept or not.
  int64_t count() const { return count_; }

  // In the order in which they were added.
  const std::vector<Violation>& kept() const { return kept_; }

  // OK when empty; otherwise INVALID_ARGUMENT whose message names the first
  // violation and how many follow, with the list as a payload.
  absl::Status ToStatus() const;

  // The list that ToStatus() put into a status; empty for any other status.
  static Violations FromStatus(const absl::Status& status);

 private:
  std::vector<Violation> kept_;
  size_t kept_bytes_ = 0;
  int64_t count_ = 0;
};

}  // namespace reductor

#endif  // REDUCTOR_CORE_VIOLATIONS_H_
