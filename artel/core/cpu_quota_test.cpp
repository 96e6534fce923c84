#include "artel/core/cpu_quota.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace artel {
namespace {

namespace fs = std::filesystem;

class CpuQuotaTest : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path root_ = fs::path(::testing::TempDir()) / fmt::format("artel_cpu_quota_{}", ::getpid());
};

TEST_F(CpuQuotaTest, ReadsCgroupV2) {
  write("proc/self/cgroup", "0::/box/inner\n");
  write("sys/fs/cgroup/box/inner/cpu.max", "150000 100000\n");
  EXPECT_EQ(read_cpu_quota(root_).cgroup, 1.5);
}

TEST_F(CpuQuotaTest, TightestAncestorCounts) {
  write("proc/self/cgroup", "0::/box/inner\n");
  write("sys/fs/cgroup/box/inner/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/box/cpu.max", "50000 100000\n");
  EXPECT_EQ(read_cpu_quota(root_).cgroup, 0.5);
  EXPECT_EQ(read_cpu_quota(root_).usable(), 1U);
}

TEST_F(CpuQuotaTest, TightestOfTwoLimitsCountsWhereverItIs) {
  write("proc/self/cgroup", "0::/box/inner\n");
  write("sys/fs/cgroup/box/inner/cpu.max", "50000 100000\n");
  write("sys/fs/cgroup/box/cpu.max", "300000 100000\n");
  EXPECT_EQ(read_cpu_quota(root_).cgroup, 0.5);
  write("sys/fs/cgroup/box/inner/cpu.max", "400000 100000\n");
  EXPECT_EQ(read_cpu_quota(root_).cgroup, 3.0);
}

TEST_F(CpuQuotaTest, ReadsCgroupV1) {
  write("proc/self/cgroup", "3:memory:/m\n2:cpu,cpuacct:/box\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "300000\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read_cpu_quota(root_).cgroup, 3.0);
}

TEST_F(CpuQuotaTest, CgroupV1WithoutLimitDoesNotLimit) {
  write("proc/self/cgroup", "2:cpu:/box\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read_cpu_quota(root_).cgroup, std::nullopt);
}

TEST_F(CpuQuotaTest, UnreadableSystemMeansNoLimit) {
  const auto quota = read_cpu_quota(root_ / "nowhere");
  EXPECT_EQ(quota.cgroup, std::nullopt);
  EXPECT_EQ(quota.usable(), quota.affinity);
}

TEST(CpuQuota, QuotaRoundsUpAndNeverExceedsAffinity) {
  EXPECT_EQ((CpuQuota{.affinity = 8, .cgroup = 2.1}).usable(), 3U);
  EXPECT_EQ((CpuQuota{.affinity = 2, .cgroup = 16.0}).usable(), 2U);
  EXPECT_EQ((CpuQuota{.affinity = 8, .cgroup = 0.01}).usable(), 1U);
}

TEST(CpuQuota, FollowsTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  if (!CPU_ISSET(0, &before) || sched_setaffinity(0, sizeof one, &one) != 0) GTEST_SKIP();
  EXPECT_EQ(usable_cpus(), 1U);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace artel
