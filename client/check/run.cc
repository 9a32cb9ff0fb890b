#include "client/check/run.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "client/check/reference.h"

namespace reductor::check {
namespace {

constexpr size_t kKeptMismatches = 5;

// True for a status that says nothing of the request.
bool IsUnanswered(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsResourceExhausted(status);
}

void Record(int64_t index, const Case& request, size_t reduction,
            const std::optional<std::string>& mismatch, Report& report) {
  Tally& tally = report.tallies[request.versions[reduction]];
  ++tally.cases;
  if (!mismatch.has_value()) return;
  ++tally.mismatches;
  ++report.mismatch_count;
  if (report.mismatches.size() == kKeptMismatches) return;
  report.mismatches.push_back(
      {index, Describe(request),
       absl::StrCat("reduction ", reduction, ": ", *mismatch)});
}

// The answer to the case as a stream; absent where there is none to compare: it
// is no such case, or the server has no streams.
std::optional<absl::StatusOr<std::vector<Tensor>>> Stream(
    const Client& client, const Case& request, const CallOptions& call_options,
    Report& report) {
  if (!request.piece_bytes.has_value() || !report.has_streams) {
    return std::nullopt;
  }
  absl::StatusOr<std::vector<Tensor>> results =
      client.ReduceStream(request.tensor, request.reductions,
                          {.start_timeout = call_options.timeout,
                           .piece_bytes = *request.piece_bytes,
                           .timeout = call_options.timeout});
  report.has_streams = !absl::IsUnimplemented(results.status());
  if (!report.has_streams) return std::nullopt;
  ++report.streams;
  return results;
}

absl::Status Unanswered(const absl::Status& status, int64_t index,
                        const Case& request) {
  return {status.code(), absl::StrCat(status.message(), " (request ", index + 1,
                                      ": ", Describe(request), ")")};
}

// What is wrong with the stream's answer where the other one is right.
std::optional<std::string> FindStreamMismatch(
    const absl::StatusOr<std::vector<Tensor>>& streamed, size_t reduction,
    const Tensor& result) {
  if (!streamed.ok()) {
    return absl::StrCat("refused as a stream: ", streamed.status().ToString());
  }
  if ((*streamed)[reduction] == result) return std::nullopt;
  return "as a stream it has another type, shape or bits";
}

absl::Status RunCase(const Client& client, const Cases& cases, int64_t index,
                     const CallOptions& call_options, Report& report) {
  const Case request = cases.Make(index);
  const absl::StatusOr<std::vector<Tensor>> results =
      client.Reduce(request.tensor, request.reductions, call_options);
  if (IsUnanswered(results.status())) {
    return Unanswered(results.status(), index, request);
  }
  const auto streamed = Stream(client, request, call_options, report);
  if (streamed.has_value() && IsUnanswered(streamed->status())) {
    return Unanswered(streamed->status(), index, request);
  }
  for (size_t i = 0; i < request.reductions.size(); ++i) {
    std::optional<std::string> mismatch =
        results.ok() ? FindMismatch(ExpectedResult(request.tensor,
                                                   request.reductions[i]),
                                    (*results)[i])
                     : absl::StrCat("refused: ", results.status().ToString());
    if (!mismatch.has_value() && streamed.has_value()) {
      mismatch = FindStreamMismatch(*streamed, i, (*results)[i]);
    }
    Record(index, request, i, mismatch, report);
  }
  ++report.requests;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Report> RunCases(
    const Client& client, const Cases& cases, const Limits& limits,
    const CallOptions& call_options,
    const std::function<void(const Report&)>& on_progress) {
  Report report = {.tallies = std::vector<Tally>(cases.versions().size())};
  if (cases.pair_count() == 0) return report;
  for (int64_t index = 0; index < limits.count && absl::Now() < limits.deadline;
       ++index) {
    const absl::Status status =
        RunCase(client, cases, index, call_options, report);
    if (!status.ok()) return status;
    on_progress(report);
  }
  return report;
}

}  // namespace reductor::check
