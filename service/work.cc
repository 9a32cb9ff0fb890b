#include "service/work.h"

namespace reductor {
namespace {

// Bytes that reductions read and write in less than a millisecond.
constexpr double kLongWorkBytes = 4 << 20;

// How many times as long as others an operator takes for an element. LogSumExp
// has an exponential for each: of float16 it folds 2.2 GB/s as a whole, where
// sums fold 41, and 0.6 in rows of 3, where they fold 8.
double CostOf(Operator op) { return op == Operator::kReduceLogSumExp ? 16 : 1; }

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
