#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/indexed_loads.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/worker_capacity.hpp"

namespace artel::dispatch {

/// The workers of a host on one thread: who is there, what each has to do, and which of them the
/// policy names next. A simulated fleet puts queues on top of it, a cluster's master puts names.
///
/// The host binds and unbinds; nothing here knows a task.
///  W1  A worker that leaves is named no more. It is gone, and its id free, once nothing is bound
///      to it.
///  W2  A decision knows the members of that moment: what depends on them (distribution, cycle) is
///      made anew at the first draw after a change, at the time of the change.
/// Cost:    as IndexedLoads, Chooser and Controller.
/// Requires: times never go back.
/// Threads: one at a time.
class WorkerTable {
 public:
  /// `seed`: of the dice. `track_idle`: keeps the group idle even if the policy does not ask.
  WorkerTable(Policy policy, SizeLimits limits, std::uint64_t seed, bool track_idle = false);

  // ---- Members

  /// Errors: beyond the maximum.
  [[nodiscard]] Result<WorkerId> join(const WorkerCapacity& options, Instant now);
  /// Errors: below the minimum, leaving already, no such worker.
  [[nodiscard]] Result<void> leave(WorkerId id, Instant now);
  /// The same whatever the minimum, also for one that is leaving. Requires: it is there.
  void expel(WorkerId id, Instant now);

  /// So many tasks it may have from now on; 0: it gets no more until that is changed, and keeps
  /// what it has, as a member like any other.
  void set_capacity(WorkerId id, std::uint32_t capacity, Instant now);

  // ---- Deciding

  /// Whether any worker has room.
  [[nodiscard]] bool open() const { return loads_.count(Group::open) > 0; }
  /// The draw for a task, at the time of the last advance(); good until the next one.
  [[nodiscard]] Draw draw(const TaskHints& task) {
    return draws_.next(chooser(), task, loads_.now());
  }
  /// The worker that gets the task of the last draw; nothing only when no worker has room.
  [[nodiscard]] std::optional<WorkerId> choose(const Draw& draw) {
    return draws_.choose(chooser_, loads_, draw);
  }
  /// Both in one, of which nothing is made that the policy does not read.
  [[nodiscard]] std::optional<WorkerId> decide(const TaskHints& task);
  /// For others that decide about these workers, with draws of their own.
  [[nodiscard]] const Chooser& chooser() {
    renew();
    return chooser_;
  }

  /// Makes what depends on the members anew now, if they have changed (W2).
  void renew() {
    if (changed_) publish_members(*changed_);
  }

  /// What happens to tasks: advance(), bind(), unbind(), start(), finish(), stop(), release(),
  /// set_delay(), answered() and failed() as IndexedLoads has them.
  void advance(Instant now) { loads_.advance(now); }
  void bind(WorkerId id, Duration size) { loads_.bind(id, size); }
  void unbind(WorkerId id, Duration size) {
    loads_.unbind(id, size);
    free_if_gone(id);
  }
  void start(WorkerId id, Duration size) { loads_.start(id, size); }
  void finish(WorkerId id) {
    loads_.stop(id);
    release(id);
  }
  void stop(WorkerId id) { loads_.stop(id); }
  void release(WorkerId id) {
    loads_.release(id);
    free_if_gone(id);
  }
  void set_delay(WorkerId id, Duration delay) { loads_.set_delay(id, delay); }
  void answered(WorkerId id, Duration took) { loads_.answered(id, took); }
  void failed(WorkerId id, Duration took) { loads_.failed(id, took); }

  // ---- The closed loop: nothing happens under other policies

  /// Its options; nullptr under other policies.
  [[nodiscard]] const ClosedLoop* closed_loop() const {
    return std::get_if<ClosedLoop>(&chooser_.policy());
  }
  /// A beacon came back.
  void report(const BeaconReport& report);
  /// Publishes a new distribution.
  void publish(Instant now);
  /// A worker's share in the distribution published last; 0 under other policies.
  [[nodiscard]] double share(WorkerId id) const;

  /// Who decides, who is there, and how busy they are: policy(), members(), loads().
  [[nodiscard]] const Policy& policy() const { return chooser_.policy(); }
  [[nodiscard]] const Needs& needs() const { return chooser_.needs(); }
  [[nodiscard]] const IndexedLoads& loads() const { return loads_; }
  [[nodiscard]] const Membership& members() const { return members_; }

 private:
  void publish_members(Instant changed);
  /// Takes what the worker could still get.
  void shut(WorkerId id, Instant now);
  void free_if_gone(WorkerId id) {
    if (members_.leaving_count() > 0 && members_.leaving(id) && loads_.load(id).queued == 0)
      members_.gone(id);
  }

  Chooser chooser_;
  DrawSource<> draws_;
  IndexedLoads loads_;
  Membership members_;
  std::optional<Controller> controller_;  // under ClosedLoop only
  std::optional<Instant> changed_;        // members, since they were published
};

}  // namespace artel::dispatch
