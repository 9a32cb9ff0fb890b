#include "service/header_blocks.h"

#include <algorithm>

#include "absl/strings/string_view.h"

namespace reductor {
namespace {

constexpr absl::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// RFC 9113, section 6.
constexpr uint8_t kHeaders = 1;
constexpr uint8_t kContinuation = 9;

}  // namespace

void HeaderBlocks::Follow(absl::Span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    switch (stage_) {
      case Stage::kPreface:
        TakePreface(&bytes);
        break;
      case Stage::kFrames:
        if (payload_left_ > 0) {
          TakePayload(&bytes);
        } else {
          TakeFrameHeader(&bytes);
        }
        break;
      case Stage::kRefused:
      case Stage::kNotHttp2:
        return;
    }
  }
}

void HeaderBlocks::TakePreface(absl::Span<const uint8_t>* bytes) {
  if (static_cast<char>(bytes->front()) != kPreface[known_bytes_]) {
    stage_ = Stage::kNotHttp2;
    return;
  }
  bytes->remove_prefix(1);
  ++known_bytes_;
  if (known_bytes_ < kPreface.size()) return;
  stage_ = Stage::kFrames;
  known_bytes_ = 0;
}

void HeaderBlocks::TakeFrameHeader(absl::Span<const uint8_t>* bytes) {
  const size_t taken =
      std::min<size_t>(bytes->size(), kFrameHeaderBytes - known_bytes_);
  std::copy_n(bytes->data(), taken, frame_header_ + known_bytes_);
  bytes->remove_prefix(taken);
  known_bytes_ += taken;
  if (known_bytes_ < kFrameHeaderBytes) return;
  known_bytes_ = 0;
  StartFrame();
}

void HeaderBlocks::StartFrame() {
  payload_left_ =
      frame_header_[0] << 16 | frame_header_[1] << 8 | frame_header_[2];
  const uint8_t type = frame_header_[3];
  in_block_ = type == kHeaders || type == kContinuation;
  if (!in_block_) return;
  // No need of END_HEADERS: gRPC allows a continuation nowhere but in a block,
  // and nothing else there.
  if (type == kHeaders) block_bytes_ = 0;
  // With their own headers, so that empty frames do not come for nothing: gRPC
  // parses anew for these too.
  block_bytes_ += kFrameHeaderBytes + payload_left_;
  if (block_bytes_ > kMostBlockBytes) stage_ = Stage::kRefused;
  if (payload_left_ == 0) CountPiece(kFrameHeaderBytes);
}

void HeaderBlocks::TakePayload(absl::Span<const uint8_t>* bytes) {
  const size_t taken = std::min<size_t>(bytes->size(), payload_left_);
  bytes->remove_prefix(taken);
  payload_left_ -= taken;
  if (in_block_) CountPiece(taken);
}

void HeaderBlocks::CountPiece(int64_t bytes) {
  parsed_bytes_ += block_bytes_ - payload_left_ - kParsedPerByte * bytes;
  parsed_bytes_ = std::max<int64_t>(parsed_bytes_, 0);
  if (parsed_bytes_ > kMostParsedBytes) stage_ = Stage::kRefused;
}

}  // namespace reductor
