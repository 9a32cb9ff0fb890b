// gRPC server reflection: what tools like grpcurl ask for the protos.
#ifndef REDUCTOR_SERVICE_REFLECTION_H_
#define REDUCTOR_SERVICE_REFLECTION_H_

#include <string>
#include <vector>

#include "grpc/reflection/v1/reflection.pb.h"
#include "service/calls.h"
#include "service/methods.h"
#include "service/short_call.h"
#include "service/turns.h"

namespace reductor {

// Tells of every proto that is linked in.
class Reflection {
 public:
  // `services` are listed, by their full names. `turns`
  // outlives it.
  Reflection(std::vector<std::string> services, Turns* turns);

  // Answers both versions of the protocol. Outlives the methods.
  void Register(Methods* methods);

  grpc::reflection::v1::ServerReflectionResponse Answer(
      const grpc::reflection::v1::ServerReflectionRequest& request) const;

 private:
  const std::vector<std::string> services_;
  Turns* const turns_;
  Calls calls_;  // No drain waits for them.
  const ShortMethod method_;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_REFLECTION_H_
