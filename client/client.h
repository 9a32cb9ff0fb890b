// The C++ client of reductor:
//
//   Client client(Connect("127.0.0.1:50051"));
//   auto sums = client.ReduceOne<float>(
//       {2, 2}, {1, -2, 3, -4}, {.op = Operator::kReduceL1, .axes = {1}});
//   // sums->shape == {2, 1}, sums->elements == {3, 7}
#ifndef REDUCTOR_CLIENT_CLIENT_H_
#define REDUCTOR_CLIENT_CLIENT_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "client/channel.h"
#include "client/reduction.h"
#include "client/stream.h"
#include "client/tensor.h"
#include "reductor/v1/reductor.grpc.pb.h"

namespace reductor {

// A tensor of C++ elements, row-major.
template <Element T>
struct Array {
  std::vector<int64_t> shape;
  std::vector<T> elements;
};

struct CallOptions {
  // A call that takes longer, retries included, is DEADLINE_EXCEEDED; or the
  // server's refusal, where it was busy to the end.
  absl::Duration timeout = absl::Seconds(60);
};

// A server's methods. May be used by any number of threads at once. A server
// that is busy or restarts is asked again, as long as the timeout allows.
// Errors are the server's, with its details: see errors.h.
class Client {
 public:
  explicit Client(const std::shared_ptr<grpc::Channel>& channel)
      : channel_(channel), stub_(v1::ReductionService::NewStub(channel)) {}

  // The answer to each reduction of `tensor`, in order. Every answer's data has
  // the size that its type and shape say; a server that breaks that is
  // INTERNAL.
  absl::StatusOr<std::vector<Tensor>> Reduce(
      Tensor tensor, absl::Span<const Reduction> reductions,
      const CallOptions& options = {}) const;

  // The answer to one reduction. `Result` is the type of its elements: T, or
  // int64_t for ArgMax and ArgMin; any other is INVALID_ARGUMENT.
  template <Element T, Element Result = T>
  absl::StatusOr<Array<Result>> ReduceOne(
      std::vector<int64_t> shape, absl::Span<const T> elements,
      const Reduction& reduction, const CallOptions& options = {}) const;

  // The same for a tensor that need not fit into memory, nor its results; nor
  // into one message. The source and the sink are called on this thread. A busy
  // server is asked again as long as it has not taken the call, at most for
  // start_timeout; a stream that breaks later is not sent again.
  absl::Status ReduceStream(const TensorType& type,
                            absl::Span<const Reduction> reductions,
                            const PieceSource& source, const ResultSink& sink,
                            const StreamOptions& options = {}) const;

  // The same for a tensor in memory.
  absl::StatusOr<std::vector<Tensor>> ReduceStream(
      Tensor tensor, absl::Span<const Reduction> reductions,
      const StreamOptions& options = {}) const;

  // Every operator version that the server computes.
  absl::StatusOr<v1::ListOperatorsResponse> ListOperators(
      const CallOptions& options = {}) const;

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::ReductionService::Stub> stub_;
};

template <Element T, Element Result>
absl::StatusOr<Array<Result>> Client::ReduceOne(
    std::vector<int64_t> shape, absl::Span<const T> elements,
    const Reduction& reduction, const CallOptions& options) const {
  absl::StatusOr<std::vector<Tensor>> results =
      Reduce(MakeTensor(std::move(shape), elements), {&reduction, 1}, options);
  if (!results.ok()) return results.status();
  Tensor& result = results->front();
  if (result.dtype != kDTypeOf<Result>) {
    return absl::InvalidArgumentError(
        absl::StrCat("the result is ", NameOf(result.dtype), ", not ",
                     NameOf(kDTypeOf<Result>)));
  }
  std::vector<Result> result_elements = ElementsOf<Result>(result);
  return Array<Result>{std::move(result.shape), std::move(result_elements)};
}

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_CLIENT_H_
