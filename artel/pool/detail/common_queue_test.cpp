#include "artel/pool/detail/common_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/plain_runner.hpp"
#include "artel/pool/priority.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

namespace artel::pool::detail {
namespace {

using explore::Execution;
using explore::ExploredAtomics;
using explore::ExploredPlain;
using explore::Report;
using ExploredQueue = BasicCommonQueue<ExploredAtomics>;

TEST(CommonQueue, KeepsOrderWithinAPriorityAndItsBound) {
  CommonQueue queue(100);  // of each priority
  std::vector<int> ran;
  PlainRunner runner;
  for (int i = 0; i < 200; ++i) {
    Job job = job_of([&ran, i] { ran.push_back(i); });
    EXPECT_EQ(queue.push(i % 2 == 0 ? Priority::high : Priority::low, job),
              CommonQueue::Pushed::ok);
  }
  Job beyond = job_of([] {});
  EXPECT_EQ(queue.push(Priority::high, beyond), CommonQueue::Pushed::full);
  EXPECT_EQ(queue.push(Priority::low, beyond), CommonQueue::Pushed::full);
  auto spare = std::make_unique<JobBlock>();
  for (const auto priority : {Priority::high, Priority::low}) {
    for (std::uint32_t max = 1; auto block = queue.take(priority, max, spare); ++max) {
      EXPECT_LE(block->size(), max);
      for (Job& job : block->jobs()) job.run(runner);
      block->reset();
      spare = std::move(block);
    }
  }
  ASSERT_EQ(ran.size(), 200U);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(ran[static_cast<std::size_t>(i)], i < 100 ? 2 * i : 2 * (i - 100) + 1);
  }
  EXPECT_EQ(queue.count(), 0U);
  queue.close();
  EXPECT_EQ(queue.push(Priority::normal, beyond), CommonQueue::Pushed::closed);
}

TEST(CommonQueue, WhatIsPutBackComesFirst) {
  CommonQueue queue(10);
  std::vector<int> ran;
  PlainRunner runner;
  Job last = job_of([&ran] { ran.push_back(200); });
  queue.push(Priority::normal, last);
  std::vector<Job> jobs;
  for (int i = 0; i < 200; ++i) jobs.push_back(job_of([&ran, i] { ran.push_back(i); }));
  EXPECT_EQ(queue.put_back(jobs), 200U);
  EXPECT_EQ(queue.count(Priority::normal), 201U);
  EXPECT_EQ(queue.accepted(), 1U);
  auto spare = std::make_unique<JobBlock>();
  while (auto block = queue.take(Priority::normal, 63, spare)) {
    for (Job& job : block->jobs()) job.run(runner);
    block->reset();
    spare = std::move(block);
  }
  ASSERT_EQ(ran.size(), 201U);
  for (int i = 0; i <= 200; ++i) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST(CommonQueue, BehindOthersIsBuiltInPlaceOrNotAtAll) {
  CommonQueue queue(70);
  std::vector<int> ran;
  const auto push_behind = [&](int number) {
    return queue.push_behind([&ran, number](void* at) {
      ::new (at) Job(job_of([&ran, number] { ran.push_back(number); }));
    });
  };
  EXPECT_FALSE(push_behind(-1)) << "behind none";
  Job first = job_of([&ran] { ran.push_back(0); });
  queue.push(Priority::normal, first);
  for (int i = 1; i < 70; ++i) EXPECT_TRUE(push_behind(i));
  EXPECT_FALSE(push_behind(-1)) << "beyond the bound";
  EXPECT_EQ(queue.count(Priority::normal), 70U);
  EXPECT_EQ(queue.accepted(), 70U);
  PlainRunner runner;
  auto spare = JobBlock::make();
  const auto block = queue.take(Priority::normal, 60, spare);
  ASSERT_TRUE(block);
  for (Job& job : block->jobs()) job.run(runner);
  block->reset();
  queue.close();
  EXPECT_FALSE(push_behind(-1)) << "closed";
  ASSERT_EQ(ran.size(), 60U);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST(CommonQueue, EndsWithTheTasksThatWaitInIt) {
  const auto counted = std::make_shared<int>(0);
  {
    CommonQueue queue(100);
    for (int i = 0; i < 100; ++i) {
      Job job = job_of([counted] {});
      queue.push(Priority::normal, job);
    }
    auto spare = JobBlock::make();
    const auto some = queue.take(Priority::normal, 10, spare);
    ASSERT_TRUE(some);
    EXPECT_EQ(counted.use_count(), 101);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

Job explored_job(std::vector<int>& ran, int number) {
  return job_of([&ran, handed = ExploredPlain<int>(number)] { ran.push_back(handed); });
}

ExploredQueue::Pushed push(ExploredQueue& queue, std::vector<int>& ran, int number) {
  Job job = explored_job(ran, number);
  return queue.push(Priority::normal, job);
}

TEST(CommonQueue, HandsOverEveryTaskOnceInAllOrders) {
  const Report report = explore::explore({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredQueue queue(4);
    std::vector<int> ran;
    std::vector<std::unique_ptr<JobBlock>> blocks;  // kept: memory that is used again looks shared
    const auto take = [&](std::uint32_t max) {
      PlainRunner runner;
      auto spare = std::make_unique<JobBlock>();
      auto block = queue.take(Priority::normal, max, spare);
      if (spare) blocks.push_back(std::move(spare));
      if (!block) return false;
      for (Job& job : block->jobs()) job.run(runner);
      blocks.push_back(std::move(block));
      return true;
    };
    push(queue, ran, 1);
    push(queue, ran, 2);
    run.thread("submitter", [&] { push(queue, ran, 3); });
    run.thread("worker", [&] { take(1); });
    run.thread("another", [&] { take(2); });
    run.go();
    run.require(queue.count() + ran.size() == 3, "a task is not counted");
    run.require(queue.accepted() == 3, "a task is not counted as accepted");
    while (take(2)) {
    }
    std::sort(ran.begin(), ran.end());
    run.require(ran == std::vector{1, 2, 3}, "a task is lost, or doubled");
  });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(CommonQueue, NobodyQueuesBehindWhatIsGoneInAnyOrder) {
  const Report report = explore::explore({.preemptions = 3, .surprises = 1}, [](Execution& run) {
    ExploredQueue queue(4);
    std::vector<int> ran;
    std::vector<std::unique_ptr<JobBlock>> blocks;
    std::size_t behind = 0;
    push(queue, ran, 1);
    for (const int number : {2, 3}) {
      run.thread("submitter " + std::to_string(number), [&, number] {
        const bool pushed = queue.push_behind([&](void* at) {
          run.require(queue.count(Priority::normal) != 0, "it is behind nobody");
          ::new (at) Job(explored_job(ran, number));
        });
        if (pushed) ++behind;
      });
    }
    run.thread("worker", [&] {
      blocks.push_back(std::make_unique<JobBlock>());
      blocks.push_back(queue.take(Priority::normal, 63, blocks.front()));
    });
    run.go();
    const std::size_t taken = blocks.back() ? blocks.back()->size() : 0;
    run.require(queue.count() + taken == 1 + behind, "a task is lost, or doubled");
  });
  EXPECT_TRUE(report.sound()) << report;
}

// Whoever finds it full gets in when a task is taken, or has its place itself.
TEST(CommonQueue, LetsInWhoWaitsInAllOrders) {
  const Report report = explore::explore({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredQueue queue(1);
    std::vector<int> ran;
    std::vector<std::unique_ptr<JobBlock>> blocks;
    std::uint32_t in = 0;
    push(queue, ran, 1);
    run.thread("submitter", [&] {
      Job job = explored_job(ran, 2);
      ExploredQueue::Waiter waiter(job);
      if (queue.push_or_wait(Priority::normal, job, waiter) == ExploredQueue::Pushed::full) {
        while (!waiter.sleep(kNever)) {
        }
        run.require(queue.leave(waiter, Priority::normal) == ExploredQueue::Line::State::admitted,
                    "it leaves the line without being in");
      }
      ++in;
    });
    run.thread("worker", [&] {
      blocks.push_back(std::make_unique<JobBlock>());
      blocks.push_back(queue.take(Priority::normal, 1, blocks.front()));
      queue.wake_admitted(Priority::normal);
    });
    run.go();
    run.require(in == 1 && queue.count() == 1 && queue.queued() == 1, "it is not in");
    run.require(!queue.room_wanted() && queue.in_line() == 0, "the line is not empty");
  });
  EXPECT_TRUE(report.sound()) << report;
}

// C1, and P1 of parker.hpp.
TEST(CommonQueue, OfAQueuedTaskAndAnIdleBitOneIsSeenInAllOrders) {
  const Report report = explore::explore({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredQueue queue(4);
    std::vector<int> ran;
    ExploredAtomics::Atomic<bool> idle = false;
    bool seen_idle = false;
    bool seen_task = false;
    run.thread("submitter", [&] {
      push(queue, ran, 1);
      seen_idle = idle.load();
    });
    run.thread("worker", [&] {
      idle.exchange(true);
      seen_task = queue.count(Priority::normal) > 0;
    });
    run.go();
    run.require(seen_idle || seen_task, "neither saw the other");
  });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(CommonQueue, KeepsItsBoundAndStaysClosedInAllOrders) {
  const Report report = explore::explore({.preemptions = 3, .surprises = 1}, [](Execution& run) {
    ExploredQueue queue(1);
    std::vector<int> ran;
    std::size_t pushed = 0;
    std::uint64_t accepted = 0;
    for (const int number : {1, 2}) {
      run.thread("submitter " + std::to_string(number), [&, number] {
        if (push(queue, ran, number) == ExploredQueue::Pushed::ok) ++pushed;
      });
    }
    run.thread("stopper", [&] {
      queue.close();
      accepted = queue.accepted();
    });
    run.go();
    run.require(pushed <= 1 && queue.count() == pushed, "it holds more than its bound");
    run.require(accepted == queue.accepted(), "a closed queue has accepted a task");
  });
  EXPECT_TRUE(report.sound()) << report;
}

}  // namespace
}  // namespace artel::pool::detail
