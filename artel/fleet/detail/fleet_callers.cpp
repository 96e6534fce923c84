#include "artel/fleet/detail/fleet_callers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/caller_life.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_pool.hpp"
#include "artel/fleet/detail/fleet_task.hpp"
#include "artel/fleet/detail/meter.hpp"
#include "artel/fleet/detail/put_off.hpp"
#include "artel/fleet/detail/stages.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::fleet::detail {

FleetCallers::FleetCallers(const scenario::Scenario& scenario, std::uint32_t replication,
                           FleetPool& pool, Stages& stages, Meter& meter, CallersHost& host,
                           sim::Context& events)
    : settings_(scenario.workload.callers),
      pool_(pool),
      stages_(stages),
      meter_(meter),
      host_(host),
      events_(events) {
  if (!settings_.plain())
    life_ = std::make_unique<CallerLife>(settings_,
                                         random::Stream(scenario.run.seed, "callers", replication));
}

void FleetCallers::ask(const FleetTask& task) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(requests_.size()));
    requests_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  auto& request = requests_[number];
  request.task = task;
  request.task.request = number;
  request.serial = ++requests_ever_;
  request.state = {};
  request.passing.clear();
  tell(number, CallerNews::due);
}

// `timer` of the request is the event's.
template <class Event>
void FleetCallers::time_has_come(const Event& event, sim::EventId Request::* timer,
                                 CallerNews news) {
  if (is_early(events_, event)) {
    requests_[event.request].*timer = put_off(events_, event);
    return;
  }
  tell(event.request, news);
  hear_all();
}

void FleetCallers::on(const fleet_event::TryDue& event) {
  time_has_come(event, &Request::next, CallerNews::due);
}

void FleetCallers::on(const fleet_event::TryTimeout& event) {
  time_has_come(event, &Request::next, CallerNews::timed_out);
}

void FleetCallers::on(const fleet_event::HedgeDue& event) {
  time_has_come(event, &Request::hedge, CallerNews::hedge_due);
}

// Time-outs count as lost, a try that a breaker does not allow as refused.
void FleetCallers::tell(std::uint32_t request, CallerNews news) {
  heard_.push_back({.request = request,
                    .serial = requests_[request].serial,
                    .news = news,
                    .fate = news == CallerNews::due ? TaskEnding::rejected : TaskEnding::lost});
}

void FleetCallers::hear_all() {
  if (std::exchange(hearing_, true)) return;
  for (std::size_t next = 0; next < heard_.size();) {
    while (next < heard_.size()) hear(Heard(heard_[next++]));
    pool_.bind_held();
    stages_.bind_held();
  }
  heard_.clear();
  hearing_ = false;
}

void FleetCallers::hear(const Heard& heard) {
  auto& request = requests_[heard.request];
  if (request.serial != heard.serial) return;  // it has ended meanwhile
  if (heard.news == CallerNews::timed_out) {
    for (const auto id : request.attempts) pool_.answered_late(id);
  }
  const Instant now = events_.now();
  if (heard.news == CallerNews::due) {
    request.tried = now;
    request.begun = false;
  }
  request.fate = heard.fate;
  request.task.start = heard.start;
  const auto step = life_->on(heard.news, request.state, now, now - request.tried);
  const auto sent = follow(heard.request, step);
  if (heard.news == CallerNews::hedge_due && sent < step.send) life_->not_sent();
}

// How many attempts were sent.
std::uint32_t FleetCallers::follow(std::uint32_t number, const CallerStep& step) {
  auto& request = requests_[number];
  if (step.take_back == CallerStep::TakeBack::waiting) take_back_waiting(request);
  if (step.take_back == CallerStep::TakeBack::all) take_back_all(request);
  if (step.ends) {
    end(request);
    return 0;
  }
  if (step.timeout)
    request.next = events_.emit_self(fleet_event::TryTimeout{number}, *step.timeout);
  if (step.retry) request.next = events_.emit_self(fleet_event::TryDue{number}, *step.retry);
  if (step.hedge) request.hedge = events_.emit_self(fleet_event::HedgeDue{number}, *step.hedge);
  std::uint32_t sent = 0;
  while (sent < step.send && !(settings_.tied && request.begun) && send(number)) ++sent;
  return sent;
}

// One attempt; false when there is nobody else to send it to.
bool FleetCallers::send(std::uint32_t number) {
  auto& request = requests_[number];
  auto task = request.task;
  const bool again =
      request.state.tries > 1 || !request.attempts.empty() || !request.passing.empty();
  if (again && settings_.redraw) {
    const auto drawn = pool_.source().redraw(task.task_class);
    task.size = drawn.size;
    task.hint = drawn.hint;
  }
  pool_.placement().task_arrives();
  std::optional<WorkerId> chosen;
  if (request.attempts.empty()) {
    chosen = pool_.placement().decide(task);
  } else if (chosen = choose_another(request); !chosen) {
    return false;
  }
  ++request.state.open;
  task.arrival = events_.now();
  meter_.attempted(task.counted);
  const auto id = pool_.add(task);
  request.attempts.push_back(id);
  pool_.place(id, chosen);
  return true;
}

// A worker that has no attempt of it.
std::optional<WorkerId> FleetCallers::choose_another(const Request& request) {
  return pool_.placement().decide_another(request.task, [&](WorkerId id) {
    return std::ranges::any_of(request.attempts, [&](std::uint32_t attempt) {
      const auto& task = pool_.task(attempt);
      return task.where != FleetTask::Where::held && task.worker == id;
    });
  });
}

// What no worker has begun.
void FleetCallers::take_back_waiting(Request& request) {
  const auto attempts = request.attempts;
  for (const auto id : attempts) {
    if (!pool_.take_back(id, false)) continue;
    std::erase(request.attempts, id);
    --request.state.open;
    pool_.forget_caller(id);
    pool_.leave(id, TaskEnding::taken_back);
  }
}

// The try is over, and nobody waits for any attempt of it; whether workers hear of that is another
// matter.
void FleetCallers::take_back_all(Request& request) {
  events_.cancel(request.next);
  events_.cancel(request.hedge);
  for (const auto id : request.attempts) {
    pool_.forget_caller(id);
    if (settings_.cancel == scenario::Spared::nothing) continue;
    if (pool_.take_back(id, settings_.cancel == scenario::Spared::all))
      pool_.leave(id, TaskEnding::taken_back);
  }
  request.attempts.clear();
  const auto passing = std::exchange(request.passing, {});
  stages_.take_back(passing);
}

void FleetCallers::end(Request& request) {
  request.serial = 0;
  free_.push_back(request.task.request);
  host_.request_ended(request.task, request.fate);
}

// ---- Attempts

void FleetCallers::began(const FleetTask& attempt) {
  requests_[attempt.request].begun = true;
  if (settings_.tied) tell(attempt.request, CallerNews::began);
}

void FleetCallers::left(const FleetTask& attempt, std::uint32_t id) {
  std::erase(requests_[attempt.request].attempts, id);
}

void FleetCallers::passes_on(const FleetTask& attempt, std::uint32_t number) {
  requests_[attempt.request].passing.push_back(number);
}

void FleetCallers::been_through(const FleetTask& attempt, std::uint32_t number) {
  std::erase(requests_[attempt.request].passing, number);
}

void FleetCallers::ended(const FleetTask& attempt, TaskEnding ending) {
  const bool served = ending == TaskEnding::served;
  heard_.push_back({.request = attempt.request,
                    .serial = requests_[attempt.request].serial,
                    .news = served ? CallerNews::answered : CallerNews::failed,
                    .start = attempt.start,
                    .fate = ending});
}

}  // namespace artel::fleet::detail
