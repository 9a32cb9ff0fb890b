#include "client/command_operators.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/client.h"
#include "client/table.h"
#include "client/wire_names.h"

namespace reductor {
namespace {

std::string TypesText(const v1::OperatorSchema& schema) {
  return absl::StrJoin(schema.data_types(), " ",
                       [](std::string* out, int data_type) {
                         absl::StrAppend(out, NameOfDataType(data_type));
                       });
}

std::string AttributesText(const v1::OperatorSchema& schema) {
  return absl::StrJoin(schema.attributes(), " ",
                       [](std::string* out, const v1::Attribute& attribute) {
                         absl::StrAppend(out, attribute.name(), "=",
                                         attribute.default_value());
                       });
}

Table OperatorsTable(const v1::ListOperatorsResponse& response) {
  Table table = {
      .header = {"operator", "family", "since", "types", "attributes"}};
  for (const v1::OperatorSchema& schema : response.operators()) {
    table.rows.push_back({schema.name(), NameOfFamily(schema.family()),
                          absl::StrCat(schema.since_version()),
                          TypesText(schema), AttributesText(schema)});
  }
  return table;
}

int RunOperators(const Invocation& invocation, bool as_markdown) {
  const Client client(Connect(invocation.server));
  const absl::StatusOr<v1::ListOperatorsResponse> response =
      client.ListOperators({.timeout = CallTimeout(invocation)});
  if (!response.ok()) return ReportFailedCall(invocation, response.status());
  const Table table = OperatorsTable(*response);
  invocation.streams.out << (as_markdown ? ToMarkdown(table) : ToText(table))
                         << "\nONNX opset 1 to "
                         << response->newest_onnx_opset()
                         << ", the default; OpenVINO opset 1 to "
                         << response->newest_openvino_opset() << ".\n";
  return kExitOk;
}

}  // namespace

void AddOperatorsCommand(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "operators",
      "List the server's operators: versions, element types, and attributes "
      "with their defaults");
  const auto as_markdown = std::make_shared<bool>(false);
  command->add_flag("--markdown", *as_markdown, "As a Markdown table");
  command->callback([&invocation, as_markdown] {
    invocation.exit_code = RunOperators(invocation, *as_markdown);
  });
}

}  // namespace reductor
