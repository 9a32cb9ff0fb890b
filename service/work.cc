#include "service/work.h"

#include "core/work_per_byte.h"

namespace reductor {
namespace {

// Bytes that sums read and write in less than a millisecond.
constexpr double kLongWorkBytes = 4 << 20;

}  // namespace

bool TakesLong(absl::Span<const Plan> plans, int64_t bytes,
               int64_t output_bytes) {
  double work = static_cast<double>(output_bytes);
  for (const Plan& plan : plans) {
    work += static_cast<double>(WorkPerByte(plan)) * static_cast<double>(bytes);
  }
  return work > kLongWorkBytes;
}

}  // namespace reductor
