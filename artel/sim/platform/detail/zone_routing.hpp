#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"

namespace artel::sim::detail {

/// A zone of a ZoneRouting: dense numbers from 0, the root's.
enum class ZoneId : std::uint32_t {};

/// A node or a zone, as the zone around it sees it.
enum class PointId : std::uint32_t {};

/// Routes by nested zones, as SimGrid finds them.
///
/// Inside a zone, its rule gives the links from point to point. Between two zones, the innermost
/// zone around both gives the links from the gateway of the one to the gateway of the other; from
/// the start to the first gateway, and from the second to the end, the same applies one level
/// further in.
/// Cost:    route O(links + depth); with rule `shortest`, O(routes · log points) once per start.
/// Threads: one at a time.
/// Source:  Bobelin et al., Scalable Multi-Purpose Network Representation for Large Scale
///          Distributed System Simulation, CCGrid 2012.
class ZoneRouting {
 public:
  enum class Rule : std::uint8_t {
    table,     ///< just the routes that were added
    shortest,  ///< chains of routes, of fewest links
    cluster,   ///< from every node over its own link, and the backbone
  };
  struct Gateways {
    NodeId from{};
    NodeId to{};
  };

  ZoneId add_root(Rule rule);
  ZoneId add_zone(ZoneId around, Rule rule);
  PointId add_node(ZoneId zone, NodeId node);

  [[nodiscard]] std::size_t zone_count() const { return zones_.size(); }
  [[nodiscard]] Rule rule(ZoneId zone) const { return zones_[at(zone)].rule; }
  /// As the zone around sees it.
  [[nodiscard]] PointId point(ZoneId zone) const { return zones_[at(zone)].point; }
  /// Nothing for a node of another network.
  [[nodiscard]] std::optional<PointId> point(NodeId node) const;
  [[nodiscard]] ZoneId zone_of(PointId point) const { return points_[at(point)].zone; }
  /// Whether a node is in a zone, or further in.
  [[nodiscard]] bool contains(ZoneId zone, NodeId node) const;

  /// Of a zone with rule table or shortest. Gateways of points that are nodes are these nodes.
  /// False when there is such a route already.
  bool add_route(PointId from, PointId to, const Gateways& gateways, std::vector<LinkId> links);

  // Of a zone with rule cluster:
  void set_private_links(PointId point, LinkId up, LinkId down);
  void set_backbone(ZoneId zone, LinkId link) { zones_[at(zone)].backbone = link; }

  /// Appends the links from a node to another; false when there is no way.
  bool route(NodeId from, NodeId to, std::vector<LinkId>& links);

 private:
  template <class Id>
  [[nodiscard]] static std::size_t at(Id id) {
    return static_cast<std::size_t>(id);
  }
  static constexpr PointId kNoPoint{~std::uint32_t{0}};

  struct Route {
    PointId from{};
    PointId to{};
    Gateways gateways;
    std::vector<LinkId> links;
  };
  struct Zone {
    Rule rule{};
    PointId point = kNoPoint;  // the root has none
    std::uint32_t depth = 0;
    std::optional<LinkId> backbone;
  };
  struct Point {
    ZoneId zone{};  // around it
    NodeId node{};  // of a node
    std::optional<LinkId> up;
    std::optional<LinkId> down;
    std::vector<std::size_t> routes;             // that begin here
    std::map<PointId, std::size_t> last_routes;  // rule shortest, once known: how each was reached
    bool solved = false;
  };

  std::optional<Gateways> local_route(PointId from, PointId to, std::vector<LinkId>& links);
  std::optional<Gateways> chain(PointId from, PointId to, std::vector<LinkId>& links);
  void solve(PointId from);

  std::vector<Zone> zones_;
  std::vector<Point> points_;
  std::vector<std::optional<PointId>> point_of_;  // by node
  std::vector<Route> routes_;
  std::map<std::pair<PointId, PointId>, std::size_t> route_between_;
};

}  // namespace artel::sim::detail
