#include "artel/cluster/protocol/detail/own_queues.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/detail/roster.hpp"
#include "artel/cluster/protocol/detail/worker_queues.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/least_loaded.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;

class OwnQueuesTest : public ::testing::Test {
 protected:
  void there(bool draining, std::vector<LeasedChunk> held = {}) {
    WorkerReport report;
    report.worker = "w";
    report.threads = 1;
    report.draining = draining;
    report.held = std::move(held);
    roster_.heard(std::move(report), now_);
  }
  template <class Action>
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        actions_, [](const MasterAction& one) { return std::holds_alternative<Action>(one); }));
  }
  void tend() {
    actions_.clear();
    own_.tend(
        3s,
        [this](const ChunkAddress& chunk, bool working) {
          left_.push_back(chunk.job + (working ? " works" : " waits"));
        },
        now_);
  }

  Instant now_ = Instant{} + 1h;
  Roster roster_{false};
  MasterActions actions_;
  OwnQueues own_{WorkerQueues(dispatch::LeastLoaded{}, 2, 1), roster_, actions_};
  std::vector<std::string> left_;
};

TEST_F(OwnQueuesTest, AWorkerThatComesGetsAQueueOnce) {
  there(false);
  tend();
  EXPECT_EQ(count<MakeOwnQueue>(), 1);
  tend();  // it is being made
  EXPECT_EQ(count<MakeOwnQueue>(), 0);
  EXPECT_FALSE(own_.made({"w", false}, now_));
  tend();
  EXPECT_EQ(count<MakeOwnQueue>(), 1);
  EXPECT_TRUE(own_.made({"w", true}, now_));
  tend();
  EXPECT_EQ(count<MakeOwnQueue>(), 0);
}

TEST_F(OwnQueuesTest, WhatIsInTheQueueOfAWorkerThatDrainsGoesElsewhere) {
  there(false);
  tend();
  ASSERT_TRUE(own_.made({"w", true}, now_));
  ASSERT_TRUE(own_.places().place({"a", 0}, 0s, now_));
  ASSERT_TRUE(own_.places().place({"b", 0}, 0s, now_));
  own_.beacon_stored({"w", 7});
  there(true, {{.job = "a", .index = 0, .running = 1s}});
  tend();
  EXPECT_EQ(left_, (std::vector<std::string>{"a works", "b waits"}));
  EXPECT_EQ(count<EraseMessage>(), 1);
  EXPECT_EQ(count<DropOwnQueue>(), 1);
  EXPECT_FALSE(own_.places().has("w"));
}

TEST_F(OwnQueuesTest, TheServerKeepsTheLastBeaconAlone) {
  own_.beacon_stored({"stranger", 1});
  EXPECT_EQ(count<EraseMessage>(), 1);
  there(false);
  tend();
  ASSERT_TRUE(own_.made({"w", true}, now_));
  own_.beacon_stored({"w", 2});
  EXPECT_EQ(count<EraseMessage>(), 0);
  own_.beacon_stored({"w", 3});
  ASSERT_EQ(count<EraseMessage>(), 1);
  EXPECT_EQ(std::get<EraseMessage>(actions_.back()).number, 2);
}

TEST_F(OwnQueuesTest, WhatMayBeLostIsMadeAgain) {
  there(false);
  tend();
  ASSERT_TRUE(own_.made({"w", true}, now_));
  own_.doubt();
  tend();
  EXPECT_EQ(count<MakeOwnQueue>(), 1);
  EXPECT_EQ(count<DropOwnQueue>(), 0);
}

}  // namespace
}  // namespace artel::cluster::detail
