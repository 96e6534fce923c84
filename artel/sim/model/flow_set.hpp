#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/earliest.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/max_min.hpp"

namespace artel::sim {

/// Transfers over links at max-min fair rates, in time.
///
/// The flows that one link limits all go at its level: they share a virtual clock, on which a
/// change of level moves none of their ends. Changes at one instant are dealt with together, by the
/// first call of next_end() or rate() after them.
///
/// Cost:     a change what it costs MaxMin, plus O(log) for every level and every bottleneck that
///           changed, not for every rate.
/// Units:    volumes in any unit (bytes), capacities in that unit per second.
/// Requires: `now` never goes back from call to call; take_ended at every next_end().
/// Threads:  one at a time.
class FlowSet {
 public:
  /// Requires: capacity >= 0, finite.
  LinkId add_link(double capacity, Sharing sharing = Sharing::shared);
  /// 0 stops the flows over it.
  void set_capacity(Instant now, LinkId link, double capacity);
  /// Of that link now.
  [[nodiscard]] double capacity(LinkId link) const { return rates_.capacity(link); }

  /// Requires: 1 <= path.size(); a link that stands there twice is crossed twice; 0 <= volume,
  /// finite.
  FlowId start(Instant now, std::span<const LinkId> path, double volume);
  /// Takes out a flow that has not ended; the volume that it still had to go.
  double remove(Instant now, FlowId flow);
  /// The volume that the flow has still to go.
  [[nodiscard]] double left(Instant now, FlowId flow) const;
  /// Volume per second of that flow now.
  [[nodiscard]] double rate(FlowId flow);
  [[nodiscard]] std::size_t size() const { return rates_.flow_count(); }
  /// The flows over a link, by number.
  [[nodiscard]] std::vector<FlowId> over(LinkId link) const { return rates_.flows_over(link); }

  /// When the next flow ends if nothing changes; kNever without one.
  [[nodiscard]] Instant next_end();
  /// Takes out the next flow that has ended by `now`, in order of end, then of link, then of start.
  std::optional<FlowId> take_ended(Instant now);

 private:
  struct FlowState {  // of a flow on the clock of its bottleneck
    LinkId link = MaxMin::kNoLink;
    ActivityId activity{};
    double volume = 0;  // while it is on no clock
  };
  struct Clock {
    detail::VirtualClock clock;
    std::vector<FlowId> flows;  // by slot
  };

  void change(Instant now);
  void settle();
  void enter(FlowId flow);
  void leave(Instant now, FlowId flow);
  void note_next_end(LinkId link);

  MaxMin rates_;
  std::vector<Clock> clocks_;      // by link
  std::vector<FlowState> states_;  // by flow
  detail::Earliest ends_;          // by link
  Instant changed_at_{};
  bool changed_ = false;
};

}  // namespace artel::sim
