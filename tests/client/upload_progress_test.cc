#include "client/upload_progress.h"

#include <cstdint>
#include <sstream>

#include "gtest/gtest.h"

namespace reductor {
namespace {

constexpr int64_t kGibibyte = int64_t{1} << 30;

TEST(ProgressLine, ShowsShareSizesRateAndWhatIsLeft) {
  EXPECT_EQ(ProgressLine(kGibibyte, 4 * kGibibyte, absl::Seconds(2)),
            "[=====>              ]  25 %  1.0 GiB of 4.0 GiB  512 MiB/s  0:06 "
            "left");
}

TEST(ProgressLine, HasNoHeadAtTheEnd) {
  EXPECT_EQ(ProgressLine(10, 10, absl::Seconds(1)),
            "[====================] 100 %  10 B of 10 B  10 B/s  0:00 left");
}

TEST(ProgressLine, CountsHours) {
  EXPECT_EQ(
      ProgressLine(1, 7201, absl::Seconds(1)),
      "[>                   ]   0 %  1 B of 7.0 KiB  1 B/s  2:00:00 left");
}

class UploadProgressTest : public ::testing::Test {
 protected:
  // What a second and a half of an upload write.
  std::string Written(bool is_terminal) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    const Streams streams = {in, out, err, is_terminal};
    UploadProgress progress(streams, 20, start_);
    progress.Add(5, start_ + absl::Milliseconds(500));
    progress.Add(5, start_ + absl::Seconds(1));
    progress.Add(1, start_ + absl::Milliseconds(1099));
    progress.Add(4, start_ + absl::Milliseconds(1500));
    progress.Close();
    return err.str();
  }

  const absl::Time start_ = absl::UnixEpoch();
};

TEST_F(UploadProgressTest, RewritesItsLineFromTheFirstSecondOnAndRemovesIt) {
  EXPECT_EQ(Written(true),
            "\r[==========>         ]  50 %  10 B of 20 B  10 B/s  0:01 "
            "left\x1b[K"
            "\r[===============>    ]  75 %  15 B of 20 B  10 B/s  0:00 "
            "left\x1b[K"
            "\r\x1b[K");
}

TEST_F(UploadProgressTest, SaysNothingWhereNobodyLooks) {
  EXPECT_EQ(Written(false), "");
}

}  // namespace
}  // namespace reductor
