// The callers of a simulated fleet: what they hear, and what they do then.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/fleet/detail/caller_life.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::fleet::detail {

// A user of closed arrivals asks some time from now.
void SimulatedFleet::think() {
  if (!source_open_) return;
  ++thinking_;
  emit_self(fleet_event::UserAsks{}, from_seconds(std::max(0.0, users_->think(thinks_))));
}

void SimulatedFleet::on(const fleet_event::UserAsks& event) {
  if (is_early(*this, event)) [[unlikely]] {
    put_off(*this, event);
    return;
  }
  --thinking_;
  if (!source_open_) return;
  const bool asked = source_.asked(now());
  if (asked) take_arrival();
  if (asked && source_.may_ask()) return;
  source_open_ = false;
  meter_.source_ended(now());
}

void SimulatedFleet::ask(const FleetTask& task) {
  if (free_requests_.empty()) {
    free_requests_.push_back(static_cast<std::uint32_t>(requests_.size()));
    requests_.emplace_back();
  }
  const auto number = free_requests_.back();
  free_requests_.pop_back();
  auto& request = requests_[number];
  request.task = task;
  request.task.request = number;
  request.serial = ++requests_ever_;
  request.state = {};
  request.passing.clear();
  ++in_system_;
  tell(number, CallerNews::due);
}

void SimulatedFleet::on(const fleet_event::TryDue& event) {
  if (is_early(*this, event)) {
    requests_[event.request].next = put_off(*this, event);
    return;
  }
  tell(event.request, CallerNews::due);
  tell_callers();
}

void SimulatedFleet::on(const fleet_event::TryTimeout& event) {
  if (is_early(*this, event)) {
    requests_[event.request].next = put_off(*this, event);
    return;
  }
  tell(event.request, CallerNews::timed_out);
  tell_callers();
}

void SimulatedFleet::on(const fleet_event::HedgeDue& event) {
  if (is_early(*this, event)) {
    requests_[event.request].hedge = put_off(*this, event);
    return;
  }
  tell(event.request, CallerNews::hedge_due);
  tell_callers();
}

// Time-outs count as lost, a try that a breaker does not allow as refused.
void SimulatedFleet::tell(std::uint32_t request, CallerNews news) {
  heard_.push_back({.request = request,
                    .serial = requests_[request].serial,
                    .news = news,
                    .fate = news == CallerNews::due ? TaskEnding::rejected : TaskEnding::lost});
}

// What callers do makes news for others; it is told here, one after the other, and never while a
// worker is in the middle of something.
void SimulatedFleet::tell_callers() {
  if (first_ != nullptr) return first_->tell_callers();
  if (!caller_ || telling_ || handing_on_ > 0) return;
  telling_ = true;
  for (std::size_t next = 0; next < heard_.size();) {
    while (next < heard_.size()) hear(Heard(heard_[next++]));
    bind_held();
    for (auto* stage : stages_.fleets()) stage->bind_held();
  }
  heard_.clear();
  telling_ = false;
}

void SimulatedFleet::hear(const Heard& heard) {
  auto& request = requests_[heard.request];
  if (request.serial != heard.serial) return;  // it has ended meanwhile
  if (heard.news == CallerNews::timed_out) {
    for (const auto id : request.attempts)
      if (tasks_[id].where != FleetTask::Where::held) note_failure(tasks_[id].worker);
  }
  if (heard.news == CallerNews::due) {
    request.tried = now();
    request.begun = false;
  }
  request.fate = heard.fate;
  request.task.start = heard.start;
  const auto step = caller_->on(heard.news, request.state, now(), now() - request.tried);
  const auto sent = follow(heard.request, step);
  if (heard.news == CallerNews::hedge_due && sent < step.send) caller_->not_sent();
}

// How many attempts were sent.
std::uint32_t SimulatedFleet::follow(std::uint32_t number, const CallerStep& step) {
  auto& request = requests_[number];
  if (step.take_back == CallerStep::TakeBack::waiting) take_back_waiting(request);
  if (step.take_back == CallerStep::TakeBack::all) take_back_all(request);
  if (step.ends) {
    end(request);
    return 0;
  }
  if (step.timeout) request.next = emit_self(fleet_event::TryTimeout{number}, *step.timeout);
  if (step.retry) request.next = emit_self(fleet_event::TryDue{number}, *step.retry);
  if (step.hedge) request.hedge = emit_self(fleet_event::HedgeDue{number}, *step.hedge);
  const bool tied = scenario_.workload.callers.tied;
  std::uint32_t sent = 0;
  while (sent < step.send && !(tied && request.begun) && send(number)) ++sent;
  return sent;
}

// The news of an attempt's end, for whoever waits for it.
void SimulatedFleet::tell_end(const FleetTask& attempt, TaskEnding ending) {
  if (attempt.request == FleetTask::kNobody) return;
  const bool served = ending == TaskEnding::served;
  heard_.push_back({.request = attempt.request,
                    .serial = requests_[attempt.request].serial,
                    .news = served ? CallerNews::answered : CallerNews::failed,
                    .start = attempt.start,
                    .fate = ending});
}

// Whoever waited has told everybody so.
bool SimulatedFleet::nobody_hears(const FleetTask& attempt) const {
  return attempt.request == FleetTask::kNobody &&
         scenario_.workload.callers.cancel != scenario::Spared::nothing;
}

// One attempt; false when there is nobody else to send it to.
bool SimulatedFleet::send(std::uint32_t number) {
  auto& request = requests_[number];
  auto task = request.task;
  const bool again =
      request.state.tries > 1 || !request.attempts.empty() || !request.passing.empty();
  if (again && scenario_.workload.callers.redraw) {
    const auto drawn = source_.redraw(task.task_class);
    task.size = drawn.size;
    task.hint = drawn.hint;
  }
  dispatchers_.task_arrives();
  const bool another = !request.attempts.empty();
  const auto chosen = another ? choose_another(request) : dispatcher_decides(task);
  if (another && !chosen) return false;
  task.arrival = now();
  meter_.attempted(task.counted);
  ++request.state.open;
  const auto id = new_task(task);
  request.attempts.push_back(id);
  place(id, chosen);
  return true;
}

// A worker with room that has none of the request's attempts, as the policy names them; if it keeps
// naming others, the next one. Nothing: there is none.
std::optional<WorkerId> SimulatedFleet::choose_another(const Request& request) {
  const auto fits = [&](WorkerId id) {
    return table_.loads().load(id).room() > 0 &&
           std::ranges::none_of(request.attempts, [&](std::uint32_t attempt) {
             return tasks_[attempt].where != FleetTask::Where::held && tasks_[attempt].worker == id;
           });
  };
  table_.advance(now());
  std::size_t last = 0;
  constexpr int kDraws = 16;
  for (int i = 0; i < kDraws && table_.open(); ++i) {
    const auto chosen =
        dispatchers_.all_knowing() ? choose(request.task) : dispatcher_decides(request.task);
    if (!chosen) break;
    if (fits(*chosen)) return chosen;
    last = index(*chosen);
  }
  for (std::size_t i = 1; i <= workers_.size(); ++i) {
    const auto id = dispatch::worker((last + i) % workers_.size());
    if (table_.members().working(id) && fits(id)) return id;
  }
  return std::nullopt;
}

// What no worker has begun.
void SimulatedFleet::take_back_waiting(Request& request) {
  const auto attempts = request.attempts;
  for (const auto id : attempts) {
    if (!take_back(id, false)) continue;
    std::erase(request.attempts, id);
    --request.state.open;
    tasks_[id].request = FleetTask::kNobody;
    leave(id, TaskEnding::taken_back);
  }
}

// The try is over, and nobody waits for any attempt of it; whether workers hear of that is another
// matter.
void SimulatedFleet::take_back_all(Request& request) {
  cancel(request.next);
  cancel(request.hedge);
  const auto spares = scenario_.workload.callers.cancel;
  for (const auto id : request.attempts) {
    tasks_[id].request = FleetTask::kNobody;
    if (scenario_.workload.patience) cancel(tasks_[id].give_up);
    if (spares == scenario::Spared::nothing) continue;
    if (take_back(id, spares == scenario::Spared::all)) leave(id, TaskEnding::taken_back);
  }
  request.attempts.clear();
  const auto passing = std::exchange(request.passing, {});
  stages_.take_back(passing);
}

void SimulatedFleet::end(Request& request) {
  request.serial = 0;
  free_requests_.push_back(request.task.request);
  --in_system_;
  finish(request.task, request.fate);
}

}  // namespace artel::fleet::detail
