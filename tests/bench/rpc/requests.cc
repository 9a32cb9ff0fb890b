#include "tests/bench/rpc/requests.h"

#include "google/protobuf/repeated_field.h"
#include "grpcpp/support/slice.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor::bench {
namespace {

// Small numbers of both signs; no sum of them overflows.
std::string Elements(int64_t bytes) {
  std::string data(bytes, '\0');
  const int64_t count = bytes / static_cast<int64_t>(sizeof(float));
  auto* const elements = reinterpret_cast<float*>(data.data());
  for (int64_t i = 0; i < count; ++i) {
    elements[i] = static_cast<float>(i % 1000) - 300.0f;
  }
  return data;
}

void SetReductions(google::protobuf::RepeatedPtrField<v1::Reduction>* list) {
  v1::Reduction* const reduction = list->Add();
  reduction->set_operator_(v1::OPERATOR_REDUCE_L1);
  reduction->set_keep_dims(false);
}

}  // namespace

std::string ReduceRequestBytes(int64_t tensor_bytes) {
  v1::ReduceRequest request;
  SetReductions(request.mutable_reductions());
  v1::Tensor* const tensor = request.mutable_tensor();
  tensor->set_data_type(v1::DATA_TYPE_FLOAT32);
  tensor->add_shape(tensor_bytes / sizeof(float));
  *tensor->mutable_data() = Elements(tensor_bytes);
  return request.SerializeAsString();
}

std::string StreamHeaderBytes(int64_t tensor_bytes) {
  v1::ReduceStreamRequest request;
  v1::ReduceStreamHeader* const header = request.mutable_header();
  SetReductions(header->mutable_reductions());
  header->set_data_type(v1::DATA_TYPE_FLOAT32);
  header->add_shape(tensor_bytes / sizeof(float));
  return request.SerializeAsString();
}

std::string StreamPieceBytes(int64_t piece_bytes) {
  v1::ReduceStreamRequest request;
  *request.mutable_data() = Elements(piece_bytes);
  return request.SerializeAsString();
}

grpc::ByteBuffer Refer(const std::string& bytes) {
  const grpc::Slice slice(bytes.data(), bytes.size(),
                          grpc::Slice::STATIC_SLICE);
  return grpc::ByteBuffer(&slice, 1);
}

}  // namespace reductor::bench
