// What the service answers to good requests, over a real port.
#include "service/reduction_service.h"

#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/service/error_of.h"
#include "tests/service/open_call.h"
#include "tests/service/running_server.h"
#include "tests/service/wire_bytes.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;

template <class T>
std::vector<T> ElementsOf(const v1::Tensor& tensor) {
  std::vector<T> elements(tensor.data().size() / sizeof(T));
  std::memcpy(elements.data(), tensor.data().data(), tensor.data().size());
  return elements;
}

v1::ReduceResponse Answer(const v1::ReduceRequest& request) {
  RunningServer server;
  v1::ReduceResponse response;
  const grpc::Status status = server.Reduce(request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response;
}

TEST(Reduce, AnswersTypeShapeAndData) {
  const v1::ReduceResponse response = Answer(SmallRequest());
  ASSERT_EQ(response.results_size(), 1);
  EXPECT_EQ(response.results(0).data_type(), v1::DATA_TYPE_FLOAT32);
  EXPECT_THAT(response.results(0).shape(), ElementsAre(2, 1));
  EXPECT_THAT(ElementsOf<float>(response.results(0)), ElementsAre(6, 15));
}

TEST(Reduce, AnswersEachReductionByItsOwnRulesInOrder) {
  v1::ReduceRequest request = SmallRequest();
  v1::Reduction* const product = request.add_reductions();
  product->set_operator_(v1::OPERATOR_REDUCE_PROD);
  product->set_onnx_opset(11);
  product->add_axes(-2);
  product->set_keep_dims(false);
  v1::Reduction* const openvino = request.add_reductions();
  openvino->set_operator_(v1::OPERATOR_REDUCE_L1);
  openvino->set_openvino_opset(4);
  openvino->add_axes(0);
  openvino->add_axes(1);

  const v1::ReduceResponse response = Answer(request);

  ASSERT_EQ(response.results_size(), 3);
  EXPECT_THAT(ElementsOf<float>(response.results(0)), ElementsAre(6, 15));
  EXPECT_THAT(response.results(1).shape(), ElementsAre(3));
  EXPECT_THAT(ElementsOf<float>(response.results(1)), ElementsAre(4, -10, -18));
  EXPECT_THAT(response.results(2).shape(), ElementsAre());
  EXPECT_THAT(ElementsOf<float>(response.results(2)), ElementsAre(21));
}

TEST(Reduce, AnswersTheTensorItselfForOpenvinoWithoutAxes) {
  v1::ReduceRequest request = SmallRequest();
  request.mutable_reductions(0)->clear_axes();
  request.mutable_reductions(0)->set_openvino_opset(16);
  const v1::ReduceResponse response = Answer(request);
  EXPECT_EQ(response.results(0).SerializeAsString(),
            request.tensor().SerializeAsString());
}

TEST(Reduce, AnswersATensorOfManySlices) {
  v1::ReduceRequest request;
  request.add_reductions()->set_operator_(v1::OPERATOR_REDUCE_L1);
  request.mutable_tensor()->set_data_type(v1::DATA_TYPE_INT32);
  request.mutable_tensor()->add_shape(1 << 20);
  const std::vector<int32_t> elements(1 << 20, -3);
  request.mutable_tensor()->set_data(elements.data(), 4 << 20);
  EXPECT_THAT(ElementsOf<int32_t>(Answer(request).results(0)),
              ElementsAre(3 << 20));
}

TEST(Reduce, AnswersALargeResult) {
  v1::ReduceRequest request;
  v1::Reduction* const reduction = request.add_reductions();
  reduction->set_operator_(v1::OPERATOR_REDUCE_L1);
  reduction->add_axes(0);
  request.mutable_tensor()->set_data_type(v1::DATA_TYPE_INT32);
  request.mutable_tensor()->add_shape(1);
  request.mutable_tensor()->add_shape(1 << 20);
  const std::vector<int32_t> elements(1 << 20, -3);
  request.mutable_tensor()->set_data(elements.data(), 4 << 20);
  const v1::ReduceResponse response = Answer(request);
  EXPECT_THAT(response.results(0).shape(), ElementsAre(1, 1 << 20));
  EXPECT_TRUE(ElementsOf<int32_t>(response.results(0)) ==
              std::vector<int32_t>(1 << 20, 3));
}

TEST(Reduce, TakesTheFieldsOfAMessageInAnyOrder) {
  RunningServer server;
  const v1::ReduceRequest request = SmallRequest();
  v1::ReduceRequest tensor_alone;
  *tensor_alone.mutable_tensor() = request.tensor();
  v1::ReduceRequest reductions_alone;
  *reductions_alone.mutable_reductions() = request.reductions();
  EXPECT_TRUE(
      server
          .Send(kReduce, ToByteBuffer(tensor_alone.SerializeAsString() +
                                      reductions_alone.SerializeAsString()))
          .ok());
}

TEST(Reduce, EchoesTheRequestId) {
  RunningServer server;
  for (const bool good : {true, false}) {
    grpc::ClientContext context;
    context.AddMetadata("x-request-id", "id 7");
    v1::ReduceResponse response;
    const auto request = good ? SmallRequest() : v1::ReduceRequest();
    EXPECT_EQ(server.stub().Reduce(&context, request, &response).ok(), good);
    const auto& trailers = context.GetServerTrailingMetadata();
    const auto id = trailers.find("x-request-id");
    ASSERT_NE(id, trailers.end());
    EXPECT_EQ(id->second, "id 7");
  }
}

TEST(ListOperators, AnswersTheTable) {
  RunningServer server;
  grpc::ClientContext context;
  v1::ListOperatorsResponse response;
  ASSERT_TRUE(server.stub().ListOperators(&context, {}, &response).ok());
  EXPECT_EQ(response.newest_onnx_opset(), 28);
  EXPECT_EQ(static_cast<size_t>(response.operators_size()), Schemas().size());
}

TEST(ReductionService, HasNoOtherMethods) {
  RunningServer server;
  const Error error = ErrorOf(
      server.Send("/reductor.v1.ReductionService/Explode", ToByteBuffer("x")));
  EXPECT_EQ(error.code, grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(error.text, "unknown method");
}

}  // namespace
}  // namespace reductor
