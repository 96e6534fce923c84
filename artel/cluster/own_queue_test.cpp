// Workers with queues of their own, filled by dispatch policies, on a real server.
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/worker_fleet.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

// Holds every call until it is opened.
class HeldCalls {
 public:
  void pass() {
    ++inside_;
    inside_.notify_all();
    open_.wait(false);
  }
  void wait_inside(int calls) const {
    for (int now = inside_; now < calls; now = inside_) inside_.wait(now);
  }
  void open() {
    open_ = true;
    open_.notify_all();
  }
  void reset() {
    inside_ = 0;
    open_ = false;
  }

 private:
  std::atomic<int> inside_ = 0;
  std::atomic<bool> open_ = false;
} gate;

}  // namespace

ARTEL_TASK(tripled, int, int x) {
  std::this_thread::sleep_for(std::chrono::microseconds(x % 7 * 100));
  return 3 * x;
}
ARTEL_TASK(held_up, int, int x) {
  gate.pass();
  return x;
}

namespace {

std::vector<int> triples(int n) {
  std::vector<int> all;
  for (int x = 0; x < n; ++x) all.push_back(3 * x);
  return all;
}

QueueOptions with(dispatch::Policy policy) {
  QueueOptions options = Crew::impatient();
  options.dispatch = std::move(policy);
  return options;
}

// Beside those of the crew.
std::jthread another_worker(Crew& crew) {
  auto node = WorkerNode::connect({.cluster = crew.server().cluster(), .threads = 1});
  if (!node) ADD_FAILURE() << to_string(node.error());
  return std::jthread(
      [held = std::shared_ptr(std::move(*node))](const std::stop_token& stop) { held->run(stop); });
}

class OwnQueuesOf : public testing::TestWithParam<dispatch::Policy> {};

TEST_P(OwnQueuesOf, EveryItemHasItsResult) {
  Crew crew;
  crew.hire(2, {.threads = 1});
  crew.hire(1, {.threads = 3});
  Cluster cluster = crew.connect(with(GetParam()));
  EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 500), tripled, {.chunk = 2}), triples(500));
  EXPECT_EQ(cluster.counts().chunks.done, 250);
  EXPECT_EQ(cluster.counts().chunks.reissued, 0);
}

TEST_P(OwnQueuesOf, WorkersMayComeAndGo) {
  Crew first;
  first.hire(1, {.threads = 1});
  Cluster cluster = first.connect(with(GetParam()));
  std::atomic<int> read = 0;
  const auto source = std::views::iota(0, 600) | std::views::transform([&](int x) {
                        ++read;
                        read.notify_all();
                        return x;
                      });
  std::vector<int> results;
  std::thread caller([&] { results = parallel::map(cluster, source, tripled, {.chunk = 1}); });
  const auto wait_for = [&](int items) {
    for (int seen = read; seen < items; seen = read) read.wait(seen);
  };
  wait_for(100);
  first.hire(2, {.threads = 2});
  wait_for(300);
  first.dismiss();
  first.hire(1, {.threads = 1});
  caller.join();
  EXPECT_EQ(results, triples(600));
}

INSTANTIATE_TEST_SUITE_P(
    EveryPolicy, OwnQueuesOf,
    testing::Values(dispatch::Random{}, dispatch::RoundRobin{}, dispatch::WeightedRoundRobin{},
                    dispatch::LeastLoaded{}, dispatch::Jsq{}, dispatch::Jiq{},
                    dispatch::LeastWorkLeft{},
                    dispatch::ClosedLoop{.beacon_every = 20ms, .publish_every = 10ms}),
    [](const auto& test) {
      const std::string name = dispatch::name(test.param);
      return name.substr(0, name.find('('));
    });

TEST(OwnQueues, AWorkerHasNoMoreThanItMay) {
  gate.reset();
  Crew crew;
  crew.hire(2, {.threads = 1});
  QueueOptions options = with(dispatch::LeastLoaded{});
  options.speculation = 0;
  options.per_worker = 3;
  Cluster cluster = crew.connect(options);
  std::vector<int> results;
  std::thread caller([&] {
    results = parallel::map(cluster, std::views::iota(0, 20), held_up, {.chunk = 1, .workers = 20});
  });
  gate.wait_inside(2);
  gate.open();
  caller.join();
  EXPECT_EQ(results.size(), 20);
  EXPECT_LE(cluster.counts().out_max, 6);
}

TEST(OwnQueues, WhatWaitsAtALeavingWorkerGoesToAnotherAtOnce) {
  gate.reset();
  Crew crew;
  QueueOptions options = with(dispatch::RoundRobin{});
  options.lease = 60s;
  options.patience = 60s;
  options.speculation = 0;
  options.per_worker = 4;
  crew.hire(1, {.threads = 1});
  Cluster cluster = crew.connect(options);
  std::vector<int> results;
  std::thread caller([&] {
    results = parallel::map(cluster, std::views::iota(0, 6), held_up, {.chunk = 1, .workers = 6});
  });
  gate.wait_inside(1);
  std::thread leaving([&] { crew.dismiss(); });  // waits for the one that is worked on
  const std::jthread other = another_worker(crew);
  gate.wait_inside(2);  // one of those that waited
  gate.open();
  leaving.join();
  caller.join();
  EXPECT_EQ(results, (std::vector{0, 1, 2, 3, 4, 5}));
}

TEST(OwnQueues, WhoDoesNotKnowTheTaskPassesItOn) {
  const TaskRegistry nothing;
  Crew crew;
  crew.hire(1, {.threads = 1, .registry = &nothing});
  crew.hire(1, {.threads = 1});
  Cluster cluster = crew.connect(with(dispatch::RoundRobin{}));
  EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 20), tripled, {.chunk = 1}), triples(20));
}

// The master's side of beacons, by hand.
class BeaconSender {
 public:
  explicit BeaconSender(Crew& crew)
      : connection_(Connection::connect(crew.server().cluster()).value()),
        queue_(detail::JetStreamQueue::open(connection_, subjects_, check(QueueOptions{}).value(),
                                            {.result = [](std::string_view) {},
                                             .calm = [] {},
                                             .said = [](const MasterEvent&) {}})
                   .value()),
        answers_(
            detail::Subscription::open(connection_, inbox_, [this](const detail::Message& message) {
              const std::lock_guard guard(lock_);
              answer_ = decode_beacon_answer(detail::payload_of(message)).value();
              changed_.notify_all();
            }).value()) {}

  void give_queue(const std::string& worker) {
    ASSERT_TRUE(queue_->make_own(worker));
    const std::string call = encode(QueueCall{});
    ASSERT_EQ(natsConnection_Publish(connection_.handle(), subjects_.discovery().c_str(),
                                     call.data(), static_cast<int>(call.size())),
              NATS_OK);
  }
  void send(const std::string& worker, std::uint64_t number) {
    queue_->send_beacon(worker, {number, inbox_});
  }
  [[nodiscard]] bool answered() {
    const std::lock_guard guard(lock_);
    return answer_.has_value();
  }
  BeaconAnswer wait() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return answer_.has_value(); });
    return std::exchange(answer_, std::nullopt).value_or(BeaconAnswer{});
  }

 private:
  const Subjects subjects_{"artel"};
  Connection connection_;
  const std::string inbox_ = connection_.new_inbox();
  std::unique_ptr<detail::JetStreamQueue> queue_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::optional<BeaconAnswer> answer_;
  detail::Subscription answers_;
};

TEST(OwnQueues, ABeaconIsReachedBehindTheWorkThatWasThere) {
  gate.reset();
  Crew crew;
  crew.hire(1, {.threads = 1});
  Cluster cluster = crew.connect(with(dispatch::LeastLoaded{}));
  const std::string worker = cluster.workers().at(0).worker;
  std::thread caller([&] {
    static_cast<void>(parallel::map(cluster, std::views::iota(0, 2), held_up, {.chunk = 1}));
  });
  gate.wait_inside(1);
  BeaconSender master(crew);
  master.give_queue(worker);
  master.send(worker, 7);
  // The worker has it when the server has nothing more for it; it must not answer yet.
  while (cluster.workers().at(0).held.size() < 2) std::this_thread::yield();
  EXPECT_FALSE(master.answered());
  gate.open();
  const BeaconAnswer answer = master.wait();
  caller.join();
  EXPECT_EQ(answer.worker, worker);
  EXPECT_EQ(answer.number, 7);
  EXPECT_EQ(answer.done, 2);
  EXPECT_EQ(answer.queued, 0);
}

}  // namespace
}  // namespace artel::cluster
