#include "artel/cluster/protocol/detail/server_link.hpp"

#include <gtest/gtest.h>

#include "artel/cluster/protocol/master_event.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;

constexpr Instant kThen = Instant{} + 1h;
const MasterDisconnected no_server{{ErrorCode::closed, "no server", ""}};
const TroubleCame no_room{{ErrorCode::full, "no room", ""}};

TEST(ServerLink, IsGoneFromTheFirstLoss) {
  ServerLink link;
  EXPECT_EQ(link.gone(), nullptr);
  link.lost(no_server, kThen);
  link.lost(no_server, kThen + 2s);
  ASSERT_NE(link.gone(), nullptr);
  EXPECT_EQ(link.gone_since(), kThen);
  EXPECT_EQ(link.back(kThen + 5s), 5s);
  EXPECT_EQ(link.gone(), nullptr);
  EXPECT_EQ(link.back(kThen + 6s), 0s);
}

TEST(ServerLink, TimeInWhichTheProcessDidNotRunIsNotWithoutAConnection) {
  ServerLink link;
  link.lost(no_server, kThen);
  link.did_not_run(3s, kThen + 4s);
  EXPECT_EQ(link.back(kThen + 5s), 2s);
  link.lost(no_server, kThen + 6s);
  link.did_not_run(3s, kThen + 7s);  // part of that was before the loss
  EXPECT_EQ(link.gone_since(), kThen + 7s);
}

TEST(ServerLink, TroubleOfOneKindIsToldOnceAMinute) {
  ServerLink link;
  EXPECT_TRUE(link.trouble_came(no_room, kThen));
  EXPECT_FALSE(link.trouble_came(no_room, kThen + 59s));
  EXPECT_TRUE(link.trouble_came(no_room, kThen + 60s));
  EXPECT_TRUE(link.trouble_came({{ErrorCode::io, "not permitted", ""}}, kThen + 61s));
}

TEST(ServerLink, AddsTheTroubleSinceThen) {
  ServerLink link;
  EXPECT_EQ(link.with_trouble("no worker", kThen), "no worker");
  link.trouble_came(no_room, kThen);
  EXPECT_EQ(link.with_trouble("no worker", kThen), "no worker: no room");
  EXPECT_EQ(link.with_trouble("no worker", kThen + 1s), "no worker");
}

}  // namespace
}  // namespace artel::cluster::detail
