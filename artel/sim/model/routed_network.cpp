#include "artel/sim/model/routed_network.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/model/flow_set.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim {

RoutedNetwork::RoutedNetwork(Topology topology) : topology_(std::move(topology)) {
  for (std::uint32_t i = 0; i < topology_.link_count(); ++i) {
    const LinkSpec& link = topology_.link(LinkId{i});
    flows_.add_link(link.bandwidth, link.sharing);
  }
}

std::optional<Duration> RoutedNetwork::latency(NodeId from, NodeId to) {
  const auto route = topology_.route(from, to);
  if (!route) return std::nullopt;
  return route->latency;
}

std::optional<Duration> RoutedNetwork::begin(Instant now, CarriedId id, const Leg& leg) {
  const auto route = topology_.route(leg.from, leg.to);
  if (!route) return std::nullopt;
  if (route->links.empty()) return Duration::zero();
  const FlowId flow = flows_.start(now, route->links, leg.bytes);
  if (flow_of_.size() <= index(id)) flow_of_.resize(index(id) + 1);
  if (carried_.size() <= index(flow)) carried_.resize(index(flow) + 1);
  flow_of_[index(id)] = flow;
  carried_[index(flow)] = id;
  return kForever;
}

double RoutedNetwork::give_up(Instant now, CarriedId id) {
  return flows_.remove(now, flow_of_[index(id)]);
}

double RoutedNetwork::left(Instant now, CarriedId id) {
  return flows_.left(now, flow_of_[index(id)]);
}

std::optional<CarriedId> RoutedNetwork::take_ended(Instant now) {
  const std::optional<FlowId> ended = flows_.take_ended(now);
  if (!ended) return std::nullopt;
  return carried_[index(*ended)];
}

void RoutedNetwork::set_up(Instant now, LinkId link, bool up, std::vector<CarriedId>& cut) {
  topology_.set_up(link, up);
  if (up) return;
  for (const FlowId flow : flows_.over(link)) {
    flows_.remove(now, flow);
    cut.push_back(carried_[index(flow)]);
  }
}

void RoutedNetwork::set_bandwidth(Instant now, LinkId link, double bandwidth) {
  flows_.set_capacity(now, link, bandwidth);
}

}  // namespace artel::sim
