// The limits of control groups, read from trees of files like the kernel's.
#include "service/process.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

using ::testing::DoubleEq;
using ::testing::Optional;

// A root directory of its own for each test.
class CgroupTree : public testing::Test {
 protected:
  CgroupTree()
      : root_(testing::TempDir() + "/cgroup." +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(root_);
  }
  ~CgroupTree() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  CgroupLimits Read() const { return ReadCgroupLimits(root_); }

 private:
  const std::string root_;
};

TEST_F(CgroupTree, HasNoLimitsWithoutFiles) {
  EXPECT_EQ(Read().cpus, std::nullopt);
  EXPECT_EQ(Read().memory_bytes, std::nullopt);
}

TEST_F(CgroupTree, ReadsVersion2) {
  Write("/proc/self/cgroup", "0::/app\n");
  Write("/sys/fs/cgroup/app/cpu.max", "150000 100000\n");
  Write("/sys/fs/cgroup/app/memory.max", "1073741824\n");
  EXPECT_THAT(Read().cpus, Optional(DoubleEq(1.5)));
  EXPECT_THAT(Read().memory_bytes, Optional(1073741824));
}

TEST_F(CgroupTree, TakesMaxForNoLimit) {
  Write("/proc/self/cgroup", "0::/app\n");
  Write("/sys/fs/cgroup/app/cpu.max", "max 100000\n");
  Write("/sys/fs/cgroup/app/memory.max", "max\n");
  EXPECT_EQ(Read().cpus, std::nullopt);
  EXPECT_EQ(Read().memory_bytes, std::nullopt);
}

TEST_F(CgroupTree, TakesTheLeastLimitOnTheWayUp) {
  Write("/proc/self/cgroup", "0::/pod/app\n");
  Write("/sys/fs/cgroup/pod/app/memory.max", "3000\n");
  Write("/sys/fs/cgroup/pod/memory.max", "2000\n");
  Write("/sys/fs/cgroup/memory.max", "4000\n");
  EXPECT_THAT(Read().memory_bytes, Optional(2000));
}

TEST_F(CgroupTree, ReadsTheMountWhereTheGroupIsTheHosts) {
  Write("/proc/self/cgroup", "0::/docker/0123\n");
  Write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_THAT(Read().cpus, Optional(DoubleEq(2)));
}

TEST_F(CgroupTree, ReadsVersion1) {
  Write("/proc/self/cgroup", "5:cpuacct,cpu:/app\n4:memory:/app\n0::/\n");
  Write("/sys/fs/cgroup/cpu/app/cpu.cfs_quota_us", "50000\n");
  Write("/sys/fs/cgroup/cpu/app/cpu.cfs_period_us", "100000\n");
  Write("/sys/fs/cgroup/memory/app/memory.limit_in_bytes", "500\n");
  EXPECT_THAT(Read().cpus, Optional(DoubleEq(0.5)));
  EXPECT_THAT(Read().memory_bytes, Optional(500));
}

TEST_F(CgroupTree, TakesMinusOneForNoQuotaInVersion1) {
  Write("/proc/self/cgroup", "5:cpu:/\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Read().cpus, std::nullopt);
}

TEST_F(CgroupTree, SkipsWhatItCannotRead) {
  Write("/proc/self/cgroup", "garbage\n0::relative\n::\n");
  Write("/sys/fs/cgroup/cpu.max", "");
  EXPECT_EQ(Read().cpus, std::nullopt);
}

TEST(Process, HasAtLeastOneCpuAndSomeMemory) {
  EXPECT_GE(AvailableCpus(), 1);
  EXPECT_GT(AvailableMemory(), 0);
}

}  // namespace
}  // namespace reductor
