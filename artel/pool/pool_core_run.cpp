// Running: what happens around a task.
#include <atomic>
#include <span>

#include "artel/pool/future_node.hpp"
#include "artel/pool/job.hpp"
#include "artel/pool/place.hpp"
#include "artel/pool/pool_core.hpp"
#include "artel/pool/producer.hpp"
#include "artel/pool/stamp.hpp"
#include "artel/pool/thread_runner.hpp"
#include "artel/pool/tick_clock.hpp"
#include "artel/pool/worker.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {

void PoolCore::bind(Job& job, Place& place, const Producer& producer) {
  Stamp* const stamp = job.stamp();
  if (stamp == nullptr) return;
  stamp->queued_worker = producer.waiting_there & Stamp::kQueuedWorkerMax;
  stamp->queued_common = producer.waiting_common & Stamp::kQueuedCommonMax;
  count_work(*stamp, place);
}

void PoolCore::rebind(std::span<Job> jobs, Place& place, bool from_common) {
  const bool timed = from_common && (observer_ != nullptr || recording());
  if (!timed && !needs_.work) return;
  Instant bound{};
  for (Job& job : jobs) {
    Stamp* const stamp = job.stamp();
    if (stamp == nullptr) continue;
    if (timed && (observer_ != nullptr || stamp->recorded != 0)) {
      if (bound == Instant{}) bound = time_for(*stamp);
      std::atomic_ref(stamp->bound).store(bound, std::memory_order_relaxed);
    }
    // Whoever waits for a Future may be running its task already: its hint stays where it was.
    if (!job.holds<NodeBody>()) count_work(*stamp, place);
  }
}

void PoolCore::count_work(Stamp& stamp, Place& place) {
  Ticket* const ticket = ticket_of(stamp);
  if (ticket == nullptr || !needs_.work || ticket->size <= Duration::zero()) return;
  if (ticket->counted) {
    places_[index(ticket->counted_at)].work_ns.fetch_sub(ticket->size.count(),
                                                         std::memory_order_relaxed);
  }
  ticket->counted = true;
  ticket->counted_at = place.id;
  place.work_ns.fetch_add(ticket->size.count(), std::memory_order_relaxed);
}

void PoolCore::measure(Place* place, Stamp& stamp, Instant started, Instant finished,
                       Outcome outcome) {
  if (const Ticket* const ticket = ticket_of(stamp); ticket != nullptr && ticket->counted) {
    places_[index(ticket->counted_at)].work_ns.fetch_sub(ticket->size.count(),
                                                         std::memory_order_relaxed);
  }
  if (stamp.weight != 0 && (outcome == Outcome::done || outcome == Outcome::failed)) {
    service_.add(finished - started);
    (place != nullptr ? place->measured : outside_measured_)
        .record(started - stamp.submitted, finished - started, stamp.weight);
    if (place != nullptr) place->delay.add(started - stamp.submitted);
  }
  if (observer_ == nullptr && stamp.recorded == 0) return;
  report(place, stamp, started, finished, static_cast<trace::TaskOutcome>(outcome));
}

void PoolCore::claims_open(int change) {
  if (open_claims_.fetch_add(change) + change == 0) look_for_quiescence();
}

void PoolCore::run_claimed(FutureNode& node) {
  if (Worker* const worker = worker_of(*this)) {
    worker->run_claimed(node);
  } else {
    ThreadRunner runner(*this, nullptr);
    node.run_here(runner);
  }
}

}  // namespace artel::pool
