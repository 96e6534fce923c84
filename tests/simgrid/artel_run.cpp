#include "tests/simgrid/artel_run.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/model/network.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/sim/model/routed_network.hpp"
#include "artel/sim/platform/platform.hpp"
#include "tests/simgrid/workload.hpp"

namespace artel::sim::simgrid_check {
namespace {

struct Start {
  std::size_t number = 0;
};

struct Transfers : Component<Start, TransferEnded> {
  Transfers(const Platform& on, const std::vector<TransferPlan>& what, Network& over)
      : platform(on), plan(what), network(over), operations(what.size()), ends(what.size()) {
    for (std::size_t i = 0; i < plan.size(); ++i) emit_self(Start{i}, plan[i].start);
  }
  void on(const Start& start) {
    const TransferPlan& wanted = plan[start.number];
    operations[start.number] = network.start_transfer(platform.find_host(wanted.from)->node,
                                                      platform.find_host(wanted.to)->node,
                                                      static_cast<double>(wanted.bytes), id());
  }
  void on(const TransferEnded& ended) {
    const auto found = std::find(operations.begin(), operations.end(), ended.operation);
    ends[static_cast<std::size_t>(found - operations.begin())] = to_seconds(now());
  }
  const Platform& platform;
  const std::vector<TransferPlan>& plan;
  Network& network;
  std::vector<OperationId> operations;
  std::vector<double> ends;
};

struct World {
  World(const Platform& platform, const std::vector<TransferPlan>& plan)
      : network(simulation.add<Network>(
            "network",
            NetworkOptions{.model = std::make_unique<RoutedNetwork>(platform.topology)})),
        transfers(simulation.add<Transfers>("transfers", platform, plan, network)) {}
  Simulation simulation;
  Network& network;
  Transfers& transfers;
};

struct Executions : Component<Start, ComputationStarted, ComputationFinished, ComputationFailed> {
  Executions(const std::vector<ExecutionPlan>& what,
             const std::map<std::string, Compute*>& on_hosts)
      : plan(what), hosts(on_hosts), operations(what.size()), ends(what.size()) {
    for (std::size_t i = 0; i < plan.size(); ++i) emit_self(Start{i}, plan[i].start);
  }
  void on(const Start& start) {
    const ExecutionPlan& wanted = plan[start.number];
    operations[start.number] = {hosts.at(wanted.host),
                                hosts.at(wanted.host)->start_run({.flops = wanted.flops}, id())};
  }
  void on(const ComputationStarted&) {}
  void on(const ComputationFailed&) {}
  void on(const ComputationFinished& finished, const Event& event) {
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const auto& [host, operation] = operations[i];
      if (host == nullptr || host->id() != event.src() || operation != finished.operation) continue;
      ends[i] = to_seconds(now());
    }
  }
  struct Place {
    Compute* host = nullptr;
    OperationId operation{};
  };
  const std::vector<ExecutionPlan>& plan;
  const std::map<std::string, Compute*>& hosts;
  std::vector<Place> operations;
  std::vector<double> ends;
};

}  // namespace

std::vector<double> artel_ends(const Platform& platform, const std::vector<TransferPlan>& plan) {
  World world(platform, plan);
  world.simulation.run();
  return world.transfers.ends;
}

std::vector<double> artel_rates(const Platform& platform, const std::vector<TransferPlan>& plan,
                                Duration first, Duration second) {
  World world(platform, plan);
  const auto left = [&](Duration at) {
    world.simulation.run_until(Instant{at});
    std::vector<double> bytes;
    for (const OperationId operation : world.transfers.operations) {
      bytes.push_back(world.network.left(operation).value());
    }
    return bytes;
  };
  std::vector<double> rates = left(first);
  const std::vector<double> later_left = left(second);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i] = (rates[i] - later_left[i]) / to_seconds(second - first);
  }
  return rates;
}

std::vector<double> artel_ends(const Platform& platform, const std::vector<ExecutionPlan>& plan) {
  Simulation simulation;
  std::map<std::string, Compute*> hosts;
  for (const HostSpec& host : platform.hosts) {
    hosts[host.name] = &simulation.add<Compute>(
        host.name,
        ComputeOptions{.speed = host.speed, .cores = host.cores, .use = Cores::time_shared});
  }
  auto& executions = simulation.add<Executions>("executions", plan, hosts);
  simulation.run();
  return executions.ends;
}

}  // namespace artel::sim::simgrid_check
