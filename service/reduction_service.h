// reductor.v1.ReductionService: which method is served how, and by what.
#ifndef REDUCTOR_SERVICE_REDUCTION_SERVICE_H_
#define REDUCTOR_SERVICE_REDUCTION_SERVICE_H_

#include <cstdint>

#include "service/admission.h"
#include "service/calls.h"
#include "service/generic_call.h"
#include "service/methods.h"
#include "service/short_call.h"
#include "service/turns.h"
#include "service/workers.h"

namespace reductor {

inline constexpr char kReductionService[] = "reductor.v1.ReductionService";

class ReductionService {
 public:
  // The bytes of a request's message, and of all its results together.
  struct Limits {
    int64_t max_message_bytes = 0;
    int64_t max_output_bytes = 0;
  };

  // All outlive the service.
  ReductionService(const Limits& limits, Admission* admission, Turns* turns,
                   Workers* workers, Calls* calls);

  // Outlives the methods.
  void Register(Methods* methods);

 private:
  const Limits limits_;
  const MethodHandler reduce_;
  const ShortMethod list_operators_;
  Admission* const admission_;
  Turns* const turns_;
  Workers* const workers_;
  Calls* const calls_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_REDUCTION_SERVICE_H_
