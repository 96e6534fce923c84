// What may go wrong on the way of a chunk, one thing at a time, on a real server.
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <ranges>
#include <stdexcept>
#include <string>
#include <thread>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/cluster/worker_fleet.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

// Lets the first call wait until it is opened.
class Turnstile {
 public:
  void pass() {
    if (!first_.exchange(false)) return;
    inside_ = true;
    inside_.notify_all();
    open_.wait(false);
  }
  void wait_inside() const { inside_.wait(false); }
  void open() {
    open_ = true;
    open_.notify_all();
  }
  void reset() {
    first_ = true;
    inside_ = false;
    open_ = false;
  }

 private:
  std::atomic<bool> first_ = true;
  std::atomic<bool> inside_ = false;
  std::atomic<bool> open_ = false;
} turnstile;

}  // namespace

ARTEL_TASK(doubled, int, int x) { return 2 * x; }
ARTEL_TASK(one_waits, int, int x) {
  turnstile.pass();
  return x;
}
ARTEL_TASK(takes_long, int, int x) {
  std::this_thread::sleep_for(1s);
  return x;
}
ARTEL_TASK(takes_a_moment, int, int x) {
  std::this_thread::sleep_for(1ms);
  return x;
}
ARTEL_TASK(always_fails, int, int x) {
  if (x >= 0) throw std::runtime_error("never mind");
  return x;
}
ARTEL_TASK(length, std::size_t, const std::string& text) { return text.size(); }

namespace {

std::vector<int> numbers(int n) {
  const auto all = std::views::iota(0, n);
  return {all.begin(), all.end()};
}
std::vector<int> doubles(int n) {
  std::vector<int> all = numbers(n);
  for (int& x : all) x *= 2;
  return all;
}

const std::atomic<bool> never = false;

// Takes chunks and dies: nothing is ever heard of them.
class LostWorker {
 public:
  explicit LostWorker(Crew& crew)
      : connection_(Connection::connect(crew.server().cluster()).value()) {}

  // Returns how many chunks it got: none only when told to stop.
  int take(const TaskKey& task, int most, const std::atomic<bool>& stop = never) {
    const Subjects subjects("artel");
    const std::string stream = subjects.stream();
    const std::string consumer = Subjects::queue_of(task, {});
    jsSubOptions bind;
    jsSubOptions_Init(&bind);
    bind.Stream = stream.c_str();
    bind.Consumer = consumer.c_str();
    EngineHandle<natsSubscription> pull;
    while (js_PullSubscribe(OutHandle(pull), connection_.jetstream(),
                            subjects.shared(consumer).c_str(), consumer.c_str(), nullptr, &bind,
                            nullptr) != NATS_OK) {
    }
    natsMsgList list{};
    int taken = 0;
    while (taken == 0 && !stop) {
      jsErrCode detail{};
      static_cast<void>(natsSubscription_Fetch(&list, pull.get(), most, 200, &detail));
      taken = list.Count;
      natsMsgList_Destroy(&list);
    }
    return taken;
  }

 private:
  Connection connection_;
};

TEST(ClusterFaults, ChunksOfALostWorkerGoToAnother) {
  Crew crew;
  Cluster cluster = crew.connect();
  std::vector<int> results;
  std::thread caller(
      [&] { results = parallel::map(cluster, std::views::iota(0, 20), doubled, {.chunk = 2}); });
  EXPECT_GT(LostWorker(crew).take(doubled.key(), 2), 0);
  crew.hire(1);
  caller.join();
  EXPECT_EQ(results, doubles(20));
}

TEST(ClusterFaults, ALongTaskKeepsItsLease) {
  Crew crew;
  crew.hire(2, {.threads = 1});
  // Three renewals of a third: a machine may be so busy that one is late.
  QueueOptions options{.lease = 800ms, .patience = 60s, .speculation = 0};
  Cluster cluster = crew.connect(options);
  EXPECT_EQ(parallel::map(cluster, numbers(3), takes_long, {.chunk = 1}), numbers(3));
  EXPECT_EQ(cluster.counts().chunks.duplicates, 0);
  EXPECT_EQ(cluster.counts().chunks.reissued, 0);
}

TEST(ClusterFaults, ALeavingWorkerHandsBackWhatHasNotBegun) {
  turnstile.reset();
  Crew crew;
  QueueOptions options = Crew::impatient();
  options.lease = 60s;
  options.patience = 60s;
  options.speculation = 0;
  Cluster cluster = crew.connect(options);
  crew.hire(1, {.threads = 1});
  std::vector<int> results;
  std::thread caller(
      [&] { results = parallel::map(cluster, numbers(6), one_waits, {.chunk = 1}); });
  turnstile.wait_inside();
  std::thread leaving([&] { crew.dismiss(); });
  turnstile.open();
  leaving.join();
  crew.hire(1, {.threads = 1});
  caller.join();
  EXPECT_EQ(results, numbers(6));
  EXPECT_EQ(cluster.counts().chunks.reissued, 0);
}

TEST(ClusterFaults, ASlowChunkIsIssuedOnceMoreNearTheEnd) {
  turnstile.reset();
  Crew crew;
  QueueOptions options = Crew::impatient();
  options.speculation_min = 20ms;
  Cluster cluster = crew.connect(options);
  crew.hire(2, {.threads = 1});
  EXPECT_EQ(parallel::map(cluster, numbers(10), one_waits, {.chunk = 1}), numbers(10));
  EXPECT_GE(cluster.counts().chunks.speculated, 1);
  turnstile.open();
}

TEST(ClusterFaults, AChunkThatFailsEveryTimeBecomesADeadLetter) {
  Crew crew;
  crew.hire(1, {.threads = 1, .retry_delay = 1ms});
  Cluster cluster = crew.connect();
  EXPECT_THROW(static_cast<void>(parallel::map(cluster, numbers(1), always_fails)), RemoteError);

  const auto connection = Connection::connect(crew.server().cluster());
  ASSERT_TRUE(connection);
  const Subjects subjects("artel");
  const auto letters = dead_letters(*connection, subjects);
  ASSERT_TRUE(letters) << to_string(letters.error());
  ASSERT_EQ(letters->size(), 1);
  EXPECT_EQ((*letters)[0].letter.reason, "never mind");
  EXPECT_FALSE((*letters)[0].letter.worker.empty());

  auto of_a_copy = (*letters)[0].letter;  // that another worker had at the same time
  of_a_copy.reason = "nor this one";
  ASSERT_TRUE(bury(*connection, subjects, of_a_copy));
  const auto both = dead_letters(*connection, subjects);
  ASSERT_EQ(both->size(), 1);
  EXPECT_EQ((*both)[0].letter.reason, "nor this one");
  ASSERT_TRUE(discard(*connection, subjects, (*both)[0]));
  EXPECT_TRUE(discard(*connection, subjects, (*both)[0]));  // twice is once
  EXPECT_TRUE(dead_letters(*connection, subjects)->empty());
}

TEST(ClusterFaults, AChunkThatEveryWorkerDiesOfIsTriedOnceMoreThenBuried) {
  Crew crew;
  QueueOptions options = Crew::impatient();
  options.lease = 100ms;
  options.patience = 60s;  // what the server says of it counts, not that nobody mentions it
  options.tries = 1;
  Cluster cluster = crew.connect(options);
  std::atomic<bool> over = false;
  std::atomic<int> deaths = 0;
  std::thread victims([&] {
    LostWorker worker(crew);
    while (worker.take(doubled.key(), 1, over) > 0) ++deaths;
  });
  try {
    static_cast<void>(parallel::map(cluster, numbers(1), doubled));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const pool::TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::closed);
    EXPECT_EQ(error.error().where, "chunk 0 (items 0 to 0)");
    EXPECT_NE(error.error().what.find("3 times in all"), std::string::npos) << error.what();
  }
  over = true;
  victims.join();
  EXPECT_EQ(deaths, 3);  // one try, and a trial of two
  EXPECT_EQ(cluster.counts().suspect, 1);
  EXPECT_EQ(cluster.counts().dead, 1);

  const auto connection = Connection::connect(crew.server().cluster());
  ASSERT_TRUE(connection);
  const Subjects subjects("artel");
  const auto letters = dead_letters(*connection, subjects);
  ASSERT_TRUE(letters) << to_string(letters.error());
  ASSERT_EQ(letters->size(), 1);
  ASSERT_TRUE(requeue(*connection, subjects, (*letters)[0]));
  EXPECT_TRUE(dead_letters(*connection, subjects)->empty());
  EXPECT_EQ(LostWorker(crew).take(doubled.key(), 1), 1);  // it is in the queue again
}

TEST(ClusterFaults, APoolWithoutMishapsHasNoDeadLetters) {
  Crew crew;
  crew.hire(1);
  Cluster cluster = crew.connect();
  EXPECT_EQ(parallel::map(cluster, numbers(4), doubled), doubles(4));
  const auto connection = Connection::connect(crew.server().cluster());
  ASSERT_TRUE(connection);
  const auto letters = dead_letters(*connection, Subjects("artel"));
  ASSERT_TRUE(letters) << to_string(letters.error());
  EXPECT_TRUE(letters->empty());
}

TEST(ClusterFaults, AnInnocentChunkSurvivesTheCrashesOfItsWorkers) {
  Crew crew;
  QueueOptions options = Crew::impatient();
  options.lease = 100ms;
  options.tries = 1;
  Cluster cluster = crew.connect(options);
  std::vector<int> results;
  std::thread caller([&] { results = parallel::map(cluster, numbers(4), doubled, {.chunk = 1}); });
  EXPECT_GT(LostWorker(crew).take(doubled.key(), 2), 0);
  crew.hire(1);
  caller.join();
  EXPECT_EQ(results, doubles(4));
  EXPECT_EQ(cluster.counts().dead, 0);
}

class ServerRestart : public testing::TestWithParam<std::pair<Storage, int>> {};

TEST_P(ServerRestart, LosesNothing) {
  Crew crew;
  QueueOptions options = Crew::impatient();
  options.storage = GetParam().first;
  Cluster cluster = crew.connect(options);
  crew.hire(2);
  std::atomic<int> read = 0;
  std::vector<int> results;
  std::thread caller([&] {
    const auto source = std::views::iota(0, 600) | std::views::transform([&](int x) {
                          ++read;
                          read.notify_all();
                          return x;
                        });
    results = parallel::map(cluster, source, takes_a_moment, {.chunk = 2});
  });
  for (int seen = read; seen < 200; seen = read) read.wait(seen);
  crew.server().stop(0, GetParam().second);
  ASSERT_TRUE(crew.server().start_again(0));
  caller.join();
  EXPECT_EQ(results, numbers(600));
  EXPECT_EQ(cluster.counts().chunks.done, 300);
}

INSTANTIATE_TEST_SUITE_P(All, ServerRestart,
                         testing::Values(std::pair(Storage::file, SIGTERM),
                                         std::pair(Storage::file, SIGKILL),
                                         std::pair(Storage::memory, SIGKILL)));

TEST(ClusterFaults, ALargeItemOfALostWorkerGoesToAnother) {
  Crew crew;
  Cluster cluster = crew.connect();
  const std::vector<std::string> items(4, std::string(9U << 20U, 'x'));
  std::vector<std::size_t> lengths;
  std::thread caller([&] { lengths = parallel::map(cluster, items, length, {.chunk = 1}); });
  EXPECT_GT(LostWorker(crew).take(length.key(), 2), 0);
  crew.hire(1);
  caller.join();
  EXPECT_EQ(lengths, std::vector<std::size_t>(4, std::size_t{9} << 20U));
}

}  // namespace
}  // namespace artel::cluster
