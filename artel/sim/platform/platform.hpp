#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artel/sim/model/power.hpp"
#include "artel/sim/model/profile.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

/// What a disk can do: the numbers of a DiskOptions.
struct DiskSpec {
  std::string name;
  std::string mount;  ///< where a file system shows it; empty: nowhere
  std::uint64_t capacity = std::numeric_limits<std::uint64_t>::max();  ///< bytes
  double read = 0;                                                     ///< bytes per second
  double write = 0;                                                    ///< bytes per second
};

/// What a host can do: the numbers of a ComputeOptions, and its disks; see add_compute.
struct HostSpec {
  std::string name;
  NodeId node{};
  double speed = 1;         ///< flops per second of one core
  std::uint32_t cores = 1;  ///< that one computation or several may use
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  ///< bytes
  std::vector<DiskSpec> disks;
  Power power = {};
  std::shared_ptr<const Profile> speeds;  ///< parts of `speed` over time; nullptr: all, always
  std::shared_ptr<const Profile> states;  ///< down where it is 0; nullptr: always up
};

/// Hosts of a platform, at most.
inline constexpr std::uint64_t kPlatformHostsMax = 1'000'000;

/// A site: hosts, and the network between them. A description only; make a RoutedNetwork from the
/// topology, and a Compute and Disks from the hosts that take part.
struct Platform {
  std::vector<HostSpec> hosts;  ///< by node, in the order of the file
  Topology topology{};
  std::map<std::string, NodeId, std::less<>> nodes;  ///< of hosts, switches and routers
  /// That have a name; both directions, which are one link unless full duplex.
  std::map<std::string, Topology::LinkPair, std::less<>> links;

  /// Or nullptr.
  [[nodiscard]] const HostSpec* find_host(std::string_view name) const;
  [[nodiscard]] const HostSpec* host_at(NodeId node) const;

  /// Adds a node and its name; false when that is taken.
  bool add_node(const std::string& name);
  /// The same for a host at a new node.
  bool add_host(HostSpec host);
  /// Names a node that is there already; false when the name is taken.
  bool name_node(const std::string& name, NodeId node);
};

}  // namespace artel::sim
