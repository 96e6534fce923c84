#include "artel/sync/idle_set.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"

namespace artel::sync {
namespace {

TEST(IdleSet, ServesMoreThan64Workers) {
  IdleSet idle(200);
  EXPECT_FALSE(idle.any());
  for (const std::uint32_t i : {199U, 64U, 130U}) idle.insert(WorkerId{i});
  EXPECT_EQ(idle.count_approx(), 3U);
  EXPECT_TRUE(idle.contains(WorkerId{130}));
  EXPECT_TRUE(idle.claim(WorkerId{130}));
  EXPECT_FALSE(idle.claim(WorkerId{130}));
  EXPECT_EQ(idle.claim_any(), WorkerId{64});
  EXPECT_EQ(idle.claim_any(), WorkerId{199});
  EXPECT_EQ(idle.claim_any(), std::nullopt);
}

}  // namespace
}  // namespace artel::sync
