// A map over a cluster whose workers are killed and stopped, whose servers are killed and whose
// connections are cut, at random points of its progress: every item has its one result, equal to
// that of a plain loop, and no blow costs much more than a lease. A run is given by its seed (but
// for the interleaving): ARTEL_SWARM_SEED=n repeats one, ARTEL_SWARM_RUNS=n makes more. Programs in
// ARTEL_NATS_SERVERS=a:b are the servers of further runs: newer versions than the one installed.
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
#include <sstream>
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
constexpr Duration kCut = 2 * kLease;  // so long a connection is

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
  Swarm(std::uint64_t seed, std::size_t nodes, const std::string& program)
      : dice_(Seed{seed}, "cluster-swarm"),
        items_(300 + dice_.below(700)),
        policy_(policy_of(dice_.below(4))),
        server_(LocalServer::start({.nodes = nodes, .program = program}).value()) {
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
    const auto chunk = static_cast<std::size_t>(1 + dice_.below(8));
    std::vector<Blow> blows;
    blows.swap(blows_);
    const Duration calm = map(*cluster, chunk);
    blows_.swap(blows);
    const Duration took = map(*cluster, chunk);
    const auto counts = cluster->counts();
    EXPECT_EQ(counts.chunks.done, counts.chunks.issued);
    // Of workers that are stopped and started the others do the work.
    constexpr int kFewer = 4;
    const Duration limit = kFewer * calm + cost_;
    EXPECT_LT(took, limit) << "without blows it took " << to_seconds(calm) << " s";
    share_ = to_seconds(took) / to_seconds(limit);
  }

  // What the blows took, of what they may at most.
  [[nodiscard]] double share() const { return share_; }

 private:
  // With the blows that there are. Returns how long it took.
  Duration map(Cluster& cluster, std::size_t chunk) {
    const auto source = std::views::iota(std::uint64_t{0}, items_);
    const Instant begun = steady_now();
    std::uint64_t count = 0;
    for (const auto& result : parallel::lazy_map(cluster, source, swarm_work, {.chunk = chunk})) {
      EXPECT_EQ(result, swarm_work(count));
      ++count;
      while (!blows_.empty() && blows_.front().at < count) {
        const Instant before = steady_now();
        strike(blows_.front());
        // From when the server answers again.
        cost_ += kLease + 2s + (steady_now() - before);
        if (blows_.front().kind == Blow::Kind::cut_worker) cost_ += kCut;
        blows_.erase(blows_.begin());
      }
    }
    EXPECT_EQ(count, items_);
    return steady_now() - begun;
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
        return worker.cut_for(kCut);
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
  Duration cost_{};  // of the blows so far, at most
  double share_ = 0;
};

// What is installed, empty, and those in the environment.
std::vector<std::string> server_programs() {
  std::vector<std::string> programs{""};
  const char* const more = std::getenv("ARTEL_NATS_SERVERS");
  std::istringstream list(more != nullptr ? more : "");
  for (std::string program; std::getline(list, program, ':');) {
    if (!program.empty()) programs.push_back(program);
  }
  return programs;
}

void run_swarms(std::size_t nodes, std::uint64_t runs) {
  const auto first = from_environment("ARTEL_SWARM_SEED", 1);
  const auto count =
      from_environment("ARTEL_SWARM_RUNS", std::getenv("ARTEL_SWARM_SEED") != nullptr ? 1 : runs);
  double most = 0;
  for (const std::string& program : server_programs()) {
    for (auto seed = first; seed < first + count; ++seed) {
      SCOPED_TRACE(fmt::format("ARTEL_SWARM_SEED={} {}", seed, program));
      Swarm swarm(seed, nodes, program);
      swarm.run();
      most = std::max(most, swarm.share());
      if (testing::Test::HasFailure()) return;
    }
  }
  testing::Test::RecordProperty("share_of_the_time_allowed", fmt::format("{:.2f}", most));
}

TEST(ClusterSwarm, EveryItemHasItsResultOnOneServer) { run_swarms(1, 4); }

TEST(ClusterSwarm, EveryItemHasItsResultOnThreeServers) { run_swarms(3, 1); }

}  // namespace
}  // namespace artel::cluster
