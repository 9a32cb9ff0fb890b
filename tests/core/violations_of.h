// What is wrong with a request, by MakePlans(), which is how each is checked.
#ifndef REDUCTOR_TESTS_CORE_VIOLATIONS_OF_H_
#define REDUCTOR_TESTS_CORE_VIOLATIONS_OF_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/plan.h"
#include "core/request.h"
#include "core/violations.h"

namespace reductor {

// Each violation as "field REASON: description".
inline std::vector<std::string> ViolationsOf(const RequestSpec& request) {
  std::vector<std::string> texts;
  const Violations violations =
      Violations::FromStatus(MakePlans(request).status());
  for (const Violation& v : violations.kept()) {
    texts.push_back(absl::StrCat(v.field, " ", v.reason, ": ", v.description));
  }
  return texts;
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_CORE_VIOLATIONS_OF_H_
