#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/plain_runner.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

// The ring in all orders within bounds. What its jobs hold tells when it is not handed over.

namespace artel::pool::detail {
namespace {

using explore::Bounds;
using explore::Execution;
using explore::ExploredAtomics;
using explore::ExploredPlain;
using explore::Report;

class ExploredRing {
 public:
  using Ring = BasicJobRing<ExploredAtomics>;

  ExploredRing(Execution& run, std::uint32_t capacity) : run_(run) {
    ring.allocate(capacity);
    run.name(ring, "ring");
  }

  Job numbered(int number) {
    return job_of([this, handed = ExploredPlain<int>(number)] { ran.push_back(handed); });
  }
  bool try_push(int number) {
    Job job = numbered(number);
    return ring.try_push(ring.capacity(), job) == Ring::Pushed::ok;
  }
  void push(int number) {
    while (!try_push(number)) ExploredAtomics::relax();
  }
  bool pop() {
    Job job;
    const bool popped = ring.pop(job);
    if (popped) run_job(job);
    return popped;
  }
  void pop_until(std::size_t count) {
    while (ran.size() < count) {
      if (!pop()) ExploredAtomics::relax();
    }
  }
  void steal() {
    std::array<Job, 4> stolen;
    const std::uint32_t count = ring.steal(stolen.data(), 4);
    for (std::uint32_t i = 0; i < count; ++i) run_job(stolen[i]);
  }
  bool unpush() {
    Job job;
    const bool taken = ring.unpush(job, [](Job&) { return true; });
    if (taken) run_job(job);
    return taken;
  }
  void run_job(Job& job) {
    run_.require(static_cast<bool>(job), "an empty job is taken");
    PlainRunner runner;
    static_cast<void>(job.run(runner));
  }
  /// Every one of 1 to `count` ran once; those up to `in_order` one after the other.
  void require_all(int count, int in_order = 0) {
    while (ran.size() <= static_cast<std::size_t>(count) && pop()) {
    }
    std::vector<int> expected;
    std::vector<int> first;
    for (int i = 1; i <= count; ++i) expected.push_back(i);
    for (const int number : ran) {
      if (number <= in_order) first.push_back(number);
    }
    run_.require(std::is_sorted(first.begin(), first.end()), "jobs change places");
    std::sort(ran.begin(), ran.end());
    run_.require(ran == expected, "a job is lost, or doubled");
  }

  Ring ring;
  std::vector<int> ran;

 private:
  Execution& run_;
};

template <class Scenario>
void expect_sound(const Bounds& bounds, Scenario&& scenario) {
  const Report report = explore::explore(bounds, scenario);
  EXPECT_TRUE(report.sound()) << report;
}

constexpr Bounds kRingBounds{.preemptions = 3, .surprises = 1};

TEST(JobRingOrders, OfAPublishedJobAndAnIdleBitOneIsSeen) {
  expect_sound(kRingBounds, [](Execution& run) {
    ExploredRing jobs(run, 2);
    ExploredAtomics::Atomic<bool> idle = false;
    bool seen_idle = false;
    bool seen_job = false;
    run.thread("submitter", [&] {
      jobs.push(1);
      seen_idle = idle.load();
    });
    run.thread("worker", [&] {
      idle.exchange(true);
      seen_job = !jobs.ring.empty();
    });
    run.go();
    run.require(seen_idle || seen_job, "neither saw the other");
    jobs.require_all(1);
  });
}

TEST(JobRingOrders, OfARefilledJobAndAnIdleBitOneIsSeen) {
  expect_sound(kRingBounds, [](Execution& run) {
    ExploredRing jobs(run, 2);
    ExploredAtomics::Atomic<bool> idle = false;
    bool seen_idle = false;
    bool seen_job = false;
    run.thread("thief", [&] {
      Job job = jobs.numbered(1);
      run.require(jobs.ring.refill(&job, 1) == 1, "no room");
      seen_idle = idle.load();
    });
    run.thread("worker", [&] {
      idle.exchange(true);
      seen_job = !jobs.ring.empty();
    });
    run.go();
    run.require(seen_idle || seen_job, "neither saw the other");
    jobs.require_all(1);
  });
}

TEST(JobRingOrders, JobsStayInOrderWhileCellsAreUsedAgain) {
  expect_sound({.preemptions = 2, .surprises = 2}, [](Execution& run) {
    ExploredRing jobs(run, 1);
    run.thread("producer", [&] {
      jobs.push(1);
      jobs.push(2);
    });
    run.thread("worker", [&] { jobs.pop_until(2); });
    run.go();
    jobs.require_all(2, 2);
  });
}

TEST(JobRingOrders, TwoProducersLoseNothing) {
  expect_sound({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredRing jobs(run, 1);
    run.thread("producer", [&] { jobs.push(1); });
    run.thread("another", [&] { jobs.push(2); });
    run.thread("worker", [&] { jobs.pop_until(2); });
    run.go();
    run.require(jobs.ring.accepted() == 2, "a job is not counted");
    jobs.require_all(2);
  });
}

TEST(JobRingOrders, ProducersWhoWaitForEachOtherLoseNothing) {
  expect_sound({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredRing jobs(run, 4);
    for (const int number : {1, 2}) {
      run.thread("producer " + std::to_string(number), [&, number] {
        Job job = jobs.numbered(number);
        run.require(jobs.ring.push(4, job) == ExploredRing::Ring::Pushed::ok, "there is room");
      });
    }
    run.thread("worker", [&] { jobs.pop_until(2); });
    run.go();
    jobs.require_all(2);
  });
}

TEST(JobRingOrders, WhoeverTakesAJobTakesItAlone) {
  expect_sound({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredRing jobs(run, 4);
    jobs.push(1);
    jobs.push(2);
    run.thread("worker", [&] {
      jobs.pop();
      jobs.pop();
    });
    run.thread("thief", [&] { jobs.steal(); });
    run.thread("producer", [&] { jobs.push(3); });
    run.go();
    jobs.require_all(3);
  });
}

TEST(JobRingOrders, WhatIsTakenBackIsTakenByNobodyElse) {
  expect_sound({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredRing jobs(run, 4);
    jobs.push(1);
    jobs.push(2);
    run.thread("worker", [&] {
      jobs.unpush();
      jobs.push(3);
    });
    run.thread("thief", [&] { jobs.steal(); });
    run.thread("heir", [&] {
      jobs.push(4);
      jobs.pop();
    });
    run.go();
    jobs.require_all(4);
  });
}

TEST(JobRingOrders, ARefillJoinsInWithoutLosingAnything) {
  expect_sound({.preemptions = 2, .surprises = 1}, [](Execution& run) {
    ExploredRing jobs(run, 4);
    run.thread("worker", [&] {
      std::array<Job, 2> some{jobs.numbered(1), jobs.numbered(2)};
      run.require(jobs.ring.refill(some.data(), 2) == 2, "no room");
      jobs.pop();
    });
    run.thread("producer", [&] { jobs.push(3); });
    run.thread("thief", [&] { jobs.steal(); });
    run.go();
    jobs.require_all(3);
  });
}

TEST(JobRingOrders, AClosedRingAcceptsNothingAnyMore) {
  expect_sound(kRingBounds, [](Execution& run) {
    ExploredRing jobs(run, 2);
    int pushed = 0;
    run.thread("producer", [&] {
      if (jobs.try_push(1)) ++pushed;
      if (jobs.try_push(pushed + 1)) ++pushed;
    });
    std::uint64_t accepted = 0;
    run.thread("stopper", [&] {
      jobs.ring.set_closed(true);
      accepted = jobs.ring.accepted();
    });
    run.go();
    run.require(accepted == jobs.ring.accepted(), "a closed ring has accepted a job");
    jobs.require_all(pushed);
  });
}

}  // namespace
}  // namespace artel::pool::detail
