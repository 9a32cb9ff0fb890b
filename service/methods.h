// The methods of a server.
#ifndef REDUCTOR_SERVICE_METHODS_H_
#define REDUCTOR_SERVICE_METHODS_H_

#include <functional>
#include <map>
#include <string>

#include "service/async_call.h"

namespace reductor {

// By path, "/package.Service/Method": what gives a call of it its reactor.
//
// All are served through gRPC's generic service, because only so the server
// decides when a message is read. gRPC's own services, those of health and
// reflection among them, have their messages buffered and parsed first: 64
// clients that sent reflection 60 MiB each took 10 GiB.
using Methods = std::map<std::string, std::function<AsyncReactor*(AsyncCall*)>>;

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_METHODS_H_
