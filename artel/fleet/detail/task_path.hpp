#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/fleet/detail/fleet_admission.hpp"
#include "artel/fleet/detail/fleet_beacons.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_placement.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {

/// The way of a task through the workers of a simulated fleet, until it leaves them.
///
/// What a Fleet adds is asked of it where it would happen (travels, enter, leaves, …), or done by a
/// part (Kind::Pulling, Kind::Recorder). PlainFleet adds nothing, and its functions and parts are
/// empty: what they would do is left out by the compiler. FleetPool adds all that there is.
/// Kind names the Parts, and a Base: the component with the fleet's events, and its meter.
/// Invariants:
///  1  A task that has come leaves once.
///  2  What happens at a worker is settled before anything else happens there.
///  3  When a task has left, the common queue is looked at before the next event.
/// Cost: two events per task; O(log workers) where the policy asks for more than random choice.
/// Threads: its simulation's.
template <class Fleet, class Kind>
class TaskPath : public Kind::Base {
 public:
  using TaskKind = typename Kind::Parts::TaskKind;

  void on(const fleet_event::Beacon&);
  void on(const fleet_event::Publish&);

 protected:
  /// `host`: what pulling workers ask, where there are some.
  template <class... Host>
  TaskPath(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
           std::uint32_t replication, Meter& meter, Host&... host)
      : Kind::Base(scenario, replication, meter),
        scenario_(scenario),
        admission_(scenario.pool),
        placement_(scenario, policy, replication, tasks_, *this),
        beacons_(placement_.table()),
        pulling_(scenario, policy, replication, tasks_, placement_, host..., *this),
        recorder_(*this) {
    if (!beacons_.active()) return;
    for (std::size_t w = 0; w < scenario.pool.speeds.size(); ++w)
      beacons_.join(dispatch::worker(w));
  }
  ~TaskPath() = default;

  void open_beacons();
  void place(std::uint32_t id, std::optional<WorkerId> chosen);
  void bind(std::uint32_t id, WorkerId worker);
  void bind_here(std::uint32_t id, WorkerId worker);
  void take_news(WorkerId id, TaskEnding ending);
  void leave(std::uint32_t id, TaskEnding ending);
  void bind_held();

  static constexpr bool kPlain = Kind::Parts::kPlain;

  [[nodiscard]] Fleet& fleet() { return static_cast<Fleet&>(*this); }

  const scenario::Scenario& scenario_;
  TaskTable<TaskKind> tasks_;
  FleetAdmission admission_;
  FleetPlacement<typename Kind::Parts> placement_;
  FleetBeacons beacons_;
  typename Kind::Pulling pulling_;
  typename Kind::Recorder recorder_;
};

// The task is numbered, and goes where the dispatcher, or the policy, sends it.
template <class Fleet, class Kind>
void TaskPath<Fleet, Kind>::place(std::uint32_t id, std::optional<WorkerId> chosen) {
  using enum dispatch::Placement::Kind;
  auto& task = tasks_[id];
  if (!kPlain && !admission_.admits(tasks_.size() - 1)) return leave(id, TaskEnding::rejected);
  auto placement = placement_.place(task, chosen, admission_, pulling_.has_to_wait(task));
  if (placement.kind == assigned) placement.worker = pulling_.instead_of(placement.worker);
  if constexpr (!kPlain) placement_.note(task, placement);
  if (placement.kind == rejected) return leave(id, TaskEnding::rejected);
  fleet().let_in(id);
  if (placement.kind == assigned) return bind(id, placement.worker);
  placement_.held().push(tasks_, id);
  pulling_.held(task);
}

template <class Fleet, class Kind>
inline void TaskPath<Fleet, Kind>::bind(std::uint32_t id, WorkerId worker) {
  bind_here(id, worker);
  if (!fleet().travels(id)) fleet().enter(id);
}

// It is the worker's, which has still to hear of that.
template <class Fleet, class Kind>
inline void TaskPath<Fleet, Kind>::bind_here(std::uint32_t id, WorkerId worker) {
  auto& task = tasks_[id];
  task.worker = worker;
  task.bound = this->now();
  task.where = TaskKind::Where::at_worker;
  if (recorder_.active()) recorder_.bound(task, fleet().waiting_at(worker));
  placement_.bind(task);
  if (beacons_.active()) beacons_.bound(worker);
  this->meter_.grew(this->now(), worker, ++fleet().at(worker).bound);
}

// What has begun and ended at the worker.
template <class Fleet, class Kind>
inline void TaskPath<Fleet, Kind>::take_news(WorkerId id, TaskEnding ending) {
  const bool beacons = beacons_.active();
  const auto ended = fleet().take_ended(id);
  if (beacons) {
    for ([[maybe_unused]] const auto task : ended) beacons_.finished(id);
  }
  fleet().note_starts(id);
  if (ended.empty()) return;
  for (const auto task : ended) leave(task, ending);
  if (!pulling_.steal()) bind_held();
  if (beacons) beacons_.settled(id, this->now());
}

// The task is no more at any worker's server, nor in the common queue.
template <class Fleet, class Kind>
inline void TaskPath<Fleet, Kind>::leave(std::uint32_t id, TaskEnding ending) {
  auto& task = tasks_[id];  // nobody takes its place before all is said of it
  tasks_.remove(id);
  fleet().leaves(task, ending);
  if (ending != TaskEnding::rejected) {
    placement_.left(task, ending == TaskEnding::served);
    if (task.where != TaskKind::Where::held)
      this->meter_.shrank(this->now(), task.worker, --fleet().at(task.worker).bound);
  }
  fleet().left(id, ending);
}

// Tasks of the common queue go to workers with room, all of them before callers hear of any.
template <class Fleet, class Kind>
inline void TaskPath<Fleet, Kind>::bind_held() {
  if (placement_.held().empty()) return;
  fleet().hands_on(+1);
  while (const auto id = placement_.next_held()) {
    auto& task = tasks_[*id];
    if (!kPlain &&
        admission_.drops(this->now(), this->now() - task.arrival, placement_.held().empty())) {
      placement_.left(task, false);
      leave(*id, TaskEnding::rejected);
    } else {
      bind(*id, pulling_.instead_of(placement_.choose(task)));
    }
  }
  fleet().hands_on(-1);
}

template <class Fleet, class Kind>
void TaskPath<Fleet, Kind>::open_beacons() {
  if (!beacons_.active() || placement_.stale()) return;
  on(fleet_event::Beacon{});
  this->emit_self(fleet_event::Publish{}, beacons_.loop().publish_every);
}

template <class Fleet, class Kind>
void TaskPath<Fleet, Kind>::on(const fleet_event::Beacon&) {
  beacons_.send(this->now());
  if (fleet().more_come()) this->emit_self(fleet_event::Beacon{}, beacons_.loop().beacon_every);
}

template <class Fleet, class Kind>
void TaskPath<Fleet, Kind>::on(const fleet_event::Publish&) {
  placement_.table().publish(this->now());
  if (fleet().more_come()) this->emit_self(fleet_event::Publish{}, beacons_.loop().publish_every);
}

}  // namespace artel::fleet::detail
