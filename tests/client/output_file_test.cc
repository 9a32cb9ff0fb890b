#include "client/output_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace reductor {
namespace {

namespace fs = std::filesystem;

// A folder of the test's own, with an old file in it.
class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() {
    fs::create_directory(folder_);
    std::ofstream(path_) << "old";
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  std::string Content() {
    std::string text;
    std::ifstream(path_) >> text;
    return text;
  }

  size_t FileCount() {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      count += entry.exists() ? 1 : 0;
    }
    return count;
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / "output_file_test";
  const fs::path path_ = folder_ / "out";
};

TEST_F(OutputFileTest, ReplacesAFileOnceItIsComplete) {
  OutputFile file(path_.string());
  file.stream() << "new" << std::flush;
  EXPECT_EQ(Content(), "old");
  EXPECT_EQ(file.Commit(), absl::OkStatus());
  EXPECT_EQ(Content(), "new");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFileTest, LeavesNothingOfWhatWasNotComplete) {
  {
    OutputFile file(path_.string());
    file.stream() << "new";
  }
  EXPECT_EQ(Content(), "old");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFileTest, CreatesAFile) {
  fs::remove(path_);
  OutputFile file(path_.string());
  file.stream() << "new";
  EXPECT_EQ(file.Commit(), absl::OkStatus());
  EXPECT_EQ(Content(), "new");
}

TEST_F(OutputFileTest, KeepsALinkAndThePermissions) {
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("out", folder_ / "link");
  OutputFile file((folder_ / "link").string());
  file.stream() << "new";
  EXPECT_EQ(file.Commit(), absl::OkStatus());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(Content(), "new");
  EXPECT_EQ(fs::status(path_).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFileTest, WritesADeviceAsItIs) {
  OutputFile file("/dev/null");
  file.stream() << "new";
  EXPECT_EQ(file.Commit(), absl::OkStatus());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, FailsInItsStreamWhereNoFileCanBe) {
  OutputFile file((path_ / "below").string());
  EXPECT_TRUE(file.stream().fail());
}

}  // namespace
}  // namespace reductor
