#include "artel/pool/detail/common_queue.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/plain_runner.hpp"
#include "artel/pool/priority.hpp"

namespace artel::pool::detail {
namespace {

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

}  // namespace
}  // namespace artel::pool::detail
