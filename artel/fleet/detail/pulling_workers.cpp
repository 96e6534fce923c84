#include "artel/fleet/detail/pulling_workers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_parts.hpp"
#include "artel/fleet/detail/fleet_placement.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {
namespace {

constexpr std::uint32_t kNobody = TaskQueue::kNobody;

}  // namespace

PullingWorkers::PullingWorkers(const scenario::Scenario& scenario,
                               const scenario::PolicySpec& policy, std::uint32_t replication,
                               TaskTable<FleetTask>& tasks, FleetPlacement<FleetParts>& placement,
                               PullHost& host, sim::Context& events)
    : stealing_(scenario.pool.stealing),
      take_over_(policy.take_over.value_or(scenario.pool.take_over) && !steal()),
      overhead_(scenario.pool.task_overhead),
      network_delay_(scenario.dispatch.network_delay),
      wake_ups_(scenario.pool.wake_ups),
      active_(steal() || take_over_ || overhead_ > Duration::zero() || !wake_ups_.empty()),
      dice_(scenario.run.seed, "wake_ups", replication),
      tasks_(tasks),
      placement_(placement),
      host_(host),
      events_(events),
      workers_(scenario.pool.speeds.size()) {}

WorkerId PullingWorkers::instead_of(WorkerId chosen) const {
  const auto& loads = placement_.loads();
  if (!take_over_ || loads.queued(chosen) == 0) return chosen;
  return loads.next(dispatch::Group::idle, chosen).value_or(chosen);
}

void PullingWorkers::push(WorkerId worker, std::uint32_t id) {
  auto& at = workers_[index(worker)];
  at.queue.push(tasks_, id);
  ++at.waiting;
  ++waiting_;
  if (!take_over_) return;
  tasks_[id].order = ++came_;
  by_arrival_.emplace_hint(by_arrival_.end(), came_, worker);
}

// kNobody: nothing waits there.
std::uint32_t PullingWorkers::pop(WorkerId worker) {
  auto& at = workers_[index(worker)];
  const auto id = at.queue.pop(tasks_);
  if (id == kNobody) return id;
  --at.waiting;
  --waiting_;
  if (take_over_) by_arrival_.erase(tasks_[id].order);
  return id;
}

void PullingWorkers::came(std::uint32_t id) {
  const auto worker = tasks_[id].worker;
  const auto& at = workers_[index(worker)];
  const bool idle = !at.occupied && at.queue.empty();
  push(worker, id);
  if (idle) {
    wake(worker);
  } else if (steal()) {
    call_helper();
  }
}

void PullingWorkers::join(WorkerId id) {
  if (index(id) >= workers_.size()) workers_.resize(index(id) + 1);
  workers_[index(id)].occupied = true;
}

void PullingWorkers::opened(WorkerId id) {
  workers_[index(id)].occupied = false;
  wake(id);
}

// The worker was idle and has got a task, or may get one.
void PullingWorkers::wake(WorkerId id) {
  if (wake_ups_.empty()) return start_next(id, Duration::zero());
  if (std::exchange(workers_[index(id)].waking, true)) return;
  events_.emit_self(fleet_event::Woken{id}, wake_ups_[dice_.below(wake_ups_.size())]);
}

// A task waits at a busy worker: the first idle one that is still asleep comes to steal it.
void PullingWorkers::call_helper() {
  const auto& loads = placement_.loads();
  const auto idle = loads.count(dispatch::Group::idle);
  for (std::size_t k = 0; k < idle; ++k) {
    const auto id = loads.nth(dispatch::Group::idle, k);
    if (id && !workers_[index(*id)].waking) return wake(*id);
  }
}

void PullingWorkers::on(const fleet_event::Woken& event) {
  workers_[index(event.worker)].waking = false;
  start_next(event.worker, Duration::zero());
}

void PullingWorkers::on(const fleet_event::Begins& event) {
  host_.serve(std::exchange(workers_[index(event.worker)].taken, kNobody));
}

void PullingWorkers::start_next(WorkerId worker, Duration overhead) {
  const Instant now = events_.now();
  auto& at = workers_[index(worker)];
  at.occupied = false;
  auto id = next(worker);
  for (; id != kNobody && tasks_[id].expires < now; id = next(worker)) host_.expire(id);
  if (id == kNobody) return placement_.note_delay(worker, Duration::zero());
  at.occupied = true;
  const Instant start = std::max(tasks_[id].arrival + network_delay_, later(now, overhead));
  if (start <= now) return host_.serve(id);
  at.taken = id;
  events_.emit_self(fleet_event::Begins{worker}, start - now);
}

// What the worker takes next, off every queue; kNobody: nothing.
std::uint32_t PullingWorkers::next(WorkerId id) {
  const auto& queue = workers_[index(id)].queue;
  const bool works = placement_.members().working(id);
  if (works && placement_.held().of_sign(1) > 0) return take_held(id);
  if (works && queue.empty()) find_work(id);
  if (works && queue.empty() && placement_.held().of_sign(-1) > 0) return take_held(id);
  return pop(id);
}

std::uint32_t PullingWorkers::take_held(WorkerId id) {
  const auto task = placement_.held().pop(tasks_);
  host_.bind_here(task, id);
  return task;
}

void PullingWorkers::find_work(WorkerId id) {
  if (!by_arrival_.empty()) return move_front(by_arrival_.begin()->second, id);
  if (!steal()) return;
  if (stealing_ == dispatch::Stealing::before_held && steal_half(id)) return;
  if (placement_.held().of_sign(0) == 0 && stealing_ == dispatch::Stealing::after_held)
    steal_half(id);
  for (auto room = placement_.loads().load(id).room(); room > 0 && placement_.held().of_sign(0) > 0;
       --room)
    push(id, take_held(id));
}

// Half of what waits at the first worker after it where something waits; false: nowhere.
bool PullingWorkers::steal_half(WorkerId id) {
  if (waiting_ == 0) return false;
  for (std::size_t i = 1; i < workers_.size(); ++i) {
    const auto from = dispatch::worker((index(id) + i) % workers_.size());
    const auto there = waiting(from);
    if (there == 0) continue;
    const auto room = std::min(dispatch::kStolenMax, placement_.loads().load(id).room());
    for (auto left = std::min((there + 1) / 2, room); left > 0; --left) move_front(from, id);
    return true;
  }
  return false;
}

void PullingWorkers::move_front(WorkerId from, WorkerId to) {
  const auto id = pop(from);
  host_.move(id, to);
  push(to, id);
}

}  // namespace artel::fleet::detail
