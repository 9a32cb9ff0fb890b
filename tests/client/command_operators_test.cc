#include "client/command_operators.h"

#include "gtest/gtest.h"
#include "tests/client/fake_server.h"
#include "tests/client/run_command.h"

namespace reductor {
namespace {

// A server that lists one operator version.
class CommandOperators : public ::testing::Test {
 protected:
  CommandOperators() {
    v1::OperatorSchema& schema = *server_.operators.add_operators();
    schema.set_operator_(v1::OPERATOR_REDUCE_L1);
    schema.set_name("ReduceL1");
    schema.set_family(v1::FAMILY_ONNX);
    schema.set_since_version(18);
    schema.add_data_types(v1::DATA_TYPE_FLOAT32);
    schema.add_data_types(v1::DATA_TYPE_INT32);
    v1::Attribute& attribute = *schema.add_attributes();
    attribute.set_name("keep_dims");
    attribute.set_default_value("true");
    server_.operators.set_newest_onnx_opset(28);
    server_.operators.set_newest_openvino_opset(16);
  }

  FakeServer server_;
};

TEST_F(CommandOperators, PrintsAnAlignedTable) {
  EXPECT_EQ(
      RunCommand({"operators", "--server", server_.address().c_str()}).out,
      "operator  family  since  types          attributes\n"
      "ReduceL1  ONNX    18     float32 int32  keep_dims=true\n"
      "\n"
      "ONNX opset 1 to 28, the default; OpenVINO opset 1 to 16.\n");
}

TEST_F(CommandOperators, PrintsMarkdown) {
  EXPECT_EQ(RunCommand({"operators", "--markdown", "--server",
                        server_.address().c_str()})
                .out,
            "| operator | family | since | types | attributes |\n"
            "| --- | --- | --- | --- | --- |\n"
            "| ReduceL1 | ONNX | 18 | float32 int32 | keep_dims=true |\n"
            "\n"
            "ONNX opset 1 to 28, the default; OpenVINO opset 1 to 16.\n");
}

TEST_F(CommandOperators, ShowsTheNumbersThatItHasNoNamesFor) {
  v1::OperatorSchema& schema = *server_.operators.mutable_operators(0);
  schema.set_family(static_cast<v1::Family>(9));
  schema.set_data_types(1, static_cast<v1::DataType>(99));
  EXPECT_EQ(
      RunCommand({"operators", "--server", server_.address().c_str()}).out,
      "operator  family    since  types            attributes\n"
      "ReduceL1  family 9  18     float32 type 99  keep_dims=true\n"
      "\n"
      "ONNX opset 1 to 28, the default; OpenVINO opset 1 to 16.\n");
}

}  // namespace
}  // namespace reductor
