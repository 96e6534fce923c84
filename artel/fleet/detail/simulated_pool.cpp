#include "artel/fleet/detail/simulated_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/dispatcher_options.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/placement.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/fleet/detail/class_meter.hpp"
#include "artel/fleet/detail/forked_tasks.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::fleet::detail {
namespace {

static_assert(static_cast<int>(dispatch::Precedence::usual) == 1, "as priorities are recorded");

// Where loads are stale, a closed loop hears of them with the refresh and reckons with its period.
dispatch::Policy policy_for(const scenario::Scenario& scenario, const scenario::PolicySpec& spec) {
  auto policy = spec.policy;
  auto* loop = std::get_if<dispatch::ClosedLoop>(&policy);
  const auto staleness = scenario.dispatch.staleness;
  if (loop != nullptr && staleness > Duration::zero())
    loop->beacon_every = loop->publish_every = staleness;
  return policy;
}

dispatch::DispatcherOptions dispatcher_options(const scenario::Scenario& scenario,
                                               const scenario::PolicySpec& policy,
                                               std::uint32_t replication) {
  const auto& pool = scenario.pool;
  return {.policy = policy_for(scenario, policy),
          // A source that waits for room and the tasks behind it are a queue of their own: to the
          // tasks it is the same as a common queue without bound.
          .common_capacity = pool.when_full == dispatch::WhenFull::block ? dispatch::kUnbounded
                                                                         : pool.common_bound,
          .take_over = policy.take_over.value_or(pool.take_over) &&
                       pool.stealing == dispatch::Stealing::none,
          .stealing = pool.stealing,
          .limits = {.min = 0, .max = static_cast<std::uint32_t>(pool.workers_max())},
          .seed = random::Stream(scenario.run.seed, "dispatcher", replication)()};
}

// Whether tasks of one kind go to queues and are served, and nothing else happens to them.
bool is_plain(const scenario::Scenario& scenario, const scenario::PolicySpec& policy) {
  const auto& workload = scenario.workload;
  const auto& pool = scenario.pool;
  return workload.fork == 1 && workload.classes.empty() && !workload.patience &&
         pool.stealing == dispatch::Stealing::none && !policy.take_over.value_or(pool.take_over) &&
         pool.wake_ups.empty() && pool.task_overhead == Duration::zero() && !pool.scaling &&
         scenario.dispatch.network_delay == Duration::zero();
}

}  // namespace

SimulatedPool::SimulatedPool(const scenario::Scenario& scenario, const scenario::PolicySpec& policy,
                             std::uint32_t replication, Meter& meter, ClassMeter& classes)
    : scenario_(scenario),
      dispatcher_(dispatcher_options(scenario, policy, replication)),
      meter_(meter),
      classes_(classes),
      alike_(scenario.workload.classes.empty() && !scenario.workload.patience),
      queue_bound_(policy.queue_bound),
      source_(scenario, replication),
      workers_(join_all(scenario.pool)),
      depths_(workers_.size()),
      dispatchers_(scenario, replication, dispatcher_.loads(), dispatch::needs(policy.policy)),
      plain_(dispatchers_.all_knowing() && is_plain(scenario, policy)),
      wake_ups_(scenario.run.seed, "wake_ups", replication) {}

std::vector<SimulatedPool::SimulatedWorker> SimulatedPool::join_all(
    const scenario::PoolSettings& pool) {
  std::vector<SimulatedWorker> workers;
  for (std::size_t w = 0; w < pool.speeds.size(); ++w) {
    workers.push_back({.speed = pool.speeds[w]});
    const auto joined = dispatcher_.join(capacity_of(w, pool));
    ARTEL_REQUIRE(joined && index(*joined) == w, "workers join in order", w);
  }
  return workers;
}

void SimulatedPool::record_into(std::vector<trace::TaskRecord>& tasks) {
  tasks_ = &tasks;
  plain_ = false;
  dispatcher_.on_bound([this](const Part& part, WorkerId id) {
    auto& task = (*tasks_)[part.record];
    if (task.worker != trace::TaskRecord::kNobody) return;  // taken over: it was bound before
    task.bound = now();
    task.worker = id;
    task.queued_worker = static_cast<std::uint32_t>(dispatcher_.waiting(id));
  });
}

void SimulatedPool::open() {
  if (dispatchers_.stale()) {
    on(pool_event::Refresh{});
  } else if (closed_loop() != nullptr) {
    on(pool_event::Beacon{});
    emit_self(pool_event::Publish{}, closed_loop()->publish_every);
  }
  if (scenario_.pool.scaling) on(pool_event::NextSize{});
  schedule_arrival();
}

void SimulatedPool::schedule_arrival() {
  if (const auto arrival = source_.next_arrival()) {
    emit_self(pool_event::Arrival{}, *arrival - now());
  } else {
    source_open_ = false;
    meter_.source_ended(now());
  }
}

void SimulatedPool::on(const pool_event::Arrival& event) {
  if (is_early(*this, event)) [[unlikely]] {
    put_off(*this, event);
    return;
  }
  Part part{.arrival = now(), .counted = meter_.arrived(now())};
  if (plain_) {
    arrive<true>(part);
  } else {
    arrive<false>(part);
  }
  schedule_arrival();
}

template <bool kPlain>
inline void SimulatedPool::arrive(Part& part) {
  if (!kPlain && !alike_) describe(part);
  dispatch::TaskHints hints;
  hints.key = source_.key();
  const auto parts = kPlain ? 1 : scenario_.workload.fork;
  if (parts > 1) part.forked = forked_tasks_.open(parts);
  if (!kPlain) dispatchers_.task_arrives();
  for (std::uint32_t i = 0; i < parts; ++i) {
    part.size = source_.size(part.task_class);
    hints.size = source_.hint(part.size);
    place<kPlain>(part, kPlain ? std::nullopt : decide(hints), hints);
  }
}

// What tells it from others.
void SimulatedPool::describe(Part& part) {
  part.task_class = source_.task_class();
  if (scenario_.workload.patience) part.expires = later(now(), source_.patience());
  classes_.arrived(part.task_class, part.counted);
}

dispatch::Precedence SimulatedPool::precedence_of(const Part& part) const {
  const auto& classes = scenario_.workload.classes;
  const auto priority = classes.empty() ? 0 : classes[part.task_class].priority;
  if (priority == 0) return dispatch::Precedence::usual;
  return priority > 0 ? dispatch::Precedence::first : dispatch::Precedence::last;
}

template <bool kPlain>
inline void SimulatedPool::place(Part& part, std::optional<WorkerId> chosen,
                                 const dispatch::TaskHints& hints) {
  if (!kPlain && tasks_ != nullptr) open_record(part, hints.size);
  const bool own_views = !kPlain && dispatchers_.own_views();
  if (own_views) part.note = dispatchers_.open_note();
  const auto precedence = kPlain || alike_ ? dispatch::Precedence::usual : precedence_of(part);
  const auto placement = chosen && precedence == dispatch::Precedence::usual
                             ? dispatcher_.arrived_at(*chosen, Part(part), now(), hints)
                             : dispatcher_.arrived(Part(part), now(), hints, precedence);
  if (own_views) dispatchers_.note(part.note, placement, hints.size, now());
  switch (placement.kind) {
    case dispatch::Placement::Kind::assigned:
      update_depth(placement.worker);
      if (placement.start) {
        kPlain ? start_next<true>(placement.worker) : wake(placement.worker);
      } else if (!kPlain && scenario_.pool.stealing != dispatch::Stealing::none) {
        call_helper();
      }
      break;
    case dispatch::Placement::Kind::held:
      if (precedence != dispatch::Precedence::usual) call_helper();
      break;
    case dispatch::Placement::Kind::rejected:
      if (!kPlain && tasks_ != nullptr)
        (*tasks_)[part.record].outcome = trace::TaskOutcome::rejected;
      complete<kPlain>(part, now(), true);
      break;
  }
}

// The worker was idle and has got a task.
void SimulatedPool::wake(WorkerId id) {
  const auto& wake_ups = scenario_.pool.wake_ups;
  if (wake_ups.empty()) return start_next<false>(id);
  if (std::exchange(workers_[index(id)].waking, true)) return;
  emit_self(pool_event::Wake{id}, wake_ups[wake_ups_.below(wake_ups.size())]);
}

// A task waits at a busy worker: the first idle one that is still asleep comes to steal it.
void SimulatedPool::call_helper() {
  const auto& loads = dispatcher_.loads();
  const auto idle = loads.count(dispatch::Group::idle);
  for (std::size_t k = 0; k < idle; ++k) {
    const auto id = loads.nth(dispatch::Group::idle, k);
    if (id && !workers_[index(*id)].waking) return wake(*id);
  }
}

void SimulatedPool::on(const pool_event::Wake& event) {
  workers_[index(event.worker)].waking = false;
  start_next<false>(event.worker);
}

template <bool kPlain>
void SimulatedPool::start_next(WorkerId id, Duration overhead) {
  const bool takes_over = !kPlain && dispatcher_.waiting(id) == 0;
  auto part = dispatcher_.start(id, now());
  while (!kPlain && part && part->expires < now()) {
    expire(id, *part);
    part = dispatcher_.start(id, now());
  }
  update_depth(id);
  if (!part) return;
  if (takes_over) {
    for (std::size_t w = 0; w < workers_.size(); ++w) update_depth(dispatch::worker(w));
  }
  auto& worker = workers_[index(id)];
  worker.part = *part;
  if (kPlain) return begin<kPlain>(id);
  const auto ready = part->arrival + scenario_.dispatch.network_delay;
  const auto start = std::max(ready, later(now(), overhead));
  if (start > now()) {
    emit_self(pool_event::Begin{id}, start - now());
  } else {
    begin<kPlain>(id);
  }
}

void SimulatedPool::on(const pool_event::Begin& event) { begin<false>(event.worker); }

// Nobody waits for it any more: the worker throws it away.
void SimulatedPool::expire(WorkerId id, const Part& part) {
  dispatcher_.finished(id, now());
  dispatchers_.note_done(part.note, now(), false);
  if (tasks_ != nullptr) {
    auto& task = (*tasks_)[part.record];
    task.worker = id;
    task.outcome = trace::TaskOutcome::expired;
    task.bound = task.started = task.finished = now();
  }
  meter_.gave_up(now(), part.arrival, part.counted);
  classes_.gave_up(part.task_class, now() - part.arrival, part.counted);
}

template <bool kPlain>
void SimulatedPool::begin(WorkerId id) {
  auto& worker = workers_[index(id)];
  worker.start = now();
  meter_.started(now(), id, worker.part.arrival);
  if (!kPlain && tasks_ != nullptr) {
    auto& task = (*tasks_)[worker.part.record];
    task.worker = id;
    task.started = now();
  }
  const auto service = worker.speed == 1
                           ? worker.part.size
                           : from_seconds(to_seconds(worker.part.size) / worker.speed);
  emit_self(pool_event::End{id}, service);
}

void SimulatedPool::on(const pool_event::End& event) {
  if (plain_) return finish<true>(event.worker);
  finish<false>(event.worker);
  if (scenario_.pool.scaling) retire_if_gone(event.worker);
}

template <bool kPlain>
void SimulatedPool::finish(WorkerId id) {
  auto& worker = workers_[index(id)];
  const auto& part = worker.part;  // until the next one starts
  meter_.finished(now(), id);
  dispatcher_.finished(id, now());
  if (!kPlain) {
    ++worker.committed;
    if (tasks_ != nullptr) (*tasks_)[part.record].finished = now();
    dispatchers_.note_done(part.note, now());
  }
  complete<kPlain>(part, worker.start, false);
  start_next<kPlain>(id, scenario_.pool.task_overhead);
}

// A part has been served, or was rejected; its task is done with the last one.
template <bool kPlain>
inline void SimulatedPool::complete(const Part& part, Instant start, bool rejected) {
  std::optional<ForkedTasks::ForkEnd> end({.start = start, .rejected = rejected});
  if (!kPlain) end = forked_tasks_.ended(part.forked, *end);
  if (!end) return;
  if (end->rejected) {
    meter_.rejected(now(), part.counted);
    if (!kPlain && !alike_) classes_.rejected(part.task_class, part.counted);
  } else {
    meter_.completed(now(), part.arrival, end->start, part.counted);
    if (!kPlain && !alike_)
      classes_.completed(part.task_class, now() - part.arrival, end->start - part.arrival,
                         part.counted);
  }
}

void SimulatedPool::update_depth(WorkerId id) {
  auto& depth = depths_[index(id)];
  const auto queued = dispatcher_.loads().queued(id);
  while (depth < queued) meter_.grew(now(), id, ++depth);
  while (depth > queued) meter_.shrank(now(), id, --depth);
}

// What is known of a task that has just come.
void SimulatedPool::open_record(Part& part, Duration hint) {
  constexpr std::uint32_t kRecordsMax = 0x7FFFFFFF;
  ARTEL_REQUIRE(tasks_->size() < kRecordsMax, "more tasks than a recording has room for");
  part.record = static_cast<std::uint32_t>(tasks_->size()) & kRecordsMax;
  const bool ends = part.expires != kNever;
  tasks_->push_back({.submitted = part.arrival,
                     .bound = now(),
                     .started = now(),
                     .finished = now(),
                     .size = hint,
                     .patience = ends ? part.expires - part.arrival : kForever,
                     .priority = static_cast<std::uint8_t>(precedence_of(part)),
                     .task_class = static_cast<std::uint16_t>(part.task_class),
                     .queued_common = static_cast<std::uint32_t>(dispatcher_.held())});
}

// A closed loop learns with the refresh what its beacons would have told.
void SimulatedPool::on(const pool_event::Refresh&) {
  dispatchers_.refresh(dispatcher_.loads(), now());
  if (closed_loop() != nullptr) {
    for (std::size_t w = 0; w < workers_.size(); ++w) {
      const auto id = dispatch::worker(w);
      dispatcher_.beacon({.worker = id,
                          .queued = dispatchers_.snapshot().load(id).queued,
                          .committed = std::exchange(workers_[w].committed, 0),
                          .sent = now(),
                          .back = now()});
    }
    dispatcher_.publish(now());
  }
  if (source_open_) emit_self(pool_event::Refresh{}, scenario_.dispatch.staleness);
}

void SimulatedPool::on(const pool_event::Beacon&) {
  dispatcher_.send_beacons(now());
  if (source_open_) emit_self(pool_event::Beacon{}, closed_loop()->beacon_every);
}

void SimulatedPool::on(const pool_event::Publish&) {
  dispatcher_.publish(now());
  if (source_open_) emit_self(pool_event::Publish{}, closed_loop()->publish_every);
}

}  // namespace artel::fleet::detail
