#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/cold_starts.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_parts.hpp"
#include "artel/fleet/detail/fleet_size.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/fleet_workers.hpp"
#include "artel/fleet/detail/forked_tasks.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/outages.hpp"
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/pulling_workers.hpp"
#include "artel/fleet/detail/task_path.hpp"
#include "artel/fleet/detail/task_recorder.hpp"
#include "artel/fleet/task_source.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet::detail {

class FleetPool;

/// Who sends tasks to a FleetPool, and hears of them.
class PoolOwner {
 public:
  /// Nothing will happen in the pool any more.
  [[nodiscard]] virtual bool over(const FleetPool& pool) const = 0;
  /// More tasks may come to it.
  [[nodiscard]] virtual bool more_come(const FleetPool& pool) const = 0;
  /// No other task will come before those that are there are served.
  [[nodiscard]] virtual bool nobody_comes(const FleetPool& pool) const = 0;
  /// A part of a task comes.
  virtual void comes(FleetPool& pool, const FleetTask& part) = 0;
  /// A worker has begun to serve the attempt of a request whose caller waits for it.
  virtual void began(const FleetTask& attempt) = 0;
  /// A task, or a part of one, or an attempt, has left. Until this returns it is as it was.
  virtual void left(FleetPool& pool, std::uint32_t id, TaskEnding ending) = 0;
  /// So many more tasks are being handed on, out of a queue or to another pool: what comes of
  /// that callers hear of afterwards.
  virtual void hands_on(int change) = 0;
  /// Something has happened at a worker, and all of that is done.
  virtual void settled() = 0;

 protected:
  ~PoolOwner() = default;
};

/// What a pool handles, and its meter.
class PoolComponent : public PoolEventHandler {
 protected:
  PoolComponent(const scenario::Scenario& /*scenario*/, std::uint32_t /*replication*/, Meter& meter)
      : meter_(meter) {}
  ~PoolComponent() = default;

  Meter& meter_;
};

/// What a pool is.
struct PoolKind {
  using Parts = FleetParts;
  using Base = PoolComponent;
  using Pulling = PullingWorkers;
  using Recorder = TaskRecorder;
};

/// Workers as they are, in simulated time, with slots and disciplines, batches, failures and cold
/// starts, and the tasks that wait for them: the fleet of a scenario, or a stage behind it.
///
/// A task is one part, or `fork` parts. It comes to one of the dispatchers at random, which places
/// every part of it by itself. Fresh loads show every task that was sent, on its way or there;
/// stale ones show the loads at the last refresh; a dispatcher's own view shows what it sent
/// itself. A dispatcher does not know that a worker is broken or cold; work left is the hints of
/// all that is bound to a worker and has not ended. Where a policy decides about the size, those
/// that are on their way go first, the youngest before, then the workers with the fewest tasks;
/// these finish what they have.
/// Cost: O(log tasks) per event; two events per part, and two more per failure or cold start;
///       O(workers) per worker that leaves. Threads: its simulation's.
class FleetPool final : public TaskPath<FleetPool, PoolKind>,
                        private OutageHost,
                        private SizeHost,
                        private PullHost {
 public:
  /// All references must outlive the pool.
  FleetPool(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
            std::uint32_t replication, Meter& meter);

  /// Who sends it tasks, and what these are made from. To be called before all else.
  void belongs_to(PoolOwner& owner, TaskSource& source) {
    owner_ = &owner;
    source_ = &source;
  }
  /// Writes the life of every task into `records`, in order of arrival; they must outlive the pool.
  void record_into(std::vector<trace::TaskRecord>& records) { recorder_.record_into(records); }
  /// Schedules the first events: those of its dispatchers …
  void open_views();
  /// … and those of its workers.
  void open_workers();

  // ---- What its owner does

  /// A task comes, or (of a stage) comes on: as so many parts as the scenario says, of which the
  /// owner hears.
  void begin(FleetTask& task);
  /// Whether a task whose patience has ended keeps its place, as in a pool of threads.
  [[nodiscard]] bool expires_at_its_turn() const { return pulling_.steal(); }
  /// A part has ended: whether its task has, too, and if so, how. `start` of the task becomes that
  /// of its last part.
  [[nodiscard]] std::optional<TaskEnding> whole(FleetTask& part, TaskEnding ending);
  /// A number for a part, or an attempt, that is to be placed then.
  [[nodiscard]] std::uint32_t add(const FleetTask& part);
  using TaskPath::place;
  /// Takes a task from wherever it waits, or is served; false if it cannot be had. It has still to
  /// leave.
  [[nodiscard]] bool take_back(std::uint32_t id, bool in_service);
  using TaskPath::leave;
  /// Nobody waits for the attempt any more.
  void forget_caller(std::uint32_t id);
  /// Its worker has not answered in time.
  void answered_late(std::uint32_t id);
  using TaskPath::bind_held;

  [[nodiscard]] std::size_t tasks() const { return tasks_.size(); }
  [[nodiscard]] FleetTask& task(std::uint32_t id) { return tasks_[id]; }
  [[nodiscard]] FleetPlacement<FleetParts>& placement() { return placement_; }
  [[nodiscard]] FleetSize& scaling() { return size_; }
  [[nodiscard]] TaskSource& source() { return *source_; }

  // ---- The handlers of its events, for the simulation to call

  using TaskPath::on;
  void on(const fleet_event::Reach& event);
  void on(const fleet_event::GiveUp& event);
  void on(const fleet_event::ServerChange& event);
  void on(const fleet_event::ServerWake& event);
  void on(const fleet_event::Warm& event);
  void on(const fleet_event::BindHeld&);
  void on(const fleet_event::Readmitted& event);
  void on(const fleet_event::ViewRefresh&);
  template <class Event>
    requires requires(PullingWorkers& pulling, const Event& event) { pulling.on(event); }
  void on(const Event& event) {
    pulling_.on(event);
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

 private:
  // For the path of a task.
  friend TaskPath;
  [[nodiscard]] FleetWorker& at(WorkerId id) { return workers_.at(id); }
  void let_in(std::uint32_t id);
  [[nodiscard]] bool travels(std::uint32_t id);
  void enter(std::uint32_t id);
  [[nodiscard]] std::span<const std::uint32_t> take_ended(WorkerId id);
  void note_starts(WorkerId id);
  void leaves(const FleetTask& task, TaskEnding ending);
  void left(std::uint32_t id, TaskEnding ending);
  void hands_on(int change) { owner_->hands_on(change); }
  [[nodiscard]] bool more_come() const { return owner_->more_come(*this); }
  [[nodiscard]] std::uint32_t waiting_at(WorkerId id);

  // For its parts.
  void settle_after(WorkerId id, bool lost) override {
    settle(id, lost ? TaskEnding::lost : TaskEnding::served);
  }
  void empty_cache(WorkerId id) override { placement_.caches().empty(id); }
  void shut(WorkerId id) override { placement_.shut(id); }
  void reopen(WorkerId id) override;
  [[nodiscard]] bool over() const override { return owner_->over(*this); }
  [[nodiscard]] std::uint32_t members() const override {
    return static_cast<std::uint32_t>(placement_.members().size());
  }
  [[nodiscard]] bool waits_alone() const override {
    return !placement_.held().empty() && owner_->nobody_comes(*this);
  }
  void join() override;
  void send_away() override;
  void bind_here(std::uint32_t id, WorkerId worker) override { TaskPath::bind_here(id, worker); }
  void move(std::uint32_t id, WorkerId to) override;
  void serve(std::uint32_t id) override;
  void expire(std::uint32_t id) override;

  void settle(WorkerId id, TaskEnding ending = TaskEnding::served);
  void hand_on(WorkerId id);
  void note_idle(WorkerId id);
  void use_cache(FleetTask& task);
  void bind_held_soon();
  void note_failure(WorkerId id);
  void retire_if_gone(WorkerId id);

  bool one_by_one_;   // a worker's running task is known, and how long it runs
  bool shows_tasks_;  // to who draws pictures of them
  bool rows_wait_;    // each for as long as it says
  PoolOwner* owner_ = nullptr;
  TaskSource* source_ = nullptr;
  FleetWorkers workers_;
  ColdStarts cold_starts_;
  Outages outages_;
  std::unique_ptr<OutlierEjection> ejection_;
  FleetSize size_;
  ForkedTasks forked_tasks_;
  bool looks_soon_ = false;           // for whom of the common queue there is room
  std::vector<std::uint32_t> ended_;  // at the worker at which something happens
};

extern template class TaskPath<FleetPool, PoolKind>;

}  // namespace artel::fleet::detail
