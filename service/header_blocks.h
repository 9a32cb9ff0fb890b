// Follows what a client sends over a connection, and tells when its headers are
// more than gRPC should be shown.
//
// In HTTP/2 a block of headers is a HEADERS frame and the CONTINUATION frames
// after it, up to the first with the flag END_HEADERS. gRPC 1.51 keeps what it
// has of a header until it has all of it, parses it anew with each piece that
// comes, and sets no limit to either.
#ifndef REDUCTOR_SERVICE_HEADER_BLOCKS_H_
#define REDUCTOR_SERVICE_HEADER_BLOCKS_H_

#include <cstdint>

#include "absl/types/span.h"

namespace reductor {

// gRPC's own limit, 8 KiB of metadata, is one of whole headers, and fails the
// call. Above this one the connection is closed, with the calls of others
// behind the same proxy: Envoy passes on up to 60 KiB unless it is told
// otherwise.
inline constexpr int64_t kMostBlockBytes = 64 << 10;

// What gRPC may parse anew, of all blocks of a connection, beyond
// kParsedPerByte for each byte that comes: 3 ms of CPU. Without these 3 MB of
// empty frames that continue a block of 7 KB took 12 s. The longest block
// leaves 1.1 MiB when it comes by the 1460 bytes of a packet, so that two such
// are too many; blocks of 8 KiB that come so leave nothing, by 536 bytes each a
// few KiB.
inline constexpr int64_t kMostParsedBytes = 2 << 20;
inline constexpr int64_t kParsedPerByte = 8;

// One thread at a time.
class HeaderBlocks {
 public:
  // Takes the next bytes of the connection, which gRPC is shown as one piece.
  // Time goes with how many frames they are, not with how long these are.
  void Follow(absl::Span<const uint8_t> bytes);

  // Whether a block is above a limit, by what has come: the first bytes of a
  // frame tell how long it will be. Once so, always so. Never so if the
  // connection did not begin as HTTP/2 does: gRPC closes such a one itself.
  bool is_refused() const { return stage_ == Stage::kRefused; }

 private:
  enum class Stage : uint8_t { kPreface, kFrames, kRefused, kNotHttp2 };
  static constexpr int kFrameHeaderBytes = 9;

  // Each takes bytes off the front.
  void TakePreface(absl::Span<const uint8_t>* bytes);
  void TakeFrameHeader(absl::Span<const uint8_t>* bytes);
  void TakePayload(absl::Span<const uint8_t>* bytes);

  void StartFrame();
  // The last `bytes` that came are a piece of a block.
  void CountPiece(int64_t bytes);

  Stage stage_ = Stage::kPreface;
  bool in_block_ = false;  // The frame is one of a block of headers.
  // Of the preface or of a frame's header, what has come so far.
  uint8_t known_bytes_ = 0;
  uint8_t frame_header_[kFrameHeaderBytes] = {};
  uint32_t payload_left_ = 0;
  int64_t block_bytes_ = 0;  // With all of this frame, and the frames' headers.
  int64_t parsed_bytes_ = 0;  // Beyond those that the bytes allow, so far.
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_HEADER_BLOCKS_H_
