#include "client/command_check.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/check/cases.h"
#include "client/check/run.h"
#include "client/client.h"
#include "client/table.h"
#include "client/wire_names.h"

namespace reductor {
namespace {

// The defaults: every pair of version and type about ten times, and an end in
// sight on a slow machine.
struct CheckArguments {
  std::optional<uint64_t> seed;
  int64_t count = 5000;
  double seconds = 10;
};

// Rewrites one line on a terminal; says nothing elsewhere.
class Progress {
 public:
  Progress(const Streams& streams, int64_t count)
      : streams_(streams), count_(count) {}

  void Show(const check::Report& report) {
    const absl::Time now = absl::Now();
    if (!streams_.is_err_terminal || now < next_) return;
    next_ = now + absl::Milliseconds(100);
    streams_.err << '\r' << report.requests << " of " << count_ << " requests, "
                 << report.mismatch_count << " mismatches" << std::flush;
  }

  // Removes the line.
  void Close() {
    if (streams_.is_err_terminal) streams_.err << "\r\x1b[K" << std::flush;
  }

 private:
  const Streams& streams_;
  const int64_t count_;
  absl::Time next_ = absl::InfinitePast();
};

Table ReportTable(const check::Cases& cases, const check::Report& report) {
  Table table = {
      .header = {"operator", "family", "version", "cases", "mismatches"}};
  for (size_t i = 0; i < cases.versions().size(); ++i) {
    const check::Version& version = cases.versions()[i];
    const check::Tally& tally = report.tallies[i];
    table.rows.push_back(
        {version.schema.name(), NameOfFamily(version.schema.family()),
         absl::StrCat(version.schema.since_version()),
         version.is_known ? absl::StrCat(tally.cases) : "not checked",
         version.is_known ? absl::StrCat(tally.mismatches) : "-"});
  }
  return table;
}

int PrintReport(const Streams& streams, const check::Cases& cases,
                const check::Report& report, uint64_t seed) {
  streams.out << ToText(ReportTable(cases, report)) << '\n'
              << report.requests << " requests, "
              << (report.has_streams
                      ? absl::StrCat(report.streams, " of them as streams too")
                      : "no streams, which the server does not have")
              << ", " << report.mismatch_count << " mismatches, seed " << seed
              << '\n';
  for (const check::Mismatch& mismatch : report.mismatches) {
    streams.err << "\nmismatch: " << mismatch.request << "\n  " << mismatch.text
                << "\n  again: reductor check --seed " << seed << " --count "
                << mismatch.index + 1 << '\n';
  }
  return report.mismatch_count == 0 ? kExitOk : kExitFailed;
}

int RunCheck(const Invocation& invocation, const CheckArguments& arguments) {
  const Client client(Connect(invocation.server));
  const CallOptions call_options = {.timeout = CallTimeout(invocation)};
  const absl::StatusOr<v1::ListOperatorsResponse> operators =
      client.ListOperators(call_options);
  if (!operators.ok()) return ReportFailedCall(invocation, operators.status());
  const uint64_t seed = arguments.seed.value_or(std::random_device()());
  const check::Cases cases(*operators, seed);
  Progress progress(invocation.streams, arguments.count);
  const absl::StatusOr<check::Report> report = check::RunCases(
      client, cases,
      {.count = arguments.count,
       .deadline = absl::Now() + absl::Seconds(arguments.seconds)},
      call_options, [&progress](const check::Report& r) { progress.Show(r); });
  progress.Close();
  if (!report.ok()) {
    invocation.streams.err << "seed " << seed << ":\n";
    return ReportFailedCall(invocation, report.status());
  }
  return PrintReport(invocation.streams, cases, *report, seed);
}

}  // namespace

void AddCheckCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "check",
      "Compare the server's answers to random requests, of every operator, "
      "version and element type, with a plain local computation; a share goes "
      "as streams too, which have to answer the same bits");
  const auto arguments = std::make_shared<CheckArguments>();
  command->add_option("--seed", arguments->seed,
                      "The same seed sends the same requests. Default: random");
  command->add_option("--count", arguments->count, "End after so many requests")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  command->add_option("--seconds", arguments->seconds, "End after so long")
      ->check(CLI::Range(0.001, 7 * 86400.0))
      ->capture_default_str();
  command->callback([&invocation, arguments] {
    invocation.exit_code = RunCheck(invocation, *arguments);
  });
}

}  // namespace reductor
