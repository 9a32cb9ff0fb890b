#include "client/upload_progress.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"

namespace reductor {
namespace {

constexpr int kBarWidth = 20;

// "1.5 GiB", "512 MiB": two digits at least, so that it is seen to move.
std::string SizeText(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return absl::StrFormat("%.*f %s", bytes < 10 && unit > 0 ? 1 : 0, bytes,
                         units[unit]);
}

// "1:05", "2:00:00".
std::string TimeText(absl::Duration duration) {
  const int64_t seconds = absl::ToInt64Seconds(duration);
  const int64_t minutes = seconds / 60;
  if (minutes < 60) return absl::StrFormat("%d:%02d", minutes, seconds % 60);
  return absl::StrFormat("%d:%02d:%02d", minutes / 60, minutes % 60,
                         seconds % 60);
}

}  // namespace

std::string ProgressLine(int64_t done, int64_t total, absl::Duration elapsed) {
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const int filled = static_cast<int>(share * kBarWidth);
  std::string bar = std::string(filled, '=');
  if (filled < kBarWidth) bar += '>';
  bar.resize(kBarWidth, ' ');
  return absl::StrFormat(
      "[%s] %3d %%  %s of %s  %s/s  %s left", bar,
      static_cast<int>(share * 100), SizeText(static_cast<double>(done)),
      SizeText(static_cast<double>(total)),
      SizeText(static_cast<double>(done) / absl::ToDoubleSeconds(elapsed)),
      TimeText(elapsed * (1 / share - 1)));
}

void UploadProgress::Add(int64_t bytes, absl::Time now) {
  done_ += bytes;
  if (!streams_.is_err_terminal || now < next_) return;
  next_ = now + absl::Milliseconds(100);
  is_shown_ = true;
  streams_.err << '\r' << ProgressLine(done_, total_, now - start_) << "\x1b[K"
               << std::flush;
}

void UploadProgress::Close() {
  if (is_shown_) streams_.err << "\r\x1b[K" << std::flush;
}

}  // namespace reductor
