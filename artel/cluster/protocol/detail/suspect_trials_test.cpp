#include "artel/cluster/protocol/detail/suspect_trials.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include "artel/cluster/protocol/detail/outstanding_chunks.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

using Suspicion = SuspectTrials::Suspicion;

class SuspectTrialsTest : public ::testing::Test {
 protected:
  SuspectTrialsTest() {
    for (std::uint64_t index = 0; index < 3; ++index) chunks_.issued(index, Instant{});
  }
  OutstandingChunks chunks_{{.patience = std::chrono::seconds(1)}};
  SuspectTrials trials_{3};
};

TEST_F(SuspectTrialsTest, ATrialWaitsUntilOnlySuspectsAreOut) {
  EXPECT_EQ(trials_.given_up(1, 0), Suspicion::suspect);
  EXPECT_FALSE(trials_.next(chunks_).to_try);
  EXPECT_FALSE(trials_.under_way());
  chunks_.arrived(0, Instant{});
  chunks_.arrived(2, Instant{});
  EXPECT_EQ(trials_.next(chunks_).to_try, 1);
  EXPECT_TRUE(trials_.under_way());
}

TEST_F(SuspectTrialsTest, IsGuiltyOfACopyThatHadTheWorkersForItself) {
  chunks_.arrived(0, Instant{});
  chunks_.arrived(2, Instant{});
  EXPECT_EQ(trials_.given_up(1, 0), Suspicion::suspect);
  ASSERT_EQ(trials_.next(chunks_).to_try, 1);
  trials_.begun(2);
  EXPECT_EQ(trials_.given_up(1, 1), Suspicion::known);  // a copy from before
  EXPECT_EQ(trials_.given_up(1, 2), Suspicion::guilty);
}

TEST_F(SuspectTrialsTest, OneDeliveryIsNotEnoughForAVerdict) {
  SuspectTrials trials(1);
  chunks_.arrived(0, Instant{});
  chunks_.arrived(2, Instant{});
  EXPECT_EQ(trials.given_up(1, 0), Suspicion::suspect);
  ASSERT_EQ(trials.next(chunks_).to_try, 1);
  trials.begun(1);
  EXPECT_EQ(trials.given_up(1, 1), Suspicion::again);
  trials.begun(3);
  EXPECT_EQ(trials.given_up(1, 2), Suspicion::known);  // a copy that was out with the first
  EXPECT_EQ(trials.given_up(1, 3), Suspicion::guilty);
}

TEST_F(SuspectTrialsTest, OneAfterTheOther) {
  for (std::uint64_t index = 0; index < 3; ++index) trials_.given_up(index, 0);
  for (std::uint64_t index = 0; index < 3; ++index) {
    EXPECT_EQ(trials_.next(chunks_).to_try, index);
    trials_.begun(1);
    EXPECT_FALSE(trials_.next(chunks_).to_try);
    chunks_.arrived(index, Instant{});
  }
  EXPECT_TRUE(trials_.next(chunks_).over);
  EXPECT_FALSE(trials_.under_way());
}

}  // namespace
}  // namespace artel::cluster::detail
