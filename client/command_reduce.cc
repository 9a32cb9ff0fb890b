#include "client/command_reduce.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "client/client.h"
#include "client/npy_reader.h"
#include "client/result_output.h"
#include "client/upload_progress.h"

namespace reductor {
namespace {

// Above this a stream is faster, and needs no memory for the tensor.
constexpr int64_t kStreamAbove = 4 << 20;

struct ReduceArguments {
  Reduction reduction;
  NpyReadOptions read_options;
  std::string input;
  std::optional<std::string> output;
  std::optional<bool> stream;
};

absl::StatusOr<NpyReader> OpenInput(const ReduceArguments& arguments,
                                    std::istream& standard_input) {
  return arguments.input == kStandardStream
             ? NpyReader::Open(standard_input, arguments.read_options)
             : NpyReader::OpenFile(arguments.input, arguments.read_options);
}

// What became of a call, and of what it was made from.
struct Outcome {
  absl::Status input;
  absl::Status call;
};

Outcome CallWhole(const Invocation& invocation, const Reduction& reduction,
                  NpyReader& input, ResultOutput& output) {
  absl::StatusOr<std::string> data = input.Rest();
  if (!data.ok()) return {.input = data.status()};
  const absl::StatusOr<std::vector<Tensor>> results =
      Client(Connect(invocation.server))
          .Reduce({input.type().dtype, input.type().shape, *std::move(data)},
                  {&reduction, 1}, {.timeout = CallTimeout(invocation)});
  if (!results.ok()) return {.call = results.status()};
  const Tensor& result = results->front();
  absl::Status status = output.Begin({result.dtype, result.shape});
  if (status.ok()) status = output.Write(result.data);
  return {.call = status};
}

Outcome CallStream(const Invocation& invocation, const Reduction& reduction,
                   NpyReader& input, ResultOutput& output) {
  Outcome outcome;
  UploadProgress progress(invocation.streams, input.bytes(), absl::Now());
  outcome.call =
      Client(Connect(invocation.server))
          .ReduceStream(
              input.type(), {&reduction, 1},
              [&]() -> absl::StatusOr<absl::Cord> {
                absl::StatusOr<absl::Cord> piece = input.Next();
                outcome.input = piece.status();
                if (piece.ok()) progress.Add(std::ssize(*piece), absl::Now());
                return piece;
              },
              {.on_types = [&](const auto& t) { return output.Begin(t[0]); },
               .on_bytes = [&](int64_t,
                               auto bytes) { return output.Write(bytes); }},
              {.start_timeout = CallTimeout(invocation),
               .timeout =
                   invocation.timeout.value_or(absl::InfiniteDuration())});
  progress.Close();
  return outcome;
}

int ReportFile(const Invocation& invocation, absl::string_view name,
               const absl::Status& status) {
  invocation.streams.err << "reductor: " << name << ": " << status.message()
                         << '\n';
  return kExitFailed;
}

int RunReduce(const Invocation& invocation, const ReduceArguments& arguments) {
  const std::string input_name =
      arguments.input == kStandardStream ? "standard input" : arguments.input;
  absl::StatusOr<NpyReader> input = OpenInput(arguments, invocation.streams.in);
  if (!input.ok()) return ReportFile(invocation, input_name, input.status());
  ResultOutput output(arguments.output, invocation.streams.out);
  const bool is_stream =
      arguments.stream.value_or(input->bytes() > kStreamAbove);
  Outcome outcome = (is_stream ? CallStream : CallWhole)(
      invocation, arguments.reduction, *input, output);
  // A server without streams has not touched the input.
  if (is_stream && !arguments.stream.has_value() &&
      absl::IsUnimplemented(outcome.call)) {
    outcome = CallWhole(invocation, arguments.reduction, *input, output);
  }
  if (!outcome.input.ok()) {
    return ReportFile(invocation, input_name, outcome.input);
  }
  if (outcome.call.ok()) output.End().IgnoreError();
  if (!output.status().ok()) {
    return ReportFile(invocation, *arguments.output, output.status());
  }
  if (!outcome.call.ok()) return ReportFailedCall(invocation, outcome.call);
  return kExitOk;
}

std::vector<int64_t> ParseAxes(const std::string& text) {
  std::vector<int64_t> axes;
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    if (!absl::SimpleAtoi(item, &axes.emplace_back())) {
      throw CLI::ValidationError(
          "--axes", text + " is not a list of integers such as 1,-1");
    }
  }
  return axes;
}

// A switch whose absence leaves the server's default: --name, --name=false.
void AddSwitch(CLI::App& command, const std::string& name,
               std::optional<bool>& value, const std::string& description) {
  command
      .add_flag_function(
          name, [&value](int64_t count) { value = count > 0; }, description)
      ->check(CLI::IsMember({"true", "false"}));
}

void AddReductionOptions(CLI::App& command, Reduction& reduction) {
  command
      .add_option_function<std::string>(
          "--axes",
          [&reduction](const std::string& text) {
            reduction.axes = ParseAxes(text);
          },
          "The axes to reduce, negative ones counted from the back: 1,-1")
      ->type_name("INT,INT,...");
  AddSwitch(command, "--keep-dims", reduction.keep_dims,
            "Keep reduced axes, with extent 1; --keep-dims=false drops them. "
            "Default: as the operator's family says");
  AddSwitch(command, "--noop-with-empty-axes", reduction.noop_with_empty_axes,
            "Without --axes, reduce nothing instead of all");
  AddSwitch(command, "--select-last-index", reduction.select_last_index,
            "Of equal values, answer the last one's index");
  CLI::Option* onnx = command.add_option(
      "--onnx-opset", reduction.onnx_opset,
      "Compute as this ONNX opset says. Default: the server's newest");
  command
      .add_option("--openvino-opset", reduction.openvino_opset,
                  "Compute as this OpenVINO opset says")
      ->excludes(onnx);
}

void AddFileOptions(CLI::App& command, ReduceArguments& arguments) {
  command
      .add_option_function<std::string>(
          "--dtype",
          [&arguments](const std::string&) {
            arguments.read_options.is_bfloat16 = true;
          },
          "bfloat16: the file's raw two-byte elements ('<V2') are bfloat16")
      ->check(CLI::IsMember({"bfloat16"}));
  command
      .add_option("input", arguments.input, "A .npy file; -: standard input")
      ->required();
  command.add_option(
      "-o,--output", arguments.output,
      "The .npy file to write; -: standard output. Default: print the values");
  command.add_flag_function(
      "--stream,!--no-stream",
      [&arguments](int64_t count) { arguments.stream = count > 0; },
      "Send the tensor in pieces, or in one message. Default: in pieces above "
      "4 "
      "MiB");
}

}  // namespace

std::string KebabCase(absl::string_view official_name) {
  std::string kebab;
  for (const char c : official_name) {
    if (absl::ascii_isupper(c) && !kebab.empty()) kebab += '-';
    kebab += absl::ascii_tolower(c);
  }
  return kebab;
}

void AddReduceCommands(CLI::App& app, Invocation& invocation) {
  for (const Operator op : kOperators) {
    CLI::App* command = app.add_subcommand(
        KebabCase(NameOf(op)), absl::StrCat(NameOf(op), " of a .npy file"));
    const auto arguments = std::make_shared<ReduceArguments>();
    arguments->reduction.op = op;
    AddReductionOptions(*command, arguments->reduction);
    AddFileOptions(*command, *arguments);
    command->callback([&invocation, arguments] {
      invocation.exit_code = RunReduce(invocation, *arguments);
    });
  }
}

}  // namespace reductor
