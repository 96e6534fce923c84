#include "examples/master_workers/model/run.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/model/constant_network.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/network.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/shared_network.hpp"
#include "artel/sim/model/topology.hpp"
#include "examples/master_workers/model/callback_worker.hpp"
#include "examples/master_workers/model/coroutine_worker.hpp"
#include "examples/master_workers/model/host.hpp"
#include "examples/master_workers/model/master.hpp"
#include "examples/master_workers/model/messages.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {
namespace {

namespace sim = artel::sim;

std::unique_ptr<sim::NetworkModel> network_model(const Infrastructure& spec, Sharing sharing) {
  if (sharing == Sharing::shared) {
    return std::make_unique<sim::SharedNetwork>(spec.latency, spec.bandwidth);
  }
  return std::make_unique<sim::ConstantNetwork>(spec.latency, spec.bandwidth);
}

template <class Worker>
Summary run_with(const Workload& workload, const RunOptions& options) {
  sim::Simulation simulation({.fingerprint = options.fingerprint});
  const Infrastructure& common = workload.infrastructure;
  auto& network = simulation.add<sim::Network>(
      "network", sim::NetworkOptions{.model = network_model(common, options.network),
                                     .local_bandwidth = common.local_bandwidth});
  auto& master = simulation.add<Master>("master", workload, options.policy, network);
  network.place(master.id(), kMasterNode);

  std::vector<sim::ComponentId> workers;
  for (std::uint32_t i = 0; i < workload.hosts.size(); ++i) {
    const HostSpec& spec = workload.hosts[i];
    const std::string name = "host-" + std::to_string(i);
    Host host{.number = i,
              .node = sim::NodeId{i},
              .network = &network,
              .master = master.id(),
              .workload = &workload};
    host.disk = &simulation.add<sim::Disk>(
        name + "/disk", sim::DiskOptions{.capacity = common.disk_capacity,
                                         .read = {.bandwidth = common.disk_bandwidth},
                                         .write = {.bandwidth = common.disk_bandwidth}});
    host.compute = &simulation.add<sim::Compute>(
        name + "/compute",
        sim::ComputeOptions{.speed = spec.speed, .cores = spec.cores, .memory = spec.memory});
    auto& worker = simulation.add<Worker>(name, host);
    network.place(worker.id(), host.node);
    worker.start();
    worker.emit(WorkerReady{i}, master.id(), common.latency);
    workers.push_back(worker.id());
  }
  master.set_workers(std::move(workers));
  auto& user = simulation.add_context("user");
  for (std::uint32_t task = 0; task < workload.tasks.size(); ++task) {
    user.emit_now(TaskSubmitted{task}, master.id());
  }
  master.start();

  const auto started = std::chrono::steady_clock::now();
  simulation.run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  Summary summary{.completed = master.completed(),
                  .events = simulation.event_count(),
                  .makespan = master.last_completed_at().time_since_epoch(),
                  .run_seconds = took.count(),
                  .scheduling_seconds = master.scheduling().count()};
  if (options.fingerprint) summary.fingerprint = simulation.fingerprint();
  return summary;
}

}  // namespace

Summary run(const Workload& workload, const RunOptions& options) {
  return options.style == Style::callback ? run_with<CallbackWorker>(workload, options)
                                          : run_with<CoroutineWorker>(workload, options);
}

}  // namespace master_workers
