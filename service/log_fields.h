// What a line of the log tells beside its message: names and values, as JSON.
//
// Written as they come, where a library would build a tree first: the tree of a
// request's line took a fifth of the CPU of a request of 96 bytes. What has to
// be escaped, and what is no plain value, is still the library's.
#ifndef REDUCTOR_SERVICE_LOG_FIELDS_H_
#define REDUCTOR_SERVICE_LOG_FIELDS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "nlohmann/json_fwd.hpp"

namespace reductor {

// In the order in which they are added. Names are plain: nothing to escape.
class LogFields {
 public:
  // Bytes that are not UTF-8 become U+FFFD.
  LogFields& Add(absl::string_view name, absl::string_view text);
  LogFields& Add(absl::string_view name, int64_t number);
  LogFields& Add(absl::string_view name, double number);  // Finite.
  LogFields& Add(absl::string_view name, absl::Span<const int64_t> numbers);
  LogFields& AddJson(absl::string_view name,
                     const nlohmann::ordered_json& value);

  // The members of an object: no braces, a comma between two.
  const std::string& members() const { return members_; }

 private:
  // The comma and the name; the value has to follow.
  std::string& Begin(absl::string_view name);

  std::string members_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_LOG_FIELDS_H_
