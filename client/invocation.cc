#include "client/invocation.h"

#include <vector>

#include "client/errors.h"

namespace reductor {

int ReportFailedCall(const Invocation& invocation, const absl::Status& status) {
  std::ostream& err = invocation.streams.err;
  const std::vector<FieldViolation> violations = ViolationsOf(status);
  for (const FieldViolation& violation : violations) {
    err << violation.field << ": " << violation.description << '\n';
  }
  if (violations.empty()) {
    err << "reductor: " << invocation.server << ": "
        << absl::StatusCodeToString(status.code()) << ": " << status.message()
        << '\n';
  }
  return kExitFailed;
}

}  // namespace reductor
