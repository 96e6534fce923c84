#include "artel/cluster/detail/new_worker_id.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>

namespace artel::cluster::detail {
namespace {

TEST(NewWorkerId, IsNoOtherWorkersInThisProcess) {
  constexpr std::size_t kWorkers = 10'000;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < kWorkers; ++i) ids.insert(new_worker_id());
  EXPECT_EQ(ids.size(), kWorkers);
}

}  // namespace
}  // namespace artel::cluster::detail
