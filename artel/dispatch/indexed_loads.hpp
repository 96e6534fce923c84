#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/detail/indexed_heap.hpp"
#include "artel/dispatch/detail/tournament_tree.hpp"
#include "artel/dispatch/detail/work_left.hpp"
#include "artel/dispatch/detail/worker_set.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {

/// The loads of all workers with indexes for just the questions that one policy asks, so that a
/// decision among thousands of workers needs no scan.
///
/// What is redundant, and holds between any two calls:
///  1. members = those of capacity above 0; open = those with room; idle = those with room and
///     nothing queued, if the needs name it, and else empty.
///  2. heap_ has exactly the open workers, by busyness, if least() is asked of a busyness that
///     changes only when something happens here, and the workers are not so few that looking at
///     each takes less. Work left changes as time goes by: work_ keeps that order itself, and knows
///     which workers are open. tree_ has the same if ties are asked for, and there are workers
///     enough.
///  3. A worker leaves by capacity 0; what is queued there still finishes, and opens nothing.
///
/// Cost:    bind, start, finish O(1), or O(log workers) when busyness is indexed. count O(1); nth,
///          next as WorkerSet; least O(1) by the busyness in the needs, O(workers) by any other;
///          nth_least O(log workers).
///          Copying is O(workers). Allocates only in resize().
/// Threads: one at a time.
class IndexedLoads {
 public:
  /// Keeps what the needs name; the group idle costs extra, and is empty if they do not.
  explicit IndexedLoads(const Needs& needs);

  /// Makes room for ids below `workers`; new ones have capacity 0.
  void resize(std::size_t workers);
  /// Sets all of one load.
  void set(WorkerId id, const Load& load);

  /// One more task in the queue of a worker with room.
  [[gnu::always_inline]] void bind(WorkerId id, Duration hint = {}) {
    Load& load = loads_[index(id)];
    ++load.queued;
    if (track_work_) work_.add_waiting(id, hint);
    if (load.queued == 1 && track_idle_) set_of(Group::idle).erase(id);
    if (load.queued == load.capacity) close(id);  // the last place is taken
    if (track_order_) reorder(id);
  }
  /// A task leaves the queue before it started.
  void unbind(WorkerId id, Duration hint = {}) {
    if (track_work_) work_.remove_waiting(id, hint);
    release(id);
  }
  /// The worker starts a task of its queue, at the time of the last advance().
  void start(WorkerId id, Duration hint = {}) {
    if (track_work_) work_.start(id, hint);
  }
  /// The running task ended.
  void finish(WorkerId id) {
    stop(id);
    release(id);
  }
  /// finish() in two: no more is done for the running task, if there is one …
  void stop(WorkerId id) {
    if (track_work_) work_.finish(id);
  }
  /// … and a task that was started leaves its place.
  [[gnu::always_inline]] void release(WorkerId id) {
    Load& load = loads_[index(id)];
    if (load.queued-- == load.capacity) open(id);  // it was full; never with capacity 0
    if (load.queued == 0 && track_idle_) set_of(Group::idle).assign(id, load.capacity > 0);
    if (track_order_) reorder(id);
  }
  /// How long tasks wait in that worker's queue, as measured by the host.
  void set_delay(WorkerId id, Duration delay) {
    loads_[index(id)].delay = delay;
    if (track_order_) reorder(id);
  }
  /// The worker answered just now; that took so long, from sending it the task. Does nothing if the
  /// policy needs neither latency nor failures.
  void answered(WorkerId id, Duration took) {
    if (!track_answers_) return;
    note_latency(id, took);
    loads_[index(id)].failures = 0;
  }
  /// It did not, or its answer was of no use: it counts as slow if it took longer than it is
  /// thought to take.
  void failed(WorkerId id, Duration took);
  /// Moves time on: for work left, and latencies.
  void advance(Instant now) {
    now_ = now;
    if (track_work_) work_.advance(now);
  }
  /// The time of the last advance().
  [[nodiscard]] Instant now() const { return now_; }

  /// As LoadView says: load(), least(), count(), nth(), next().
  [[nodiscard]] std::size_t size() const { return loads_.size(); }
  [[nodiscard, gnu::always_inline]] Load load(WorkerId id) const {
    Load load = loads_[index(id)];
    if (track_work_) load.work = work_.left(id);
    return load;
  }
  /// load(id).queued
  [[nodiscard]] std::uint32_t queued(WorkerId id) const { return loads_[index(id)].queued; }
  [[nodiscard]] std::optional<WorkerId> least(const Busyness& busyness) const;
  /// As LeastIndex says, indexes(), count_least(), nth_least(): by the busyness that the needs name
  /// for ties, of workers enough.
  [[nodiscard]] bool indexes(const Busyness& busyness) const {
    return track_ties_ && ties_.measure() == busyness.measure();
  }
  [[nodiscard]] std::size_t count_least() const { return tree_.count_least(); }
  [[nodiscard]] std::optional<WorkerId> nth_least(std::size_t k) const {
    return tree_.nth_least(k);
  }
  [[nodiscard]] std::size_t count(Group group) const { return set_of(group).count(); }
  [[nodiscard]] std::optional<WorkerId> nth(Group group, std::size_t k) const {
    return set_of(group).nth(k);
  }
  [[nodiscard]] std::optional<WorkerId> next(Group group, WorkerId from) const {
    return set_of(group).next(from);
  }

 private:
  [[nodiscard]] const detail::WorkerSet& set_of(Group group) const {
    return groups_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] detail::WorkerSet& set_of(Group group) {
    return groups_[static_cast<std::size_t>(group)];
  }

  void open(WorkerId id) {
    set_of(Group::open).insert(id);
    if (track_work_) work_.set_open(id, true);
  }
  void close(WorkerId id) {
    set_of(Group::open).erase(id);
    if (track_work_) work_.set_open(id, false);
  }
  /// Puts the worker to its place in heap and tree, or out of them.
  void reorder(WorkerId id);
  [[gnu::noinline]] void rank(WorkerId id);  // the tree alone

  [[nodiscard]] std::optional<WorkerId> fewest_queued() const;
  void note_latency(WorkerId id, Duration took);

  Instant now_{};
  LatencyLaw latency_law_;
  bool track_answers_;
  bool track_idle_;
  bool track_work_;
  bool track_least_ = false;  // by heap_
  bool track_ties_ = false;   // by tree_
  bool track_order_ = false;  // by either
  Busyness least_;            // what heap_ is ordered by…
  std::size_t least_beyond_;  // …from one more worker on
  Busyness ties_;             // what tree_ is ordered by…
  std::size_t ties_beyond_;   // …from one more worker on
  std::vector<Load> loads_;
  detail::WorkerSet groups_[3];       // by Group
  detail::IndexedHeap<double> heap_;  // open workers by busyness
  detail::TournamentTree tree_;       // the same
  detail::WorkLeft work_;
};

static_assert(LeastIndex<IndexedLoads>);

}  // namespace artel::dispatch
