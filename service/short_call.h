// Calls whose messages are short: what is asked about the server, not of it.
// They need no room for tensors, so that a full server still says how it is.
#ifndef REDUCTOR_SERVICE_SHORT_CALL_H_
#define REDUCTOR_SERVICE_SHORT_CALL_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "google/protobuf/message_lite.h"
#include "grpcpp/support/byte_buffer.h"
#include "service/async_call.h"
#include "service/calls.h"
#include "service/log.h"
#include "service/status.h"
#include "service/turns.h"

namespace reductor {

struct ShortMethod {
  // Answers a message. May throw: the call then ends with INTERNAL, alone.
  std::function<absl::StatusOr<grpc::ByteBuffer>(const grpc::ByteBuffer&)>
      answer;
  // Whether each message of a stream is answered, or the first.
  bool is_stream = false;
  LogLevel log_level = LogLevel::kInfo;
};

// Serves a call that reads each message when it has a turn. Without a ticket
// the answer is DRAINING. The reactor deletes itself; all that it is given
// outlives it.
AsyncReactor* ServeShortCall(AsyncCall* call, const ShortMethod& method,
                             Turns* turns, Calls::Ticket ticket);

// Longer messages are not looked at.
inline constexpr int64_t kMaxShortMessageBytes = 64 << 10;

// INVALID_ARGUMENT MALFORMED_MESSAGE if the bytes are not the message,
// RESOURCE_EXHAUSTED MESSAGE_TOO_LARGE if they are more than a short one's.
absl::Status Parse(const grpc::ByteBuffer& bytes,
                   google::protobuf::MessageLite* message);

grpc::ByteBuffer Serialize(const google::protobuf::MessageLite& message);

// ShortMethod::answer, from a function of a `Request` to an absl::StatusOr of
// the response.
template <class Request, class Function>
auto AnswerTo(Function respond) {
  return
      [respond](
          const grpc::ByteBuffer& bytes) -> absl::StatusOr<grpc::ByteBuffer> {
        Request request;
        const absl::Status parsed = Parse(bytes, &request);
        if (!parsed.ok()) return parsed;
        const auto response = respond(request);
        if (!response.ok()) return response.status();
        return Serialize(*response);
      };
}

// ShortMethod::answer, the same for every `Request`: the answers share memory.
template <class Request>
auto AnswerToEach(const google::protobuf::MessageLite& response) {
  return
      [answer = Serialize(response)](
          const grpc::ByteBuffer& bytes) -> absl::StatusOr<grpc::ByteBuffer> {
        Request request;
        const absl::Status parsed = Parse(bytes, &request);
        if (!parsed.ok()) return parsed;
        return answer;
      };
}

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_SHORT_CALL_H_
