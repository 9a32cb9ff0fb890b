#include "client/command_reduce.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/client.h"
#include "client/format.h"
#include "client/npy.h"

namespace reductor {
namespace {

// Stands for standard input or output in the place of a file's name.
constexpr char kStandardStream[] = "-";

struct ReduceArguments {
  Reduction reduction;
  NpyReadOptions read_options;
  std::string input;
  std::optional<std::string> output;
};

absl::StatusOr<Tensor> ReadInput(const ReduceArguments& arguments,
                                 std::istream& standard_input) {
  if (arguments.input == kStandardStream) {
    return ReadNpy(standard_input, arguments.read_options);
  }
  std::ifstream file(arguments.input, std::ios::binary);
  if (!file) return absl::NotFoundError(std::strerror(errno));
  return ReadNpy(file, arguments.read_options);
}

// True when all of it was written.
bool WriteOutput(const Tensor& tensor, const std::string& output,
                 std::ostream& standard_output) {
  if (output == kStandardStream) {
    WriteNpy(tensor, standard_output);
    return !standard_output.fail();
  }
  std::ofstream file(output, std::ios::binary);
  WriteNpy(tensor, file);
  file.close();
  return !file.fail();
}

int RunReduce(const Invocation& invocation, const ReduceArguments& arguments) {
  const Streams& streams = invocation.streams;
  absl::StatusOr<Tensor> input = ReadInput(arguments, streams.in);
  if (!input.ok()) {
    streams.err << "reductor: "
                << (arguments.input == kStandardStream ? "standard input"
                                                       : arguments.input)
                << ": " << input.status().message() << '\n';
    return kExitFailed;
  }
  const Client client(Connect(invocation.server));
  const absl::StatusOr<std::vector<Tensor>> results =
      client.Reduce(*std::move(input), {&arguments.reduction, 1},
                    {.timeout = invocation.timeout});
  if (!results.ok()) return ReportFailedCall(invocation, results.status());
  const Tensor& result = results->front();
  if (!arguments.output.has_value()) {
    streams.out << Format(result) << '\n';
    return kExitOk;
  }
  if (!WriteOutput(result, *arguments.output, streams.out)) {
    streams.err << "reductor: " << *arguments.output << ": "
                << std::strerror(errno) << '\n';
    return kExitFailed;
  }
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
