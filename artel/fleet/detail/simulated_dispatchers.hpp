#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/fleet/detail/task_table.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

/// The dispatchers of a simulated fleet: each task comes to one of them at random; each has its own
/// turns, dice and, if they are to have them, its own view of the loads.
class SimulatedDispatchers {
 public:
  static constexpr std::uint32_t kNotNoted = UINT32_MAX;

  /// `scenario` must outlive it; `loads` are those at the start.
  SimulatedDispatchers(const scenario::Scenario& scenario, std::uint32_t replication,
                       const dispatch::IndexedLoads& loads, const dispatch::Needs& needs);

  /// One dispatcher that sees the loads as they are.
  [[nodiscard]] bool all_knowing() const {
    return dispatchers_.size() == 1 && !stale() && !own_views();
  }
  [[nodiscard]] bool own_views() const {
    return settings_.view != scenario::DispatcherView::shared;
  }
  [[nodiscard]] bool stale() const { return settings_.staleness > Duration::zero(); }

  /// The next task, or part of a task, comes to one of them at random. To be called before
  /// decide().
  void task_arrives() {
    if (dispatchers_.size() > 1)
      at_ = static_cast<std::uint32_t>(arrives_at_.below(dispatchers_.size()));
  }
  /// The worker that this dispatcher names; nullopt when it knows none with room. `matched`: see
  /// Draw.
  [[nodiscard]] std::optional<WorkerId> decide(const dispatch::Chooser& chooser,
                                               const dispatch::IndexedLoads& loads,
                                               const dispatch::TaskHints& hints, Instant now,
                                               std::span<const float> matched = {});
  /// All see the loads as they are now.
  void refresh(const dispatch::IndexedLoads& loads, Instant now);
  [[nodiscard]] const dispatch::LoadArray& snapshot() const { return snapshot_; }

  /// A number for what the dispatcher that decides will know of a task; with own views only.
  [[nodiscard]] std::uint32_t open_note() { return notes_.add({}); }
  /// It counts the task, if it has gone to a worker.
  void note(std::uint32_t number, const dispatch::Placement& placement, Duration hint, Instant now);
  /// It hears that the task is done, or (not answered) that nothing will come of it. kNotNoted is
  /// none.
  void note_done(std::uint32_t number, Instant now, bool answered = true);

 private:
  struct DispatcherState {
    dispatch::DrawSource<random::Stream> draws;
    dispatch::LoadArray own;
  };
  // What a dispatcher with a view of its own knows of a task that it sent.
  struct Note {
    std::uint32_t dispatcher = 0;
    std::optional<WorkerId> worker{};  // nobody's while it waits in the common queue
    Duration work{};
    Instant sent{};
  };

  const scenario::DispatchSettings& settings_;
  std::vector<DispatcherState> dispatchers_;
  std::uint32_t at_ = 0;  // that decides
  random::Stream arrives_at_;
  dispatch::LoadArray snapshot_;
  Instant refreshed_{};                          // when it was made
  std::optional<dispatch::LatencyLaw> latency_;  // if the policy reads it
  TaskTable<Note> notes_;
};

}  // namespace artel::fleet::detail
