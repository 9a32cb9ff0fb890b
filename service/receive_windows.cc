// gRPC has no setting for it, but a place where its own tests say what the next
// window is to be. That is no part of its interface: another version may well
// need another way.
#include "service/receive_windows.h"

#include "grpcpp/version_info.h"

static_assert(GRPC_CPP_VERSION_MAJOR == 1 && GRPC_CPP_VERSION_MINOR == 51,
              "see whether src/core/ext/transport/chttp2/transport/"
              "flow_control.h of this version still says the same");

namespace grpc_core::chttp2 {

// As in flow_control.h, which is not installed.
class TestOnlyTransportTargetWindowEstimatesMocker {
 public:
  virtual ~TestOnlyTransportTargetWindowEstimatesMocker() = default;
  virtual double ComputeNextTargetInitialWindowSizeFromPeriodicUpdate(
      double current_target) = 0;
};

extern TestOnlyTransportTargetWindowEstimatesMocker*
    g_test_only_transport_target_window_estimates_mocker;

}  // namespace grpc_core::chttp2

namespace reductor {
namespace {

// What gRPC itself gives a new connection while there is memory.
constexpr double kWindowBytes = 4 << 20;

class SameWindow final
    : public grpc_core::chttp2::TestOnlyTransportTargetWindowEstimatesMocker {
  double ComputeNextTargetInitialWindowSizeFromPeriodicUpdate(double) override {
    return kWindowBytes;
  }
};

}  // namespace

void LimitReceiveWindows() {
  static SameWindow same_window;
  grpc_core::chttp2::g_test_only_transport_target_window_estimates_mocker =
      &same_window;
}

}  // namespace reductor
