// The addresses that the server may be told to listen on: "host:port", where
// port 0 means any free one, and "unix:path".
#ifndef REDUCTOR_SERVICE_LISTEN_ADDRESS_H_
#define REDUCTOR_SERVICE_LISTEN_ADDRESS_H_

#include <string>

#include "absl/status/status.h"

namespace reductor {

// INVALID_ARGUMENT for what is neither form. gRPC would take more: names of
// ports and schemes, and ports modulo 65536.
absl::Status CheckListenAddress(const std::string& address);

// Whether it is "unix:path". REQUIRES: CheckListenAddress(address).ok().
bool IsUnixAddress(const std::string& address);

// Whether a server answers on this "unix:" address. gRPC would take the socket
// away from it; one that nobody serves any more may be taken.
bool IsServedUnixAddress(const std::string& address);

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_LISTEN_ADDRESS_H_
