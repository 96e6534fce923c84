// Who waits for room in a full pool or strand, in what order they get in, and who never waits.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/detail/plain_runner.hpp"
#include "artel/pool/detail/pool_access.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/strand_core.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/pool/strand.hpp"
#include "tests/pool/held_pool.hpp"

namespace artel::pool {
namespace {

using namespace std::chrono_literals;

std::size_t submitters_in_line(Pool& pool) {
  return detail::PoolAccess::core(pool).queues.common().in_line();
}

TEST(PoolRoom, ATaskThatHasBegunTakesNoPlace) {
  struct Bounds {
    unsigned workers, queue;
    std::size_t common;
  };
  for (const Bounds& bounds :
       {Bounds{1, 1, 0}, Bounds{1, 1, 1}, Bounds{1, 4, 3}, Bounds{2, 1, 0}, Bounds{2, 2, 2}}) {
    for (int repetition = 0; repetition < 20; ++repetition) {
      std::latch go(1);
      std::atomic<std::size_t> in = 0;
      Pool pool{{.workers = bounds.workers, .queue = bounds.queue, .common = bounds.common}};
      const std::size_t all =
          std::size_t{bounds.workers} * (1 + bounds.queue) + bounds.common;  // run, or wait
      std::jthread submitter([&] {
        for (std::size_t i = 0; i < all; ++i, ++in) pool.post([&go] { go.wait(); });
      });
      EXPECT_TRUE(happens_soon([&] { return in == all; }))
          << in << " of " << all << " with queue " << bounds.queue << ", common " << bounds.common;
      go.count_down();
    }
  }
}

// Tasks that were short so far: a submitter is not woken for each place, but it is not forgotten.
TEST(PoolRoom, ALongTaskAfterShortOnesHoldsUpNoSubmitter) {
  std::latch go(1);  // outlives the pool, whose tasks still wait for it at the end
  Pool pool{{.workers = 1, .queue = 1, .common = 1000}};
  for (int i = 0; i < 20'000; ++i) pool.post([] {});
  ASSERT_TRUE(pool.wait_idle(soon()));
  std::atomic<int> in = 0;
  std::jthread submitter([&] {
    for (int i = 0; i < 1002; ++i, ++in) pool.post([&go] { go.wait(); });
  });
  EXPECT_TRUE(happens_soon([&] { return in == 1002; })) << in;
  go.count_down();
}

TEST(PoolRoom, SubmittersComeInInTheirOrderAndNobodyOvertakesThem) {
  constexpr int kWaiting = 20;
  for (const std::size_t common : {0U, 1U, 7U}) {
    for (const Priority priority : {Priority::normal, Priority::high}) {
      if (common == 0 && priority != Priority::normal) continue;
      std::vector<int> order;
      HeldPool held({.workers = 1, .queue = 1, .common = common});
      const auto full = [&] {
        return held->try_submit([] {}, {.priority = priority}).has_value() == false;
      };
      while (!full()) {
      }
      std::vector<std::jthread> submitters;
      for (int i = 0; i < kWaiting; ++i) {
        submitters.emplace_back(
            [&, i] { held->post([&order, i] { order.push_back(i); }, {.priority = priority}); });
        ASSERT_TRUE(happens_soon(
            [&] { return submitters_in_line(*held) == static_cast<std::size_t>(i) + 1; }));
      }
      std::atomic<bool> over = false;
      std::jthread overtaker([&] {
        while (!over) {
          const auto push = [&order] { order.push_back(-1); };
          static_cast<void>(held->try_submit(push, {.priority = priority}));
        }
      });
      held.release();
      submitters.clear();
      over = true;
      overtaker.join();
      ASSERT_TRUE(held->wait_idle(soon()));
      ASSERT_GE(order.size(), static_cast<std::size_t>(kWaiting));
      for (int i = 0; i < kWaiting; ++i) {
        EXPECT_EQ(order[static_cast<std::size_t>(i)], i) << "common " << common;
      }
    }
  }
}

TEST(PoolRoom, ASubmitterGivesUpAtItsTimeAndLeavesTheLine) {
  HeldPool held({.workers = 1, .queue = 1, .common = 1});
  while (held->try_post([] {}) == Admission::accepted) {
  }
  EXPECT_EQ(held->submit_until([] {}, later(steady_now(), 3ms)).error().code, ErrorCode::timeout);
  EXPECT_EQ(submitters_in_line(*held), 0U);
  const auto stats = held->stats();
  EXPECT_EQ(stats.queued_common, 1U);
  EXPECT_EQ(stats.over_bound, 0U);
  held.release();
  ASSERT_TRUE(held->wait_idle(soon()));
  expect_accounts_close(held->stats());
}

TEST(PoolRoom, SubmittersInLineAreInNoFigure) {
  HeldPool held({.workers = 1, .queue = 1, .common = 1});
  while (held->try_post([] {}) == Admission::accepted) {
  }
  std::jthread submitter([&] { held->post([] {}); });
  ASSERT_TRUE(happens_soon([&] { return submitters_in_line(*held) == 1; }));
  const auto stats = held->stats();
  EXPECT_EQ(stats.queued_common, 1U);
  EXPECT_EQ(stats.accepted, 3U);
  held.release();
}

TEST(PoolRoom, PurgingMakesRoomForWhoWaits) {
  HeldPool held({.workers = 1, .queue = 1, .common = 5});
  while (held->try_post([] {}) == Admission::accepted) {
  }
  std::atomic<int> in = 0;
  std::vector<std::jthread> submitters;
  for (int i = 0; i < 3; ++i) {
    submitters.emplace_back([&] {
      held->post([] {});
      ++in;
    });
  }
  ASSERT_TRUE(happens_soon([&] { return submitters_in_line(*held) == 3; }));
  EXPECT_EQ(held->purge(), 6U);
  EXPECT_TRUE(happens_soon([&] { return in == 3; }));
}

TEST(PoolStats, SaysNeverThatMoreHasEndedThanGotIn) {
  Pool pool{{.workers = 2}};
  std::atomic<bool> over = false;
  std::jthread submitter([&] {
    while (!over) pool.post([] {});
  });
  for (int i = 0; i < 20'000; ++i) {
    const auto stats = pool.stats();
    ASSERT_GE(stats.accepted, stats.total.outcomes.ended());
  }
  over = true;
  submitter.join();
  ASSERT_TRUE(pool.wait_idle(soon()));
  expect_accounts_close(pool.stats());
}

// ---- Inside tasks

TEST(PoolRoom, ATaskNeverWaitsAndNeedsNoOtherThread) {
  for (const bool in_own : {false, true}) {
    Pool pool{{.workers = 1, .queue = 1, .common = 1}};
    HeldPool held({.workers = 1, .queue = 1, .common = 1});
    Pool& full = in_own ? pool : *held;
    std::atomic<int> ran = 0;
    const auto count = [&ran] { ++ran; };
    pool.submit([&] {
          while (full.try_post(count) == Admission::accepted) {
          }
          for (int i = 0; i < 100; ++i) EXPECT_EQ(full.post(count), Admission::accepted);
          EXPECT_TRUE(full.submit_until(count, later(steady_now(), 1h)).has_value());
          EXPECT_EQ(full.post(count, {.priority = Priority::low}), Admission::accepted);
          EXPECT_EQ(full.try_post(count), Admission::full);  // the bound is told exactly
          EXPECT_EQ(full.try_submit(count).error().code, ErrorCode::full);
        })
        .get();
    EXPECT_EQ(pool.stats().threads, 1U);
    EXPECT_EQ(full.stats().over_bound, 101U);  // there was room for the one of low priority
    EXPECT_EQ(full.stats().queued_over_most, 102U);
    held.release();
    ASSERT_TRUE(full.wait_idle(soon()));
    EXPECT_EQ(ran, 104);
    expect_accounts_close(full.stats());
  }
}

TEST(PoolRoom, APoolThatRefusesRefusesTasksToo) {
  HeldPool held({.workers = 1, .queue = 1, .common = 1, .when_full = dispatch::WhenFull::reject});
  while (held->post([] {}) == Admission::accepted) {
  }
  Pool pool{{.workers = 1}};
  EXPECT_EQ(pool.submit([&] { return held->post([] {}); }).get(), Admission::full);
  EXPECT_EQ(held->stats().over_bound, 0U);
}

TEST(PoolRoom, WhoWaitsComesInWhateverTasksSubmitOverTheBound) {
  for (const std::size_t common : {0U, 1U}) {
    std::atomic<bool> stop = false;
    Pool pool{{.workers = 1, .queue = 1, .common = common}};
    struct Again {
      Pool* pool;
      std::atomic<bool>* stop;
      void operator()() const {
        if (!*stop) pool->post(*this);
      }
    };
    pool.post([&] {
      for (int i = 0; i < 10; ++i) pool.post(Again{&pool, &stop});
    });
    std::atomic<int> in = 0;
    std::jthread submitter([&] {
      for (int i = 0; i < 50; ++i) {
        pool.post([] {});
        ++in;
      }
    });
    EXPECT_TRUE(happens_soon([&] { return in == 50; })) << in << ", common " << common;
    stop = true;
  }
}

// ---- Strands

TEST(StrandRoom, SubmittersComeInInTheirOrderWhateverTasksSubmit) {
  constexpr std::size_t kWaiting = 10;
  HeldPool held({.workers = 1});
  const auto strand = std::make_shared<detail::StrandCore>(*held, 1);
  std::vector<std::size_t> order;
  const auto push = [&](std::size_t number) {
    return strand->push(detail::job_of([&order, number] { order.push_back(number); }));
  };
  // It submits itself again, and so keeps the strand above its bound.
  std::function<void()> again = [&] {
    if (order.size() < kWaiting) strand->push(detail::job_of([&again] { again(); }));
  };
  strand->push(detail::job_of([&] {
    again();
    again();
  }));
  std::vector<std::jthread> submitters;
  for (std::size_t i = 0; i < kWaiting; ++i) {
    submitters.emplace_back([&, i] { push(i); });
    ASSERT_TRUE(happens_soon([&] { return strand->in_line() == i + 1; }));
  }
  held.release();
  submitters.clear();
  ASSERT_TRUE(held->wait_idle(soon()));
  ASSERT_EQ(order.size(), kWaiting);
  for (std::size_t i = 0; i < kWaiting; ++i) EXPECT_EQ(order[i], i);
}

TEST(StrandRoom, ATaskOfAnotherStrandNeverWaits) {
  Pool pool{{.workers = 1}};
  const Strand full(pool, 1), other(pool, 1);
  std::atomic<int> ran = 0;
  other
      .submit([&] {
        for (int i = 0; i < 100; ++i) {
          EXPECT_EQ(full.post([&ran] { ++ran; }), Admission::accepted);
        }
      })
      .get();
  full.submit([] {}).get();
  EXPECT_EQ(ran, 100);
  EXPECT_EQ(pool.stats().threads, 1U);
  EXPECT_EQ(pool.stats().over_bound, 99U);
}

TEST(StrandRoom, AStoppedPoolReleasesWhoWaits) {
  for (const StopMode mode : {StopMode::drain, StopMode::cancel}) {
    std::latch started(1), go(1);
    Pool pool{{.workers = 1}};
    const Strand strand(pool, 1);
    strand.post([&] {
      started.count_down();
      go.wait();
    });
    started.wait();
    strand.post([] {});
    std::atomic<bool> closed = false;
    std::jthread submitter([&] {
      while (strand.post([] {}) != Admission::closed) {
      }
      closed = true;
    });
    std::jthread stopper([&] { pool.stop(mode); });
    EXPECT_TRUE(happens_soon([&] { return closed.load(); }));
    go.count_down();
  }
}

}  // namespace
}  // namespace artel::pool
