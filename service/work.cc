#include "service/work.h"

namespace reductor {
namespace {

// Bytes that reductions read and write in less than a millisecond.
constexpr double kLongWorkBytes = 4 << 20;

// How many times as long as others an operator takes for an element. LogSumExp
// has an exponential for each: 63 of them took 7 to 15 ms for 64 KiB of
// float16.
double CostOf(Operator op) { return op == Operator::kReduceLogSumExp ? 64 : 1; }

}  // namespace

bool TakesLong(absl::Span<const Plan> plans, int64_t bytes,
               int64_t output_bytes) {
  double work = static_cast<double>(output_bytes);
  for (const Plan& plan : plans) {
    work += CostOf(plan.op) * static_cast<double>(bytes);
  }
  return work > kLongWorkBytes;
}

}  // namespace reductor
