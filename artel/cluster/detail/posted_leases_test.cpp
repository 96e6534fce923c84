#include "artel/cluster/detail/posted_leases.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "artel/cluster/protocol/worker_event.hpp"

namespace artel::cluster::detail {
namespace {

// Threads are asked for and come when the test says so.
class PostedLeasesTest : public testing::Test {
 protected:
  PostedLeases with_threads(std::size_t threads) {
    return {threads,
            {.ask_thread =
                 [this] {
                   ++asked_;
                   return asked_ <= willing_;
                 },
             .begin =
                 [this](LeaseId lease) {
                   begun_.push_back(lease);
                   if (on_begin_) on_begin_();
                 },
             .refused = [this](LeaseId lease) { refused_.push_back(lease); }}};
  }
  static void post(PostedLeases& leases, const std::vector<LeaseId>& batch) {
    for (const LeaseId lease : batch) leases.add(lease);
    leases.post();
  }

  std::size_t willing_ = 1000;
  std::size_t asked_ = 0;
  std::function<void()> on_begin_;
  std::vector<LeaseId> begun_, refused_;
};
using Leases = std::vector<LeaseId>;

TEST_F(PostedLeasesTest, WhatComesTogetherIsPostedOnce) {
  PostedLeases leases = with_threads(1);
  for (const LeaseId lease : {1U, 2U, 3U}) leases.add(lease);
  EXPECT_EQ(asked_, 0);
  leases.post();
  EXPECT_EQ(asked_, 1);
  leases.run();
  EXPECT_EQ(begun_, (Leases{1, 2, 3}));
  EXPECT_EQ(refused_, Leases{});
}

TEST_F(PostedLeasesTest, ABatchAsksForAsManyThreadsAsThereAreLeasesAndThreads) {
  PostedLeases leases = with_threads(3);
  post(leases, {1, 2});
  EXPECT_EQ(asked_, 2);
  post(leases, {3, 4, 5, 6});
  EXPECT_EQ(asked_, 3);
  post(leases, {7});
  EXPECT_EQ(asked_, 3);
  for (int i = 0; i < 3; ++i) leases.run();
  EXPECT_EQ(begun_, (Leases{1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(PostedLeasesTest, NobodyIsAskedForNothing) {
  PostedLeases leases = with_threads(2);
  leases.post();
  EXPECT_EQ(asked_, 0);
}

TEST_F(PostedLeasesTest, AThreadThatIsAtItTakesWhatIsPostedMeanwhile) {
  PostedLeases leases = with_threads(1);
  on_begin_ = [&] {
    if (begun_.size() == 1) post(leases, {3, 4});
  };
  post(leases, {1, 2});
  leases.run();
  EXPECT_EQ(begun_, (Leases{1, 2, 3, 4}));
  EXPECT_EQ(asked_, 1);
}

TEST_F(PostedLeasesTest, AThreadThatHasComeBackIsAskedForAgain) {
  PostedLeases leases = with_threads(1);
  post(leases, {1});
  leases.run();
  post(leases, {2});
  EXPECT_EQ(asked_, 2);
  leases.run();
  EXPECT_EQ(begun_, (Leases{1, 2}));
}

TEST_F(PostedLeasesTest, WhatNoThreadWillComeToIsRefused) {
  willing_ = 0;
  PostedLeases leases = with_threads(2);
  post(leases, {1, 2, 3});
  EXPECT_EQ(refused_, (Leases{1, 2, 3}));
  willing_ = 1000;
  post(leases, {4});
  leases.run();
  EXPECT_EQ(begun_, Leases{4});
}

TEST_F(PostedLeasesTest, OneThreadIsEnoughForAllOfABatch) {
  willing_ = 1;
  PostedLeases leases = with_threads(2);
  post(leases, {1, 2, 3});
  EXPECT_EQ(asked_, 2);
  leases.run();
  EXPECT_EQ(begun_, (Leases{1, 2, 3}));
  EXPECT_EQ(refused_, Leases{});
}

}  // namespace
}  // namespace artel::cluster::detail
