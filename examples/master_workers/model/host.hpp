#pragma once

#include <cstdint>

#include "artel/sim/kernel/event.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/network.hpp"
#include "artel/sim/model/topology.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace master_workers {

inline constexpr artel::sim::NodeId kMasterNode{0};

/// What a worker finds on its host.
struct Host {
  std::uint32_t number = 0;
  artel::sim::NodeId node{};
  artel::sim::Disk* disk = nullptr;
  artel::sim::Compute* compute = nullptr;
  artel::sim::Network* network = nullptr;
  artel::sim::ComponentId master{};
  const Workload* workload = nullptr;
};

}  // namespace master_workers
