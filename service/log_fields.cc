// Most texts are plain: a look at each byte is cheaper than an escape.
#include "service/log_fields.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"

namespace reductor {
namespace {

std::string Dump(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false,
                    nlohmann::ordered_json::error_handler_t::replace);
}

bool IsPlain(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isprint(c) && c != '"' && c != '\\';
  });
}

}  // namespace

LogFields& LogFields::Add(absl::string_view name, absl::string_view text) {
  if (!IsPlain(text)) return AddJson(name, std::string(text));
  absl::StrAppend(&Begin(name), "\"", text, "\"");
  return *this;
}

LogFields& LogFields::Add(absl::string_view name, int64_t number) {
  absl::StrAppend(&Begin(name), number);
  return *this;
}

LogFields& LogFields::Add(absl::string_view name, double number) {
  absl::StrAppend(&Begin(name), number);
  return *this;
}

LogFields& LogFields::Add(absl::string_view name,
                          absl::Span<const int64_t> numbers) {
  absl::StrAppend(&Begin(name), "[", absl::StrJoin(numbers, ","), "]");
  return *this;
}

LogFields& LogFields::AddJson(absl::string_view name,
                              const nlohmann::ordered_json& value) {
  Begin(name) += Dump(value);
  return *this;
}

std::string& LogFields::Begin(absl::string_view name) {
  absl::StrAppend(&members_, members_.empty() ? "\"" : ",\"", name, "\":");
  return members_;
}

}  // namespace reductor
