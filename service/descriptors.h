// Connections are descriptors: how many there may be, and what becomes of those
// that are too many.
//
// gRPC 1.51 never accepts again once the process has had no descriptor left
// (CVE-2023-4785), or a client was gone before it was accepted. So gRPC's call
// of accept4() meets ours, in the same program: it turns the client away, and
// goes on.
#ifndef REDUCTOR_SERVICE_DESCRIPTORS_H_
#define REDUCTOR_SERVICE_DESCRIPTORS_H_

#include <cstdint>

namespace reductor {

// Lets the process have as many descriptors as connections fit into a part of
// the budget, or as the system allows if that is less. Returns how many.
int64_t LimitDescriptors(int64_t budget_bytes);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_DESCRIPTORS_H_
