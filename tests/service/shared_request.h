// A request of any size that costs the client one MiB, whoever sends it.
#ifndef REDUCTOR_TESTS_SERVICE_SHARED_REQUEST_H_
#define REDUCTOR_TESTS_SERVICE_SHARED_REQUEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "grpcpp/support/byte_buffer.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {

// ReduceL1 over all of `mebibytes` MiB of uint32, each -1 modulo 256 in every
// byte; the bytes of a v1::ReduceRequest.
inline grpc::ByteBuffer SharedRequest(int64_t mebibytes) {
  constexpr int64_t kMebibyte = 1 << 20;
  v1::ReduceRequest request;
  request.add_reductions()->set_operator_(v1::OPERATOR_REDUCE_L1);
  v1::Tensor* const tensor = request.mutable_tensor();
  tensor->set_data_type(v1::DATA_TYPE_UINT32);
  tensor->add_shape(mebibytes * kMebibyte / 4);
  const std::string small = request.SerializeAsString();
  // The tensor's data are its last field; a second part of it merges in.
  std::string data_length = "\x7a";
  std::string part_length = "\x7a";
  const auto append_varint = [](uint64_t value, std::string* out) {
    for (; value >= 128; value >>= 7) *out += static_cast<char>(value | 128);
    *out += static_cast<char>(value);
  };
  const auto data_bytes = static_cast<uint64_t>(mebibytes * kMebibyte);
  append_varint(data_bytes, &data_length);
  append_varint(data_length.size() + data_bytes, &part_length);
  std::vector<grpc::Slice> slices = {
      grpc::Slice(small + part_length + data_length)};
  const grpc::Slice ones(std::string(kMebibyte, '\1'));
  slices.insert(slices.end(), static_cast<size_t>(mebibytes), ones);
  return grpc::ByteBuffer(slices.data(), slices.size());
}

// The answer: a sum modulo 2^32.
inline uint32_t SharedAnswer(int64_t mebibytes) {
  return static_cast<uint32_t>(mebibytes * (1 << 18) * 0x01010101);
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_SHARED_REQUEST_H_
