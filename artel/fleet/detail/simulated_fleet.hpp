#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/fleet_admission.hpp"
#include "artel/fleet/detail/fleet_callers.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_placement.hpp"
#include "artel/fleet/detail/fleet_size.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/fleet_workers.hpp"
#include "artel/fleet/detail/forked_tasks.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/outages.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/stages.hpp"
#include "artel/fleet/detail/worker_caches.hpp"
#include "artel/fleet/task_source.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {

/// Workers as they are, in simulated time: with slots and disciplines, batches, failures and cold
/// starts, for tasks of several classes that may give up. A SimulatedPool is the fast one for
/// workers that have none of it.
///
/// Dispatchers, bounds and forks are as in a SimulatedPool. What waits in the common queue goes in
/// the order of the workers' discipline. A dispatcher does not know that a worker is broken or
/// cold; work left is the hints of all that is bound to a worker and has not ended. Where a policy
/// decides about the size, those that are on their way go first, the youngest before, then the
/// workers with the fewest tasks; these finish what they have. Where callers send more than one
/// attempt, a task of the fleet is an attempt, and a CallerLife decides about the request;
/// what is measured is the request.
/// Cost: O(log tasks) per event; two events per part, and two more per failure or cold start;
///       O(workers) per worker that leaves. Threads: its simulation's.
class SimulatedFleet final : public FleetEventHandler,
                             private OutageHost,
                             private SizeHost,
                             private CallersHost,
                             private StagesHost,
                             private StageFleet {
 public:
  /// All references must outlive the fleet. Requires: the policy is no closed loop.
  SimulatedFleet(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                 std::uint32_t replication, Meter& meter, ClassMeter& classes);

  /// What this one has served goes on to `stage`, which has no source of its own; to be called in
  /// order, before open(). It must outlive the fleet.
  void add_stage(SimulatedFleet& stage);

  /// Schedules the first events.
  void open() override;

  /// The handlers of these events, for the simulation to call.
  void on(const fleet_event::TaskArrival& event);
  void on(const fleet_event::UserAsks& event);
  void on(const fleet_event::Reach& event);
  void on(const fleet_event::GiveUp& event);
  void on(const fleet_event::ServerChange& event);
  void on(const fleet_event::ServerWake& event);
  void on(const fleet_event::Warm& event);
  template <class Event>
    requires requires(FleetCallers& callers, const Event& event) { callers.on(event); }
  void on(const Event& event) {
    callers_.on(event);
  }
  template <class Event>
    requires requires(Outages& outages, const Event& event) { outages.on(event); }
  void on(const Event& event) {
    outages_.on(event);
  }
  template <class Event>
    requires requires(FleetSize& size, const Event& event) { size.on(event); }
  void on(const Event& event) {
    size_.on(event);
  }
  void on(const fleet_event::BindHeld&);
  void on(const fleet_event::Readmitted& event);
  void on(const fleet_event::ViewRefresh&);

 private:
  [[nodiscard]] std::uint32_t members() const override {
    return static_cast<std::uint32_t>(placement_.members().size());
  }
  [[nodiscard]] bool waits_alone() const override;
  void join() override;
  void send_away() override;
  void retire_if_gone(WorkerId id);
  [[nodiscard]] FleetWorker& at(WorkerId id) { return workers_.at(id); }
  void schedule_arrival();
  void take_arrival();
  void begin(FleetTask& task);
  void serve_stage(std::uint32_t passing, const FleetTask& whole) override;
  void pass_on(const FleetTask& task);
  void been_through(std::uint32_t passing, const FleetTask& task, TaskEnding ending) override;
  void take_back_parts(const std::vector<std::uint32_t>& parts, bool in_service) override;
  void note_stage(std::size_t stage, const FleetTask& task, TaskEnding ending) override;
  void note_group(std::uint32_t group, const FleetTask& task, TaskEnding ending);
  [[nodiscard]] bool over() const override;
  void think();
  void tell_callers();
  void tell_end(const FleetTask& attempt, TaskEnding ending);
  [[nodiscard]] bool nobody_hears(const FleetTask& attempt) const override;
  void draw_again(FleetTask& task) override;
  [[nodiscard]] Choice choose_for(const FleetTask& task,
                                  const std::vector<std::uint32_t>& open) override;
  [[nodiscard]] std::uint32_t new_attempt(const FleetTask& task) override;
  void forget_caller(std::uint32_t id) override;
  void leave_taken_back(std::uint32_t id) override { leave(id, TaskEnding::taken_back); }
  void take_back_passing(const std::vector<std::uint32_t>& numbers) override {
    stages_.take_back(numbers);
  }
  void answered_late(std::uint32_t id) override;
  void request_entered() override { ++in_system_; }
  void request_left() override { --in_system_; }
  void bind_all_held() override;
  [[nodiscard]] std::uint32_t new_task(const FleetTask& task);
  void place(std::uint32_t id, std::optional<WorkerId> chosen) override;
  void use_cache(FleetTask& task);
  void empty_cache(WorkerId id) override { caches_.empty(id); }
  void bind(std::uint32_t id, WorkerId worker);
  void enter(std::uint32_t id);
  [[nodiscard]] bool take_back(std::uint32_t id, bool in_service) override;
  void leave(std::uint32_t id, TaskEnding ending);
  void finish(FleetTask& task, TaskEnding ending) override;
  void conclude(const FleetTask& task, TaskEnding ending);
  void bind_held() override;
  void bind_held_soon();
  [[nodiscard]] ServerJob job_of(std::uint32_t id) const;
  [[nodiscard]] std::size_t in_pool() const { return tasks_.size() - free_tasks_.size(); }

  // The fleet that is asked: this one, or that of which it is a stage.
  [[nodiscard]] SimulatedFleet& whole() { return first_ != nullptr ? *first_ : *this; }
  void settle_after(WorkerId id, bool lost) override {
    settle(id, lost ? TaskEnding::lost : TaskEnding::served);
  }
  void settle(WorkerId id, TaskEnding ending = TaskEnding::served);
  void take_news(WorkerId id, TaskEnding ending);
  void hand_on(WorkerId id);
  void note_idle(WorkerId id);
  void note_starts(FleetWorker& worker);
  void shut(WorkerId id) override { placement_.shut(id); }
  void reopen(WorkerId id) override;
  void note_failure(WorkerId id);

  const scenario::Scenario& scenario_;
  Meter& meter_;
  ClassMeter& classes_;
  bool grouped_;     // there are some, or stages
  bool one_by_one_;  // a worker's running task is known, and how long it runs
  TaskSource source_;
  bool rows_wait_;                         // each for as long as it says
  const scenario::ClosedArrivals* users_;  // if there are any
  FleetAdmission admission_;
  FleetWorkers workers_;
  Outages outages_;
  WorkerCaches caches_;
  FleetSize size_;
  FleetPlacement placement_;
  std::unique_ptr<OutlierEjection> ejection_;
  scenario::StartUpSettings start_up_;  // if there are any
  random::Stream thinks_;
  FleetCallers callers_;
  SimulatedFleet* first_ = nullptr;  // if this is a stage
  std::uint32_t handing_on_ = 0;     // to a stage, or out of a queue: callers hear of it afterwards
  Stages stages_;
  bool source_open_ = true;
  std::uint32_t thinking_ = 0;  // users of closed arrivals that will ask
  std::vector<FleetTask> tasks_;
  std::vector<std::uint32_t> free_tasks_;
  std::size_t in_system_ = 0;  // tasks and parts, requests, and what later stages see to
  bool looks_soon_ = false;    // for whom of the common queue there is room
  std::vector<std::uint32_t> ended_;
  ForkedTasks forked_tasks_;
};

}  // namespace artel::fleet::detail
