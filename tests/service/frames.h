// HTTP/2 by hand: what a client sends that no library would.
#ifndef REDUCTOR_TESTS_SERVICE_FRAMES_H_
#define REDUCTOR_TESTS_SERVICE_FRAMES_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace reductor {

inline constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// RFC 9113, section 6.
inline constexpr char kData = 0;
inline constexpr char kHeaders = 1;
inline constexpr char kSettings = 4;
inline constexpr char kPing = 6;
inline constexpr char kContinuation = 9;
inline constexpr char kAck = 1;
inline constexpr char kEndHeaders = 4;

// What stands before `length` bytes of a frame.
inline std::string FrameHeader(char type, char flags, uint32_t length,
                               char stream = 1) {
  return {static_cast<char>(length >> 16),
          static_cast<char>(length >> 8),
          static_cast<char>(length),
          type,
          flags,
          0,
          0,
          0,
          stream};
}

inline std::string Frame(char type, char flags, const std::string& payload,
                         char stream = 1) {
  return absl::StrCat(FrameHeader(type, flags, payload.size(), stream),
                      payload);
}

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_FRAMES_H_
