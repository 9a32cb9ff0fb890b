#include "client/client.h"

#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "client/codec.h"
#include "client/errors.h"
#include "client/retry.h"
#include "grpcpp/client_context.h"

namespace reductor {
namespace {

// What our servers admit a call by, before they read its message.
constexpr char kDeclaredSize[] = "reductor-message-bytes";

void SetDeadline(absl::Time deadline, grpc::ClientContext& context) {
  context.set_deadline(absl::ToChronoTime(deadline));
}

}  // namespace

absl::StatusOr<std::vector<Tensor>> Client::Reduce(
    Tensor tensor, absl::Span<const Reduction> reductions,
    const CallOptions& options) const {
  const v1::ReduceRequest request = ToWire(std::move(tensor), reductions);
  // protobuf counts the bytes of a message in int.
  if (request.ByteSizeLong() > std::numeric_limits<int>::max()) {
    return absl::ResourceExhaustedError(absl::StrFormat(
        "the request has %d bytes; one message holds at most %d",
        request.ByteSizeLong(), std::numeric_limits<int>::max()));
  }
  const absl::Time deadline = absl::Now() + options.timeout;
  v1::ReduceResponse response;
  const absl::Status status = RetryWhileBusy(deadline, [&] {
    grpc::ClientContext context;
    SetDeadline(deadline, context);
    context.AddMetadata(kDeclaredSize, absl::StrCat(request.ByteSizeLong()));
    return FromGrpc(stub_->Reduce(&context, request, &response));
  });
  if (!status.ok()) return status;
  return FromWire(std::move(response), reductions.size());
}

absl::StatusOr<v1::ListOperatorsResponse> Client::ListOperators(
    const CallOptions& options) const {
  const absl::Time deadline = absl::Now() + options.timeout;
  v1::ListOperatorsResponse response;
  const absl::Status status = RetryWhileBusy(deadline, [&] {
    grpc::ClientContext context;
    SetDeadline(deadline, context);
    return FromGrpc(stub_->ListOperators(&context, {}, &response));
  });
  if (!status.ok()) return status;
  return response;
}

}  // namespace reductor
