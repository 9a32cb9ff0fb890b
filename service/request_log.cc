// Strangers write the metadata: nothing of it is logged unchecked.
#include "service/request_log.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "service/status.h"

namespace reductor {
namespace {

constexpr size_t kMaxRequestId = 128;

absl::string_view Find(const ClientMetadata& metadata, absl::string_view key) {
  const auto found = metadata.find(grpc::string_ref(key.data(), key.size()));
  if (found == metadata.end()) return "";
  return {found->second.data(), found->second.size()};
}

// A bug of ours is an error; what callers do is information, or less.
LogLevel LevelOf(const RequestLog& log, const absl::Status& status) {
  return status.code() == absl::StatusCode::kInternal ? LogLevel::kError
                                                      : log.level;
}

// What the caller is not told, and whose time was over: the caller's, or one of
// ours.
bool HasDetail(const absl::Status& status) {
  return status.code() == absl::StatusCode::kInternal ||
         status.code() == absl::StatusCode::kDeadlineExceeded;
}

}  // namespace

std::string RequestIdOf(const ClientMetadata& metadata) {
  const absl::string_view id = Find(metadata, "x-request-id");
  const bool usable = id.size() <= kMaxRequestId &&
                      std::all_of(id.begin(), id.end(), [](unsigned char c) {
                        return absl::ascii_isprint(c);
                      });
  return usable ? std::string(id) : "";
}

std::string TraceIdOf(const ClientMetadata& metadata) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(Find(metadata, "traceparent"), '-');
  const bool usable =
      parts.size() >= 4 && parts[1].size() == 32 &&
      parts[1].find_first_not_of('0') != absl::string_view::npos &&
      std::all_of(parts[1].begin(), parts[1].end(),
                  [](unsigned char c) { return absl::ascii_isxdigit(c); });
  return usable ? std::string(parts[1]) : "";
}

std::string PeerOf(absl::string_view uri) {
  return absl::StrReplaceAll(uri, {{"%5B", "["}, {"%5D", "]"}, {"%25", "%"}});
}

void Describe(const RequestSpec& request, RequestLog* log) {
  if (!request.tensor.has_value()) return;
  if (request.reductions.size() > kMaxReductions) return;
  if (request.tensor->shape.size() > kMaxRank) return;
  for (const ReduceSpec& reduction : request.reductions) {
    log->operators.push_back(NameOf(reduction.op));
  }
  log->dtype = NameOf(request.tensor->dtype);
  log->shape = request.tensor->shape;
}

void WriteOpening(const RequestLog& log) {
  if (!IsLogged(LogLevel::kDebug)) return;
  Log(LogLevel::kDebug, "call",
      LogFields().Add("method", log.method).Add("peer", PeerOf(log.peer)));
}

void WriteLine(const RequestLog& log, const absl::Status& status) {
  if (!IsLogged(LevelOf(log, status))) return;
  LogFields fields;
  fields.Add("method", log.method)
      .Add("code", absl::StatusCodeToString(status.code()))
      .Add("peer", PeerOf(log.peer));
  if (!log.request_id.empty()) fields.Add("request_id", log.request_id);
  if (!log.trace_id.empty()) fields.Add("trace_id", log.trace_id);
  if (!log.operators.empty()) {
    fields.Add("operator", absl::StrJoin(log.operators, ","))
        .Add("dtype", log.dtype)
        .Add("shape", log.shape);
  }
  if (log.compute_time > absl::ZeroDuration()) {
    fields.Add("compute_ms", absl::ToDoubleMilliseconds(log.compute_time));
  }
  fields.Add("duration_ms", absl::ToDoubleMilliseconds(log.duration))
      .Add("bytes", log.bytes);
  if (log.response_bytes > 0) fields.Add("response_bytes", log.response_bytes);
  if (const std::string reason = ReasonOf(status); !reason.empty()) {
    fields.Add("reason", reason);
  }
  if (HasDetail(status)) fields.Add("detail", status.message());
  Log(LevelOf(log, status), "request", fields);
}

}  // namespace reductor
