// The words for the wire's numbers, a newer server's unknown ones included.
#ifndef REDUCTOR_CLIENT_WIRE_NAMES_H_
#define REDUCTOR_CLIENT_WIRE_NAMES_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "core/dtype.h"
#include "reductor/v1/reductor.pb.h"

namespace reductor {

// "float32"; "type 99" for a number that this client does not know.
inline std::string NameOfDataType(int data_type) {
  const DType dtype = static_cast<DType>(data_type);
  if (IsKnown(dtype)) return std::string(NameOf(dtype));
  return absl::StrCat("type ", data_type);
}

// "ONNX", "OpenVINO"; "family 99" for a number that this client does not know.
inline std::string NameOfFamily(int family) {
  if (family == v1::FAMILY_ONNX) return "ONNX";
  if (family == v1::FAMILY_OPENVINO) return "OpenVINO";
  return absl::StrCat("family ", family);
}

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_WIRE_NAMES_H_
