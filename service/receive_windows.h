// How far clients may send ahead of what is read.
#ifndef REDUCTOR_SERVICE_RECEIVE_WINDOWS_H_
#define REDUCTOR_SERVICE_RECEIVE_WINDOWS_H_

namespace reductor {

// Gives every HTTP/2 stream of this process 4 MiB of receive window, beside
// what the message takes that is being read. REQUIRES: gRPC has no connection.
//
// By itself gRPC goes by what arrives while a ping comes back, and knows no
// bound: of a dozen streams of 2 GiB, most took 32 to 38 MiB of memory at their
// peak, one took 74; so limited, 31 to 36, at the same speed. Without the ping
// (grpc.http2.bdp_probe=0) a connection's window stays at 64 KiB, and eight
// calls of 64 KiB at a time take 2.3 times the CPU.
void LimitReceiveWindows();

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_RECEIVE_WINDOWS_H_
