#include "artel/fleet/detail/outages.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"
#include "artel/fleet/detail/fleet_workers.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/sim/kernel/context.hpp"

namespace artel::fleet::detail {

namespace {

// The state that comes after one; dice are thrown only if there is a choice.
std::size_t following(std::span<const scenario::SpeedState> states, std::size_t state,
                      random::Stream& dice) {
  const auto& next = states[state].next;
  if (next.empty()) return (state + 1) % states.size();
  double left = dice.uniform();
  std::size_t last = 0;  // of those that may follow: rounding is no reason to take another
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i] == 0) continue;
    last = i;
    if (left < next[i]) break;
    left -= next[i];
  }
  return last;
}

}  // namespace

Outages::Outages(const scenario::Scenario& scenario, FleetWorkers& workers, OutageHost& host,
                 sim::Context& events)
    : settings_(scenario.pool.worker),
      failures_(settings_.failures.value_or(scenario::FailureSettings{})),
      speeds_alike_(settings_.speed_timetable && settings_.speed_timetable->alike()),
      workers_(workers),
      host_(host),
      events_(events) {}

Outages::OneWorker& Outages::at(WorkerId id) {
  if (each_.size() <= index(id)) each_.resize(index(id) + 1);
  return each_[index(id)];
}

void Outages::open() {
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    plan_failure(dispatch::worker(w));
    plan_speed(dispatch::worker(w));
  }
  plan_outages();
}

void Outages::joined(WorkerId id) {
  at(id).known_down = false;
  started(id);
  plan_failure(id);
  plan_speed(id);
}

void Outages::retired(WorkerId id) {
  auto& one = at(id);
  if (failures_.mtbf > Duration::zero()) events_.cancel(one.turn);
  events_.cancel(one.next_speed);
  events_.cancel(one.up_to_speed);
  workers_.at(id).down = 0;
}

// Failures by chance.
void Outages::plan_failure(WorkerId id) {
  if (failures_.mtbf == Duration::zero() || host_.over()) return;
  const double up = -std::log1p(-workers_.at(id).fate.uniform()) * to_seconds(failures_.mtbf);
  at(id).turn = events_.emit_self(fleet_event::Fail{id}, from_seconds(up));
}

void Outages::on(const fleet_event::Fail& event) {
  fail(event.worker);
  const double down =
      -std::log1p(-workers_.at(event.worker).fate.uniform()) * to_seconds(failures_.mttr);
  at(event.worker).turn = events_.emit_self(fleet_event::Repair{event.worker}, from_seconds(down));
}

void Outages::on(const fleet_event::Repair& event) {
  repair(event.worker);
  plan_failure(event.worker);
}

// Failures by timetable.
void Outages::plan_outages() {
  using Kind = OutageChange::Kind;
  for (const auto& outage : failures_.outages) {
    const auto end = later(outage.at, outage.lasts);
    for (std::uint32_t w = 0; w < workers_.size(); ++w) {
      const auto& named = outage.workers;
      if (!named.empty() && std::ranges::find(named, w) == named.end()) continue;
      const auto id = dispatch::worker(w);
      changes_.push_back({outage.at, id, Kind::fail});
      changes_.push_back({end, id, Kind::repair});
      if (!outage.drain) continue;
      const auto before = std::min(*outage.drain, outage.at - Instant{});
      changes_.push_back({outage.at - before, id, Kind::drain});
      changes_.push_back({end, id, Kind::reopen});
    }
  }
  std::ranges::sort(changes_, {}, [](const OutageChange& change) {
    return std::tuple(change.at, change.kind, index(change.worker));
  });
  if (!changes_.empty())
    events_.emit_self(fleet_event::OutageStep{}, changes_.front().at - events_.now());
}

void Outages::on(const fleet_event::OutageStep&) {
  using Kind = OutageChange::Kind;
  if (host_.over()) return;
  while (next_change_ < changes_.size() && changes_[next_change_].at <= events_.now()) {
    const auto change = changes_[next_change_++];
    if (change.kind == Kind::drain) host_.shut(change.worker);
    if (change.kind == Kind::fail) fail(change.worker);
    if (change.kind == Kind::repair) repair(change.worker);
    if (change.kind == Kind::reopen) host_.reopen(change.worker);
  }
  if (next_change_ < changes_.size())
    events_.emit_self(fleet_event::OutageStep{}, changes_[next_change_].at - events_.now());
}

void Outages::fail(WorkerId id) {
  using Fate = scenario::FailureSettings::TaskFate;
  auto& worker = workers_.at(id);
  if (worker.down > 0) {
    ++worker.down;
    return;
  }
  workers_.move_clock(worker);
  ++worker.down;
  workers_.stop_or_go(worker);
  if (failures_.task != Fate::resume) host_.empty_cache(id);
  if (failures_.task == Fate::restart) worker.server->restart();
  if (failures_.loses_tasks()) worker.server->lose(events_.now(), workers_.news());
  if (failures_.task == Fate::error) worker.server->lose_waiting(workers_.news());
  host_.settle_after(id, true);
  detect_later(id);
}

void Outages::repair(WorkerId id) {
  auto& worker = workers_.at(id);
  if (worker.down > 1) {
    --worker.down;
    return;
  }
  workers_.move_clock(worker);
  worker.down = 0;
  host_.settle_after(id, false);
  detect_later(id);
}

void Outages::detect_later(WorkerId id) {
  if (failures_.detection < kForever)
    events_.emit_self(fleet_event::Detected{id}, failures_.detection);
}

void Outages::on(const fleet_event::Detected& event) {
  auto& known = at(event.worker).known_down;
  const bool down = workers_.at(event.worker).down > 0;
  if (known == down) return;  // it was repaired, or broke, meanwhile
  known = down;
  down ? host_.shut(event.worker) : host_.reopen(event.worker);
}

// Each worker goes its own way through the speeds, by chance or by the clock.
void Outages::plan_speed(WorkerId id) {
  if (const auto& timetable = settings_.speed_timetable) return follow_timetable(id, *timetable);
  const auto& states = settings_.speed_states;
  if (states.empty() || host_.over()) return;
  auto& worker = workers_.at(id);
  const auto& state = states[at(id).state];
  worker.pace = worker.speed * state.speed;
  const double lasts = -std::log1p(-worker.fate.uniform()) * to_seconds(state.mean_duration);
  at(id).next_speed = events_.emit_self(fleet_event::SpeedChange{id}, from_seconds(lasts));
}

void Outages::on(const fleet_event::SpeedChange& event) {
  auto& worker = workers_.at(event.worker);
  workers_.move_clock(worker);
  auto& state = at(event.worker).state;
  const auto& states = settings_.speed_states;
  if (!states.empty()) state = following(states, state, worker.fate);
  plan_speed(event.worker);
  host_.settle_after(event.worker, false);
}

void Outages::started(WorkerId id) {
  const auto& slow = settings_.slow_start;
  if (!slow) return;
  auto& up_to_speed = at(id).up_to_speed;
  events_.cancel(up_to_speed);
  workers_.at(id).ease = slow->speed;
  up_to_speed = events_.emit_self(fleet_event::UpToSpeed{id}, slow->time);
}

void Outages::on(const fleet_event::UpToSpeed& event) {
  auto& worker = workers_.at(event.worker);
  workers_.move_clock(worker);
  worker.ease = 1;
  host_.settle_after(event.worker, false);
}

// Those of all workers or, made at the first asking, its own.
std::span<const Outages::SpeedPoint> Outages::points_of(WorkerId id,
                                                        const scenario::SpeedTimetable& timetable) {
  if (speeds_alike_) return timetable.points;
  auto& own = at(id).points;
  if (own.empty()) own = timetable.of(static_cast<std::uint32_t>(index(id)));
  return own;
}

// As the last point before now says, until the next one.
void Outages::follow_timetable(WorkerId id, const scenario::SpeedTimetable& timetable) {
  const auto points = points_of(id, timetable);
  if (points.empty() || host_.over()) return;
  const auto time = (events_.now() - Instant{}) % timetable.day;
  const auto next = std::ranges::upper_bound(points, time, {}, &SpeedPoint::at);
  auto& worker = workers_.at(id);
  worker.pace = worker.speed * (next == points.begin() ? points.back() : *std::prev(next)).speed;
  if (points.size() == 1) return;
  const auto until = next == points.end() ? timetable.day + points.front().at : next->at;
  at(id).next_speed = events_.emit_self(fleet_event::SpeedChange{id}, until - time);
}

}  // namespace artel::fleet::detail
