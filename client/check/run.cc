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

absl::Status RunCase(const Client& client, const Cases& cases, int64_t index,
                     const CallOptions& call_options, Report& report) {
  const Case request = cases.Make(index);
  const absl::StatusOr<std::vector<Tensor>> results =
      client.Reduce(request.tensor, request.reductions, call_options);
  if (IsUnanswered(results.status())) {
    return {results.status().code(),
            absl::StrCat(results.status().message(), " (request ", index + 1,
                         ": ", Describe(request), ")")};
  }
  for (size_t i = 0; i < request.reductions.size(); ++i) {
    const std::optional<std::string> mismatch =
        results.ok() ? FindMismatch(ExpectedResult(request.tensor,
                                                   request.reductions[i]),
                                    (*results)[i])
                     : absl::StrCat("refused: ", results.status().ToString());
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
