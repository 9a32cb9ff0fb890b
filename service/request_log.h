// What the log tells of one request: who asked, what for, and how it ended.
#ifndef REDUCTOR_SERVICE_REQUEST_LOG_H_
#define REDUCTOR_SERVICE_REQUEST_LOG_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/request.h"
#include "grpcpp/support/string_ref.h"
#include "service/log.h"

namespace reductor {

struct RequestLog {
  // Of the line, unless a bug of ours ends the request.
  LogLevel level = LogLevel::kInfo;
  std::string method;
  std::string peer;        // As gRPC names it.
  std::string request_id;  // The caller's x-request-id; empty: none.
  std::string trace_id;    // Of the caller's traceparent; empty: none.
  // Known once the request is decoded; empty before. A name that is not known
  // is empty.
  std::vector<absl::string_view> operators;
  absl::string_view dtype;
  std::vector<int64_t> shape;
  int64_t bytes = 0;           // Of the messages as they came.
  int64_t response_bytes = 0;  // Of the answers as they were begun to be sent.
  absl::Duration compute_time;
  absl::Duration duration;  // From its opening to its end.
};

using ClientMetadata = std::multimap<grpc::string_ref, grpc::string_ref>;

// The caller's x-request-id; empty unless it is 1 to 128 printable ASCII
// characters, so that a stranger cannot fill or garble the log.
std::string RequestIdOf(const ClientMetadata& metadata);

// The trace-id of the caller's W3C traceparent; empty if it has none that is
// valid.
std::string TraceIdOf(const ClientMetadata& metadata);

// The peer as people write it: "ipv6:[::1]:50000" where gRPC, whose peers are
// URIs, has "ipv6:%5B::1%5D:50000".
std::string PeerOf(absl::string_view uri);

// Notes what was asked for, unless it has more reductions or dimensions than a
// request may.
void Describe(const RequestSpec& request, RequestLog* log);

// Writes a line at debug when a request has room, before its message is read.
void WriteOpening(const RequestLog& log);

// Writes the one line of a request that ended with `status`.
void WriteLine(const RequestLog& log, const absl::Status& status);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_REQUEST_LOG_H_
