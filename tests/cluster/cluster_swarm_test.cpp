// A map over a cluster whose workers are killed and stopped, whose servers are killed and whose
// connections are cut, at random points of its progress: every item has its one result, equal to
// that of a plain loop, and no blow stops it for long. A run is given by its seed (but for the
// interleaving): ARTEL_SWARM_SEED=n repeats one, ARTEL_SWARM_RUNS=n makes more.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/command/child.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/random/stream.hpp"
#include "tests/cluster/cut_proxy.hpp"
#include "tests/cluster/swarm_task.hpp"
#include "tests/cluster/worker_process.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLease = 1s;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// A worker process behind a network of its own.
class SwarmWorker {
 public:
  SwarmWorker(const ClusterOptions& cluster, bool direct)
      : token_(cluster.token.reveal()), servers_(server_list(cluster)) {
    if (!direct) {
      proxy_ = std::make_unique<CutProxy>(port_of(cluster.servers.front()));
      servers_ = fmt::format("nats://127.0.0.1:{}", proxy_->port());
    }
    start();
  }

  void kill() {
    process_->signal(SIGKILL);
    process_->wait();
    process_.reset();
    start();
  }
  void stop() const { process_->signal(SIGSTOP); }
  void go_on() const { process_->signal(SIGCONT); }
  void cut_for(Duration time) {
    if (proxy_) proxy_->cut_for(time);
  }

 private:
  void start() { process_ = std::make_unique<command::Child>(start_worker(servers_, token_)); }

  std::string token_;
  std::string servers_;
  std::unique_ptr<CutProxy> proxy_;
  std::unique_ptr<command::Child> process_;
};

// The shared queue, or queues of the workers' own.
std::optional<dispatch::Policy> policy_of(std::uint64_t choice) {
  switch (choice) {
    case 0:
      return std::nullopt;
    case 1:
      return dispatch::Jsq{};
    case 2:
      return dispatch::ClosedLoop{.beacon_every = 50ms, .publish_every = 20ms};
    default:
      return dispatch::LeastLoaded{};
  }
}

// What happens when so many results are there.
struct Blow {
  std::uint64_t at = 0;
  enum class Kind : std::uint8_t {
    kill_worker,
    stop_worker,
    cut_worker,
    kill_server,
    end_server
  } kind{};
  std::size_t whom = 0;
};

class Swarm {
 public:
  Swarm(std::uint64_t seed, std::size_t nodes)
      : dice_(Seed{seed}, "cluster-swarm"),
        items_(300 + dice_.below(700)),
        policy_(policy_of(dice_.below(4))),
        server_(LocalServer::start({.nodes = nodes}).value()) {
    const auto options = server_.cluster();
    const auto workers = 2 + dice_.below(3);
    // A client of several servers learns their addresses, and goes around a proxy.
    for (std::uint64_t i = 0; i < workers; ++i) workers_.emplace_back(options, nodes > 1);
    for (auto blows = 2 + dice_.below(5); blows > 0; --blows) {
      blows_.push_back({.at = dice_.below(items_),
                        .kind = static_cast<Blow::Kind>(dice_.below(5)),
                        .whom = static_cast<std::size_t>(dice_.below(12))});
    }
    std::ranges::sort(blows_, {}, &Blow::at);
  }

  void run() {
    auto cluster = Cluster::connect(server_.cluster(), {.replicas = server_.nodes() > 1 ? 3U : 1U,
                                                        .lease = kLease,
                                                        .tries = 100,
                                                        .dispatch = policy_});
    ASSERT_TRUE(cluster) << to_string(cluster.error());
    const auto source = std::views::iota(std::uint64_t{0}, items_);
    std::uint64_t count = 0;
    for (const auto& result :
         parallel::lazy_map(*cluster, source, swarm_work,
                            {.chunk = static_cast<std::size_t>(1 + dice_.below(8))})) {
      ASSERT_EQ(result, swarm_work(count));
      ++count;
      recovered();
      while (!blows_.empty() && blows_.front().at < count) {
        strike(blows_.front());
        blows_.erase(blows_.begin());
        ++in_a_row_;
      }
      since_ = steady_now();
    }
    EXPECT_EQ(count, items_);
    const auto counts = cluster->counts();
    EXPECT_EQ(counts.chunks.done, counts.chunks.issued);
  }

  // From when a server answers again, or a blow was struck, to the next result. Most of all.
  [[nodiscard]] Duration longest_pause() const { return longest_pause_; }

 private:
  // A result has come: what was struck has not stopped the map for longer than it may.
  void recovered() {
    constexpr Duration kCost = 2 * kLease + kLease + 2s;  // a connection is cut for two leases
    constexpr Duration kBusyMachine = 20s;
    const Duration pause = steady_now() - since_;
    longest_pause_ = std::max(longest_pause_, pause);
    EXPECT_LT(pause, std::max(in_a_row_, std::int64_t{1}) * kCost + kBusyMachine);
    in_a_row_ = 0;
  }

  void strike(const Blow& blow) {
    auto& worker = workers_[blow.whom % workers_.size()];
    const auto node = blow.whom % server_.nodes();
    switch (blow.kind) {
      case Blow::Kind::kill_worker:
        return worker.kill();
      case Blow::Kind::stop_worker:
        if (stopped_ != nullptr) stopped_->go_on();
        stopped_ = &worker;
        if (workers_.size() > 1) worker.stop();
        return;
      case Blow::Kind::cut_worker:
        return worker.cut_for(2 * kLease);
      case Blow::Kind::kill_server:
      case Blow::Kind::end_server:
        server_.stop(node, blow.kind == Blow::Kind::kill_server ? SIGKILL : SIGTERM);
        ASSERT_TRUE(server_.start_again(node));
        return;
    }
  }

  random::Stream dice_;
  std::uint64_t items_;
  std::optional<dispatch::Policy> policy_;
  LocalServer server_;
  std::vector<SwarmWorker> workers_;
  SwarmWorker* stopped_ = nullptr;
  std::vector<Blow> blows_;
  std::int64_t in_a_row_ = 0;  // blows since the last result
  Instant since_ = steady_now();
  Duration longest_pause_{};
};

void run_swarms(std::size_t nodes, std::uint64_t runs) {
  const auto first = from_environment("ARTEL_SWARM_SEED", 1);
  const auto count =
      from_environment("ARTEL_SWARM_RUNS", std::getenv("ARTEL_SWARM_SEED") != nullptr ? 1 : runs);
  Duration longest{};
  for (auto seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("ARTEL_SWARM_SEED={}", seed));
    Swarm swarm(seed, nodes);
    swarm.run();
    longest = std::max(longest, swarm.longest_pause());
    if (testing::Test::HasFailure()) return;
  }
  testing::Test::RecordProperty("longest_pause_s", fmt::format("{:.2f}", to_seconds(longest)));
}

TEST(ClusterSwarm, EveryItemHasItsResultOnOneServer) { run_swarms(1, 4); }

TEST(ClusterSwarm, EveryItemHasItsResultOnThreeServers) { run_swarms(3, 1); }

}  // namespace
}  // namespace artel::cluster
