#include "artel/command/job_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace artel::command {
namespace {

RC_GTEST_PROP(JobSet, IsASet, (const std::vector<std::pair<bool, std::uint8_t>>& steps)) {
  JobSet jobs;
  std::set<std::uint64_t> expected;
  for (const auto& [add, job] : steps) {
    if (add) {
      jobs.add(job % 32);
      expected.insert(job % 32);
    } else {
      jobs.remove(job % 32);
      expected.erase(job % 32);
    }
  }
  RC_ASSERT(jobs.size() == expected.size());
  for (std::uint64_t job = 0; job < 32; ++job) {
    RC_ASSERT(jobs.contains(job) == expected.contains(job));
  }
}

}  // namespace
}  // namespace artel::command
