// A request's way through the layers, as prose.
#include "service/reduction_service.h"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/time/clock.h"
#include "core/footprint.h"
#include "core/plan.h"
#include "core/reduce.h"
#include "service/codec.h"
#include "service/room.h"
#include "service/status.h"
#include "service/stream_call.h"
#include "service/wire.h"
#include "service/work.h"
#include "service/workers.h"

namespace reductor {
namespace {

// The bytes of all results together, or int64's maximum if they are more.
int64_t OutputBytes(absl::Span<const Plan> plans) {
  int64_t sum = 0;
  for (const Plan& plan : plans) {
    if (__builtin_add_overflow(sum, plan.output_bytes(), &sum)) {
      return std::numeric_limits<int64_t>::max();
    }
  }
  return sum;
}

absl::StatusOr<Results> TimedReduce(absl::Span<const Plan> plans,
                                    const absl::Cord& data,
                                    IsCancelled is_cancelled, RequestLog* log) {
  const absl::Time start = absl::Now();
  auto results = Reduce(plans, data, is_cancelled);
  log->compute_time = absl::Now() - start;
  return results;
}

absl::StatusOr<std::optional<grpc::ByteBuffer>> HandleReduce(
    const grpc::ByteBuffer& bytes, int64_t max_output_bytes, bool may_take_long,
    IsCancelled is_cancelled, Admission::Ticket* room, RequestLog* log) {
  const absl::StatusOr<SplitRequest> request = Split(bytes);
  if (!request.ok()) return request.status();
  const RequestSpec spec = Decode(request->message, request->data.size());
  const absl::StatusOr<std::vector<Plan>> plans = MakePlans(spec);
  // A small message may ask for 64 reductions, or for results that no elements
  // give.
  if (plans.ok() && !may_take_long &&
      TakesLong(*plans, plans->front().input_bytes(), OutputBytes(*plans))) {
    return std::nullopt;
  }
  Describe(spec, log);
  if (!plans.ok()) return plans.status();
  const absl::Status made = MakeRoom(OutputBytes(*plans), WorkingBytes(*plans),
                                     max_output_bytes, room);
  if (!made.ok()) return made;
  const auto results = TimedReduce(*plans, request->data, is_cancelled, log);
  if (!results.ok()) return results.status();
  return Join(DescribeResults(*plans), *results);
}

}  // namespace

ReductionService::ReductionService(const Limits& limits, Admission* admission,
                                   Turns* turns, Workers* workers, Calls* calls)
    : limits_(limits),
      reduce_([max_output_bytes = limits.max_output_bytes](
                  const grpc::ByteBuffer& bytes, bool may_take_long,
                  IsCancelled is_cancelled, Admission::Ticket* room,
                  RequestLog* log) {
        return HandleReduce(bytes, max_output_bytes, may_take_long,
                            is_cancelled, room, log);
      }),
      list_operators_{
          .answer = AnswerToEach<v1::ListOperatorsRequest>(ListOperators())},
      admission_(admission),
      turns_(turns),
      workers_(workers),
      calls_(calls) {}

void ReductionService::Register(Methods* methods) {
  (*methods)["/reductor.v1.ReductionService/Reduce"] = [this](AsyncCall* call) {
    return ServeGenericCall(call, reduce_, limits_.max_message_bytes,
                            admission_, workers_, calls_->Admit());
  };
  (*methods)["/reductor.v1.ReductionService/ReduceStream"] =
      [this](AsyncCall* call) {
        return ServeStreamCall(call, limits_.max_message_bytes,
                               limits_.max_output_bytes, admission_, workers_,
                               calls_->Admit());
      };
  (*methods)["/reductor.v1.ReductionService/ListOperators"] =
      [this](AsyncCall* call) {
        return ServeShortCall(call, list_operators_, turns_, calls_->Admit());
      };
}

}  // namespace reductor
