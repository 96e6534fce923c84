#include "artel/pool/detail/job_ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/plain_runner.hpp"

namespace artel::pool::detail {
namespace {

std::vector<int> run_all(JobRing& ring, std::vector<int>& ran) {
  PlainRunner runner;
  for (Job job; ring.pop(job);) job.run(runner);
  return std::exchange(ran, {});
}

class JobRingTest : public testing::Test {
 protected:
  JobRingTest() { ring_.allocate(8); }

  Job numbered(int i) {
    return job_of([this, i] { ran_.push_back(i); });
  }
  JobRing::Pushed push(int i, std::uint32_t limit = 8) {
    Job job = numbered(i);
    return ring_.try_push(limit, job);
  }

  JobRing ring_;
  std::vector<int> ran_;
};

TEST_F(JobRingTest, IsFirstInFirstOutOverManyRounds) {
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(push(i), JobRing::Pushed::ok);
    EXPECT_EQ(run_all(ring_, ran_), (std::vector{0, 1, 2, 3, 4}));
  }
  EXPECT_EQ(ring_.accepted(), 100U);
}

TEST_F(JobRingTest, RefusesBeyondItsLimitAndLeavesTheJobAlone) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(push(i, 3), JobRing::Pushed::ok);
  Job fourth = numbered(3);
  EXPECT_EQ(ring_.try_push(3, fourth), JobRing::Pushed::full);
  EXPECT_TRUE(static_cast<bool>(fourth));
  EXPECT_EQ(ring_.size_approx(), 3U);
}

TEST_F(JobRingTest, RefusesWhenClosedButCanBeRefilled) {
  ring_.set_closed(true);
  EXPECT_EQ(push(1), JobRing::Pushed::closed);
  Job job = numbered(2);
  EXPECT_EQ(ring_.refill(&job, 1), 1U);
  ring_.set_closed(false);
  EXPECT_EQ(push(3), JobRing::Pushed::ok);
  EXPECT_EQ(run_all(ring_, ran_), (std::vector{2, 3}));
  EXPECT_EQ(ring_.accepted(), 1U);
}

TEST_F(JobRingTest, RefillTakesWhatFits) {
  std::array<Job, 10> jobs;
  for (int i = 0; i < 10; ++i) jobs[static_cast<std::size_t>(i)] = numbered(i);
  EXPECT_EQ(ring_.refill(jobs.data(), 10), 8U);
  EXPECT_TRUE(static_cast<bool>(jobs[8]));
  EXPECT_EQ(ring_.refill(&jobs[8], 2), 0U);
  EXPECT_EQ(run_all(ring_, ran_), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(JobRingTest, WhatIsRelocatedIntoItIsEndedOnce) {
  const auto counted = std::make_shared<int>(0);
  const auto block = JobBlock::make();
  for (int i = 0; i < 3; ++i) {
    Job job = job_of([counted] {});
    block->push(job);
  }
  EXPECT_EQ(ring_.relocate_in(block->jobs().data(), 3), 3U);
  block->reset();
  EXPECT_EQ(counted.use_count(), 4);
  run_all(ring_, ran_);
  EXPECT_EQ(counted.use_count(), 1);
}

TEST_F(JobRingTest, AThiefTakesTheOlderHalf) {
  for (int i = 0; i < 5; ++i) push(i);
  std::array<Job, 8> stolen;
  ASSERT_EQ(ring_.steal(stolen.data(), 8), 3U);
  PlainRunner runner;
  for (int i = 0; i < 3; ++i) stolen[static_cast<std::size_t>(i)].run(runner);
  EXPECT_EQ(std::exchange(ran_, {}), (std::vector{0, 1, 2}));
  EXPECT_EQ(ring_.steal(stolen.data(), 1), 1U);
  EXPECT_EQ(run_all(ring_, ran_), (std::vector{4}));
}

TEST_F(JobRingTest, UnpushTakesTheNewestIfItIsTheOneMeant) {
  Job job;
  EXPECT_FALSE(ring_.unpush(job, [](Job&) { return true; }));
  for (int i = 0; i < 3; ++i) push(i);
  EXPECT_FALSE(ring_.unpush(job, [](Job&) { return false; }));
  EXPECT_TRUE(ring_.unpush(job, [](Job&) { return true; }));
  EXPECT_EQ(run_all(ring_, ran_), (std::vector{0, 1}));
  push(7);
  EXPECT_EQ(run_all(ring_, ran_), (std::vector{7}));
}

TEST_F(JobRingTest, DestroysWhatIsLeft) {
  const auto counted = std::make_shared<int>();
  {
    JobRing ring;
    ring.allocate(4);
    Job job = job_of([counted] {});
    ring.try_push(4, job);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(JobRing, WhatIsTakenBackIsNotStolenToo) {
  constexpr int kJobs = 300'000;
  JobRing ring;
  ring.allocate(4);
  PlainRunner runner;
  std::vector<std::atomic<int>> ran(kJobs);
  std::atomic<bool> over = false;
  std::thread thief([&] {
    for (std::array<Job, 4> stolen; !over;) {
      const auto count = ring.steal(stolen.data(), 4);
      for (std::uint32_t i = 0; i < count; ++i) stolen[i].run(runner);
    }
  });
  for (int i = 0; i < kJobs; ++i) {
    Job job = job_of([&ran, i] { ++ran[static_cast<std::size_t>(i)]; });
    ASSERT_EQ(ring.try_push(4, job), JobRing::Pushed::ok);
    Job back;
    if (ring.unpush(back, [](Job&) { return true; }) || ring.pop(back)) back.run(runner);
  }
  over = true;
  thief.join();
  for (int i = 0; i < kJobs; ++i) ASSERT_EQ(ran[static_cast<std::size_t>(i)], 1) << i;
}

TEST(JobRing, LosesAndDoublesNothingUnderContention) {
  constexpr int kEach = 20'000;
  JobRing ring;
  ring.allocate(64);
  std::atomic<std::uint64_t> sum = 0;
  std::atomic<int> ended = 0;
  constexpr int kProducers = 2;
  std::vector<std::thread> threads;
  for (int p = 0; p < kProducers; ++p) {
    threads.emplace_back([&] {
      for (int i = 1; i <= kEach; ++i) {
        Job job = job_of([&sum, &ended, i] {
          sum += static_cast<std::uint64_t>(i);
          ++ended;
        });
        while (ring.try_push(64, job) != JobRing::Pushed::ok) std::this_thread::yield();
      }
    });
  }
  const auto consume = [&](bool steals) {
    PlainRunner runner;
    std::array<Job, 8> stolen;
    Job job;
    while (ended < kProducers * kEach) {
      if (steals) {
        const auto count = ring.steal(stolen.data(), 8);
        for (std::uint32_t i = 0; i < count; ++i) stolen[i].run(runner);
      } else if (ring.pop(job)) {
        job.run(runner);
      } else {
        std::this_thread::yield();
      }
    }
  };
  threads.emplace_back([&] { consume(false); });
  threads.emplace_back([&] { consume(true); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(sum, std::uint64_t{kProducers} * kEach * (kEach + 1) / 2);
}

}  // namespace
}  // namespace artel::pool::detail
