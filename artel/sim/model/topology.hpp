#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/max_min.hpp"

namespace artel::sim {

/// A host or switch of a network: dense numbers from 0.
enum class NodeId : std::uint32_t {};

/// What a link can carry.
struct LinkSpec {
  double bandwidth = 0;  ///< bytes per second, > 0
  Duration latency{};    ///< ≥ 0
  Sharing sharing = Sharing::shared;
};

/// Whether the two directions of a connection share its bandwidth.
enum class Duplex : std::uint8_t { full, half };

/// Nodes, the links between them, and who reaches whom over which.
///
/// A route is the one that was set, or else what the routing says, if one was given, or else the
/// shortest: of least latency, then of fewest links.
/// Of several shortest ones the lowest nodes win; with `spread`, a hash of both ends chooses, as
/// routers do with paths of equal cost.
/// Cost:    route O(links of the route) once the distances to its end are known; these take
///          O(edges · log nodes) for every end, and are forgotten when a link changes.
/// Units:   bytes per second.
/// Threads: one at a time.
class Topology {
 public:
  /// Of several shortest routes: the one over nodes of lowest numbers, or one that the two ends
  /// decide.
  enum class EqualPaths : std::uint8_t { lowest, spread };
  /// The two directions of a connection.
  struct LinkPair {
    LinkId there;  ///< from the first node to the second
    LinkId back;   ///< the same link when half duplex
  };
  /// The way from one node to another.
  struct Route {
    std::span<const LinkId> links;  ///< valid until the next change or call of route()
    Duration latency{};             ///< sum over the links
  };

  explicit Topology(EqualPaths equal_paths = EqualPaths::lowest) : equal_paths_(equal_paths) {}

  /// A node without links; numbers go up from 0.
  NodeId add_node();
  /// Several at once, with consecutive numbers.
  [[nodiscard]] std::vector<NodeId> add_nodes(std::size_t count);
  /// A switch or host connected to another, in both directions.
  LinkPair connect(NodeId a, NodeId b, const LinkSpec& spec, Duplex duplex = Duplex::full);

  /// A link by itself, to be used by edges or set routes; any number of them may share it.
  LinkId add_link(const LinkSpec& spec);
  /// One can go over `link` from a node to another, one way.
  void add_edge(NodeId from, NodeId to, LinkId link);
  /// One way. Empty: no latency, no limit. A link that stands there twice is crossed twice.
  void set_route(NodeId from, NodeId to, std::vector<LinkId> links);

  /// Appends the links from one node to another; false when there is no way.
  using Routing = std::function<bool(NodeId from, NodeId to, std::vector<LinkId>& links)>;
  /// Instead of shortest routes, for networks with rules of their own.
  void set_routing(Routing routing) { routing_ = std::move(routing); }

  /// Takes a link down, or up again: routes go round it.
  void set_up(LinkId link, bool up);
  /// Whether the link can be used.
  [[nodiscard]] bool is_up(LinkId link) const { return links_[at(link)].up; }

  /// Nothing when there is no way, or the route that was set has a link that is down.
  [[nodiscard]] std::optional<Route> route(NodeId from, NodeId to);

  /// Nodes and links that there are: node_count(), link_count(); numbers go up from 0.
  [[nodiscard]] std::size_t node_count() const { return edges_to_.size(); }
  [[nodiscard]] std::size_t link_count() const { return links_.size(); }
  /// What the link was made with, as changed since.
  [[nodiscard]] const LinkSpec& link(LinkId id) const { return links_[at(id)].spec; }

 private:
  template <class Id>
  [[nodiscard]] static std::size_t at(Id id) {
    return static_cast<std::size_t>(id);
  }

  using Cost = std::uint64_t;  // 1024 · latency in ns + links
  static constexpr Cost kFar = ~Cost{0};

  struct Link {
    LinkSpec spec;
    bool up = true;
  };
  struct Edge {
    NodeId other{};
    LinkId link{};
  };

  [[nodiscard]] Cost cost(const Edge& edge) const;
  [[nodiscard]] const std::vector<Cost>& costs_to(NodeId to);
  [[nodiscard]] std::optional<Route> route_over(std::span<const LinkId> links) const;
  bool find_shortest(NodeId from, NodeId to);
  [[nodiscard]] Duration latency_of(std::span<const LinkId> links) const;
  void forget_costs();

  EqualPaths equal_paths_;
  std::vector<Link> links_;
  std::vector<std::vector<Edge>> edges_to_;    // by node: from where it is reached
  std::vector<std::vector<Edge>> edges_from_;  // by node: what it reaches
  std::map<std::pair<NodeId, NodeId>, std::vector<LinkId>> set_routes_;
  Routing routing_;
  std::vector<std::vector<Cost>> costs_;  // by destination, then by node; empty: not known
  std::vector<LinkId> path_;
};

}  // namespace artel::sim
