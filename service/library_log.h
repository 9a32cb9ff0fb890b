// What gRPC and protobuf say, which they would write to stderr themselves.
#ifndef REDUCTOR_SERVICE_LIBRARY_LOG_H_
#define REDUCTOR_SERVICE_LIBRARY_LOG_H_

#include <string>

namespace reductor {

// From now on their messages are lines of this log, but short and few, as they
// quote strangers: 256 bytes of each, of gRPC's one a second, of protobuf's at
// debug alone. What they say before they abort is written at once.
void LogLibraryMessages();

// While it lives gRPC's messages are kept rather than logged, for one line that
// tells what came of them. One at a time; then LogLibraryMessages().
class KeptMessages {
 public:
  KeptMessages();
  KeptMessages(const KeptMessages&) = delete;
  KeptMessages& operator=(const KeptMessages&) = delete;
  ~KeptMessages();

  // What the last error came from, without its way through gRPC: "address
  // already in use". Empty if there was none.
  std::string LastCause() const;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_LIBRARY_LOG_H_
