// The messages of grpc.health.v1 as bytes: its protos are not ours.
#ifndef REDUCTOR_TESTS_SERVICE_HEALTH_BYTES_H_
#define REDUCTOR_TESTS_SERVICE_HEALTH_BYTES_H_

namespace reductor {

inline constexpr char kHealthWatch[] = "/grpc.health.v1.Health/Watch";

// HealthCheckRequests.
inline constexpr char kReadiness[] = "\x0a\x09readiness";
inline constexpr char kLiveness[] = "\x0a\x08liveness";

// HealthCheckResponses.
inline constexpr char kServing[] = "\x08\x01";
inline constexpr char kNotServing[] = "\x08\x02";
inline constexpr char kServiceUnknown[] = "\x08\x03";

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_HEALTH_BYTES_H_
