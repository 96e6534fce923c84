// The code of docs/pool.md, docs/futures.md and docs/scaling.md, which
// tests/structure/check_quotes.mjs compares.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <map>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/pool/blocking.hpp"
#include "artel/pool/future.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/parallel_for.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/scale_by.hpp"
#include "artel/pool/shared_future.hpp"
#include "artel/pool/strand.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/pool/task_graph.hpp"
#include "artel/pool/task_scope.hpp"
#include "artel/pool/timer.hpp"
#include "artel/pool/when_all.hpp"
#include "artel/scaling/scaling_policy.hpp"

namespace artel {
namespace {

using namespace std::chrono_literals;

TEST(PoolGuide, First) {
  std::atomic<int> logged = 0;
  const auto log_it = [&logged] { ++logged; };
  // [first]
  pool::Pool pool{{.name = "requests", .workers = 4, .dispatch = dispatch::Jsq{.d = 2}}};

  pool.post([&] { log_it(); });                     // fire and forget
  auto answer = pool.submit([] { return 6 * 7; });  // Future<int>
  int six_by_seven = answer.get();                  // rethrows what the task threw
  // [/first]
  EXPECT_EQ(six_by_seven, 42);
  ASSERT_TRUE(pool.wait_idle());
  EXPECT_EQ(logged, 1);
}

TEST(PoolGuide, Futures) {
  pool::Pool pool{{.workers = 2}};
  const auto load = [](int key) { return std::to_string(key); };
  const auto size_of = [](const std::string& text) { return text.size(); };
  // [futures]
  auto text = pool.submit(load, 1234);              // with arguments
  auto size = std::move(text).then(pool, size_of);  // goes on as a task of the pool
  auto shared = pool.submit(load, 5).share();       // for any number of owners
  auto [a, b] = pool::when_all(std::move(size), shared.future()).get();
  std::size_t four = a.get();
  std::string five = b.get();
  // [/futures]
  EXPECT_EQ(four, 4U);
  EXPECT_EQ(five, "5");
}

TEST(PoolGuide, Recover) {
  pool::Pool pool{{.workers = 2}};
  const auto load_page = []() -> std::string {
    throw pool::TaskError({ErrorCode::full, "no room", ""});
  };
  // [recover]
  auto page = pool.submit(load_page).then([](pool::Future<std::string> loaded) {
    auto text = loaded.result();  // or get(), to catch what load_page threw
    return text ? *text : "not there: " + text.error().what;
  });
  // [/recover]
  EXPECT_EQ(page.get(), "not there: no room");
}

struct Job {
  int left = 100;
  int step() { return --left; }
};

// [loop]
pool::Future<int> poll(pool::Pool& pool, Job& job) {
  return pool.submit([&job] { return job.step(); }).then(pool, [&pool, &job](int left) {
    return left == 0 ? pool.submit([] { return 0; }) : poll(pool, job);
  });
}
// [/loop]

TEST(PoolGuide, Loop) {
  pool::Pool pool{{.workers = 2}};
  Job job;
  EXPECT_EQ(poll(pool, job).get(), 0);
  EXPECT_EQ(job.left, 0);
}

TEST(PoolGuide, Keys) {
  pool::Pool pool{{.workers = 2}};
  std::map<std::string, int> counts = {{"anna", 0}, {"ben", 0}, {"chris", 0}};
  std::vector<std::string> visits;
  for (int i = 0; i < 1'000; ++i) {
    for (const auto& [user, count] : counts) visits.push_back(user);
  }
  // [keys]
  std::vector<pool::Strand> parts;  // more than workers, since keys of one part wait for each other
  for (int i = 0; i < 64; ++i) parts.emplace_back(pool);
  for (const std::string& user : visits) {
    parts[dispatch::key_of(user) % parts.size()].post([&count = counts.at(user)] { ++count; });
  }
  // [/keys]
  ASSERT_TRUE(pool.wait_idle());
  for (const auto& [user, count] : counts) EXPECT_EQ(count, 1'000) << user;
}

TEST(PoolGuide, Deadlines) {
  pool::Pool pool{{.workers = 1}};
  const auto answer = [] { return 1; };
  // [deadlines]
  std::stop_source user;
  auto late = pool.submit(answer, {.priority = pool::Priority::high,
                                   .deadline = std::chrono::steady_clock::now() + 50ms,
                                   .stop = user.get_token()});
  Result<int> result = late.result();  // the Error as a value: expired, cancelled, full, closed
  if (!result && result.error().code == ErrorCode::expired) {
    // nobody waits for it any more
  }
  // [/deadlines]
  EXPECT_TRUE(result || result.error().code == ErrorCode::expired);
}

TEST(PoolGuide, RunningTasksStop) {
  std::atomic<int> rounds = 0;
  {
    // [stop]
    pool::Pool pool{{.workers = 1}};
    pool.post([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) ++rounds;
    });
    while (rounds == 0) std::this_thread::yield();
    pool.stop(pool::StopMode::cancel);
    // [/stop]
  }
  EXPECT_GT(rounds, 0);
}

TEST(PoolGuide, StopBy) {
  std::latch started(1), go(1);
  std::vector<std::string> complaints;
  const auto complain = [&](const std::string& task) { complaints.push_back(task); };
  pool::Pool pool{{.workers = 1}};
  pool.post([&] {
    started.count_down();
    go.wait();
  });
  started.wait();
  // [stop_by]
  const auto soon = std::chrono::steady_clock::now() + 10ms;
  for (const auto& task : pool.stop(pool::StopMode::cancel, soon)) {
    complain(task.task);  // "main()::{lambda()#1}"
  }
  // [/stop_by]
  go.count_down();
  ASSERT_EQ(complaints.size(), 1U);
  EXPECT_TRUE(complaints[0].find("StopBy") != std::string::npos) << complaints[0];
}

TEST(PoolGuide, Blocking) {
  pool::Pool pool{{.workers = 1}};
  const auto read_file = [] { return std::string("text"); };
  // [blocking]
  auto text = pool.submit([&] {
    return pool::blocking([&] { return read_file(); });  // another thread works meanwhile
  });
  // [/blocking]
  EXPECT_EQ(text.get(), "text");
}

TEST(PoolGuide, Scopes) {
  pool::Pool pool{{.workers = 2}};
  std::vector<int> rows(10, 1);
  const auto update = [](int& row) { ++row; };
  // [scopes]
  pool::TaskScope scope(pool);
  for (int& row : rows) scope.spawn([&row, &update] { update(row); });
  scope.wait();  // all have ended; rethrows the first exception, which cancels the others

  pool::parallel_for(pool, rows, 0, update);  // the same for loops, in chunks
  // [/scopes]
  EXPECT_EQ(rows, std::vector<int>(10, 3));
}

TEST(PoolGuide, Timers) {
  pool::Pool pool{{.workers = 1}};
  std::atomic<int> refreshed = 0;
  const auto refresh = [&refreshed] { ++refreshed; };
  // [timers]
  pool.after(5ms, refresh);
  pool::ScopedTimer timer = pool.every(1ms, refresh);  // until the end of the scope
  // [/timers]
  while (refreshed < 3) std::this_thread::yield();
}

TEST(PoolGuide, Strands) {
  pool::Pool pool{{.workers = 2}};
  int balance = 0;
  // [strands]
  pool::Strand account(pool);
  account.post([&] { balance += 5; });
  account.post([&] { balance *= 2; });  // after the first, never beside it: no lock
  int ten = account.submit([&] { return balance; }).get();
  // [/strands]
  EXPECT_EQ(ten, 10);
}

TEST(PoolGuide, Graphs) {
  pool::Pool pool{{.workers = 2}};
  std::string text;
  std::size_t words = 0;
  // [graphs]
  pool::TaskGraph graph;
  auto read = graph.add("read", [&] { text = "two words"; });
  auto count = graph.add("count", [&] { words = 2; });
  graph.add("show", [&] { text += ": " + std::to_string(words); }).after({read, count});
  graph.run(pool).get();
  // [/graphs]
  EXPECT_EQ(text, "two words: 2");
}

TEST(PoolGuide, Stats) {
  pool::Pool pool{{.workers = 2}};
  for (int i = 0; i < 100; ++i) pool.post([] {});
  ASSERT_TRUE(pool.wait_idle());
  // [stats]
  const pool::PoolStats stats = pool.stats();
  auto done = stats.total.outcomes.of(pool::TaskOutcome::done);
  auto p99_ns = stats.total.service_ns.quantile(0.99);
  double busy = stats.total.busy_share;
  // [/stats]
  EXPECT_EQ(done, 100U);
  EXPECT_GE(busy, 0);
  static_cast<void>(p99_ns);
}

TEST(PoolGuide, Scaling) {
  const auto complain = [](const Error& error) { FAIL() << to_string(error); };
  // [scaling]
  pool::Pool pool{{.workers = 2, .workers_min = 1, .workers_max = 8}};
  auto scaling = pool::scale_by(pool, scaling::Hpa{.period = 1s, .target = 0.7});
  if (!scaling) complain(scaling.error());
  // [/scaling]
  // [own_scaling]
  scaling::CustomScaling one_for_ten{.period = 5s, .rule = [](const scaling::FleetSample& seen) {
                                       return static_cast<std::uint32_t>(seen.in_system / 10);
                                     }};
  // [/own_scaling]
  EXPECT_EQ(one_for_ten.rule({.in_system = 45}), 4U);
}

}  // namespace
}  // namespace artel
