// A ReduceStream call of a test: header, pieces, answers.
#ifndef REDUCTOR_TESTS_SERVICE_REDUCE_STREAM_H_
#define REDUCTOR_TESTS_SERVICE_REDUCE_STREAM_H_

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "reductor/v1/reductor.grpc.pb.h"

namespace reductor {

// What a stream answered: its results with their data, and its end.
struct StreamAnswer {
  grpc::Status status;
  v1::ReduceResponse response;
  int pieces = 0;
};

class ReduceStreamCall {
 public:
  explicit ReduceStreamCall(v1::ReductionService::Stub& stub)
      : stream_(stub.ReduceStream(&context_)) {}

  bool WriteHeader(const v1::ReduceStreamHeader& header) {
    v1::ReduceStreamRequest message;
    *message.mutable_header() = header;
    return stream_->Write(message);
  }

  bool WriteData(const std::string& data) {
    v1::ReduceStreamRequest message;
    message.set_data(data);
    return stream_->Write(message);
  }

  void WritesDone() { stream_->WritesDone(); }

  // The next answer; one without a part at the end.
  v1::ReduceStreamResponse Read() {
    v1::ReduceStreamResponse message;
    if (!stream_->Read(&message)) message.Clear();
    return message;
  }

  // Reads what is left and how the call ended.
  StreamAnswer Finish() {
    StreamAnswer answer;
    v1::ReduceStreamResponse message;
    while (stream_->Read(&message)) {
      if (message.has_results()) {
        *answer.response.mutable_results() = message.results().results();
      } else {
        ++answer.pieces;
        answer.response.mutable_results(message.piece().reduction())
            ->mutable_data()
            ->append(message.piece().data());
      }
    }
    answer.status = stream_->Finish();
    return answer;
  }

  void Cancel() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  const std::unique_ptr<grpc::ClientReaderWriter<v1::ReduceStreamRequest,
                                                 v1::ReduceStreamResponse>>
      stream_;
};

inline v1::ReduceStreamHeader HeaderOf(const v1::ReduceRequest& request) {
  v1::ReduceStreamHeader header;
  *header.mutable_reductions() = request.reductions();
  header.set_data_type(request.tensor().data_type());
  *header.mutable_shape() = request.tensor().shape();
  return header;
}

// Sends the request as a stream, in pieces of `piece_size` bytes.
inline StreamAnswer Streamed(v1::ReductionService::Stub& stub,
                             const v1::ReduceRequest& request,
                             size_t piece_size) {
  ReduceStreamCall call(stub);
  // Answers are read meanwhile: a server whose answers nobody takes stops.
  std::thread writer([&] {
    const std::string& data = request.tensor().data();
    call.WriteHeader(HeaderOf(request));
    for (size_t begin = 0; begin < data.size(); begin += piece_size) {
      if (!call.WriteData(data.substr(begin, piece_size))) break;
    }
    call.WritesDone();
  });
  StreamAnswer answer = call.Finish();
  writer.join();
  return answer;
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_REDUCE_STREAM_H_
