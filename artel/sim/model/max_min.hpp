#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace artel::sim {

/// A link of a MaxMin: dense numbers from 0.
enum class LinkId : std::uint32_t {};

/// A flow of a MaxMin. The number is used again after the flow was removed.
enum class FlowId : std::uint32_t {};

/// How the flows over a link share it.
enum class Sharing : std::uint8_t {
  shared,    ///< its capacity is divided among them
  fat_pipe,  ///< each of them may use the whole capacity: a backbone that is never full
};

/// Max-min fair rates of flows over links, kept up to date change by change.
///
/// Every flow goes at the same rate as the others, as far as its links allow: rates rise together
/// until a link is full, then the flows over that link stay, the others go on rising. So each flow
/// has a bottleneck, a full link where none is faster; the common rate of the flows for which a
/// link is the bottleneck is the link's level.
///
/// A change is solved again only as far as it reaches. Rates below the level where it first tells
/// are the same as before, and a link at which no flow's rate changes keeps its level: a sweep of
/// the level upwards starts with the links of the change, and takes in a full link just when a flow
/// over it leaves its old rate. Changes are collected; solve() deals with all at once.
/// Cost:    add, remove O(links of the flow). solve O(crossings of the links reached, with a
///          logarithm for links and for flows whose bottleneck is not reached); nothing is
///          allocated below the peak.
/// Units:   capacities and rates in one unit, bytes per second say.
/// Threads: one at a time.
/// Source:  progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2).
class MaxMin {
 public:
  static constexpr double kNoLevel = std::numeric_limits<double>::infinity();
  /// No link.
  static constexpr LinkId kNoLink{std::numeric_limits<std::uint32_t>::max()};

  /// Requires: capacity >= 0, finite.
  LinkId add_link(double capacity, Sharing sharing = Sharing::shared);
  /// 0 stops the flows over it.
  void set_capacity(LinkId link, double capacity);
  /// Of that link, changes included that solve() has not seen.
  [[nodiscard]] double capacity(LinkId link) const { return links_[at(link)].capacity; }
  /// Links: none is ever taken away.
  [[nodiscard]] std::size_t link_count() const { return links_.size(); }

  /// Requires: 1 <= path.size(). A link that stands there twice is crossed twice.
  FlowId add_flow(std::span<const LinkId> path);
  /// Takes the flow out; its number may be given out again.
  void remove_flow(FlowId flow);
  /// Flows that there are.
  [[nodiscard]] std::size_t flow_count() const { return flows_.size() - free_flows_.size(); }
  /// The flows over a link, each once, by number.
  [[nodiscard]] std::vector<FlowId> flows_over(LinkId link) const;

  /// Brings rates up to date with the changes since the last call.
  void solve();

  // As of the last solve():

  /// Of that flow.
  [[nodiscard]] double rate(FlowId flow) const { return level(bottleneck(flow)); }
  /// The link that limits the flow.
  [[nodiscard]] LinkId bottleneck(FlowId flow) const { return flows_[at(flow)].bottleneck; }
  /// The rate of the flows that the link limits; kNoLevel when it limits none.
  [[nodiscard]] double level(LinkId link) const { return links_[at(link)].level; }
  /// The links whose levels the last solve() changed.
  [[nodiscard]] std::span<const LinkId> links_changed() const { return links_changed_; }
  /// The flows whose bottlenecks it changed, new ones among them.
  [[nodiscard]] std::span<const FlowId> flows_moved() const { return flows_moved_; }

 private:
  template <class Id>
  [[nodiscard]] static std::size_t at(Id id) {
    return static_cast<std::size_t>(id);
  }

  struct Crossing {  // one flow at one link, seen from the link
    FlowId flow{};
    std::uint32_t hop = 0;  // which link of the flow's path this is
  };
  struct Hop {  // the same seen from the flow
    LinkId link{};
    std::uint32_t place = 0;  // in the link's crossings
  };
  struct Link {
    double capacity = 0;
    double level = kNoLevel;
    double used = 0;             // sum of the rates over it
    std::uint32_t limiting = 0;  // flows whose bottleneck it is
    Sharing sharing{};
    bool reached = false;      // is to be solved anew
    bool touched = false;      // its flows or its capacity changed since the last solve
    double open_capacity = 0;  // while solving: what is not given to settled flows
    std::uint32_t open = 0;    // while solving: flows not settled
    double new_level = kNoLevel;
    double gained = 0;  // while solving: by how much the rates over it changed
    std::vector<Crossing> crossings;
  };
  struct Flow {
    LinkId bottleneck = kNoLink;
    LinkId new_bottleneck = kNoLink;
    std::uint32_t first_hop = 0;  // in hops_
    std::uint16_t hop_count = 0;
    bool open = false;    // while solving: not settled
    bool seen = false;    // while solving: is or was open
    double new_rate = 0;  // while solving: when settled
  };
  struct Key {
    double level = 0;
    std::uint32_t number = 0;  // of the link or flow: orders equal levels

    bool operator>(const Key& other) const {
      return level != other.level ? level > other.level : number > other.number;
    }
  };

  [[nodiscard]] std::span<Hop> hops(const Flow& flow) {
    return {hops_.data() + flow.first_hop, flow.hop_count};
  }
  [[nodiscard]] double old_rate(const Flow& flow) const {
    return flow.bottleneck == kNoLink ? kNoLevel : links_[at(flow.bottleneck)].level;
  }

  void touch(LinkId link);
  [[nodiscard]] double level_alone(const Link& link) const;
  [[nodiscard]] double find_floor();
  void open(LinkId link, double level);
  void sweep();
  void fill(LinkId link, double level);
  void rise_above(LinkId link);
  void disturb_full(const Flow& flow, double level);
  void settle(Flow& flow, LinkId bottleneck, double rate);
  [[nodiscard]] double filling_level(const Link& link) const;
  bool reach_overfull();
  void commit();

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_flows_;
  std::vector<Hop> hops_;
  std::vector<std::vector<std::uint32_t>> free_hops_;  // by hop count
  std::vector<LinkId> touched_;
  std::vector<LinkId> reached_;
  std::vector<FlowId> open_flows_;
  std::vector<LinkId> gaining_;
  // Heaps by level, while solving:
  std::vector<Key> filling_;  // reached links, by the level where they fill, or less
  std::vector<Key> passing_;  // reached links, by the level where they were full
  std::vector<Key> caps_;     // open flows whose bottleneck is not reached, by its level
  std::vector<LinkId> links_changed_;
  std::vector<FlowId> flows_moved_;
};

}  // namespace artel::sim
