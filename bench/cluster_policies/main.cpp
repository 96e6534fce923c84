// How long a cluster takes for tasks that sleep when one of its four workers is eight times slower
// than the others: one queue from which all pull, or queues of the workers' own under each policy,
// with so many chunks at a worker at most. `over_ideal`: the makespan in terms of the work divided
// by the workers' speed. Nothing is issued twice.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/id.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"

namespace artel::bench {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kMeanS = 0.004;
constexpr int kSlowness = 8;
constexpr std::size_t kQuickWorkers = 3;

// One task under one name; how long it takes depends on the worker.
template <int slowness>
struct Nap {
  static constexpr std::string_view kName = "nap";
  static constexpr std::uint32_t kVersion = 1;
  static int call(double seconds) {
    std::this_thread::sleep_for(Seconds(seconds * slowness));
    return 1;
  }
};
constexpr cluster::RemoteTask<Nap<1>> kNap{};

template <int slowness>
void teach(cluster::TaskRegistry& registry) {
  cluster::register_task<Nap<slowness>>(registry);
}

std::vector<double> sizes(std::size_t tasks) {
  random::Stream dice(Seed{1}, "sizes");
  std::vector<double> all;
  for (std::size_t i = 0; i < tasks; ++i) all.push_back(-kMeanS * std::log1p(-dice.uniform()));
  return all;
}

class Workers {
 public:
  explicit Workers(const cluster::LocalServer& server) {
    teach<1>(quick_);
    teach<kSlowness>(slow_);
    for (std::size_t i = 0; i < kQuickWorkers; ++i) start(server, quick_);
    start(server, slow_);
  }

 private:
  void start(const cluster::LocalServer& server, const cluster::TaskRegistry& registry) {
    auto node = cluster::WorkerNode::connect(
                    {.cluster = server.cluster(), .threads = 1, .registry = &registry})
                    .value();
    threads_.emplace_back([held = std::shared_ptr(std::move(node))](const std::stop_token& stop) {
      held->run(stop);
    });
  }

  cluster::TaskRegistry quick_;
  cluster::TaskRegistry slow_;
  std::vector<std::jthread> threads_;
};

Outcome makespan(const std::vector<double>& naps, const cluster::QueueOptions& queue) {
  const auto server = cluster::LocalServer::start().value();
  const Workers workers(server);
  auto cluster = cluster::Cluster::connect(server.cluster(), queue).value();
  while (cluster.workers().size() <= kQuickWorkers) std::this_thread::yield();
  std::size_t done = 0;
  const double seconds = seconds_of([&] {
    done = parallel::map(cluster, naps, kNap, {.chunk = 1, .window = naps.size()}).size();
  });
  double work = 0;
  for (const double nap : naps) work += nap;
  const double ideal = work / (kQuickWorkers + 1.0 / kSlowness);
  return {{{"makespan_s", "s", seconds}, {"over_ideal", "ratio", seconds / ideal}},
          std::to_string(done)};
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel;
  using namespace artel::bench;
  using namespace std::chrono_literals;
  Comparison comparison("cluster_policies", argc, argv);
  const auto naps = sizes(comparison.smoke() ? 50 : 2000);
  const auto add = [&](const std::string& name, const std::optional<dispatch::Policy>& policy,
                       std::uint32_t per_worker) {
    const cluster::QueueOptions queue{
        .speculation = 0, .dispatch = policy, .per_worker = per_worker};
    comparison.add({.contender = policy ? fmt::format("{} K={}", name, per_worker) : name,
                    .workload = fmt::format("{} naps", naps.size()),
                    .run = [&naps, queue] { return makespan(naps, queue); },
                    .warm_up = false});
  };
  add("shared queue", std::nullopt, 1);
  for (const std::uint32_t most : {1U, 2U, 4U, 16U}) {
    add("least_loaded", dispatch::LeastLoaded{}, most);
  }
  add("jsq(2)", dispatch::Jsq{}, 2);
  add("jiq", dispatch::Jiq{}, 2);
  add("least_work_left", dispatch::LeastWorkLeft{}, 2);
  add("round_robin", dispatch::RoundRobin{}, 2);
  add("random", dispatch::Random{}, 2);
  const dispatch::ClosedLoop loop{.beacon_every = 50ms, .publish_every = 20ms};
  for (const std::uint32_t most : {2U, 16U}) add("closed_loop", loop, most);
  return comparison.run();
}
