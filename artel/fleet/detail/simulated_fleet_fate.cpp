// What befalls the workers of a simulated fleet: failures, changes of speed, and being left out.
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
#include "artel/fleet/detail/outlier_ejection.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/simulated_fleet.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

using SpeedPoint = scenario::SpeedTimetable::Point;

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

// Failures by chance.
void SimulatedFleet::plan_failure(WorkerId id) {
  if (failures_.mtbf == Duration::zero() || over()) return;
  const double up = -std::log1p(-at(id).fate.uniform()) * to_seconds(failures_.mtbf);
  at(id).turn = emit_self(fleet_event::Fail{id}, from_seconds(up));
}

void SimulatedFleet::on(const fleet_event::Fail& event) {
  fail(event.worker);
  const double down = -std::log1p(-at(event.worker).fate.uniform()) * to_seconds(failures_.mttr);
  at(event.worker).turn = emit_self(fleet_event::Repair{event.worker}, from_seconds(down));
}

void SimulatedFleet::on(const fleet_event::Repair& event) {
  repair(event.worker);
  plan_failure(event.worker);
}

// Failures by timetable.
void SimulatedFleet::plan_outages() {
  using Kind = OutageChange::Kind;
  for (const auto& outage : failures_.outages) {
    const auto end = later(outage.at, outage.lasts);
    for (std::uint32_t w = 0; w < workers_.size(); ++w) {
      const auto& named = outage.workers;
      if (!named.empty() && std::ranges::find(named, w) == named.end()) continue;
      const auto id = dispatch::worker(w);
      outages_.push_back({outage.at, id, Kind::fail});
      outages_.push_back({end, id, Kind::repair});
      if (!outage.drain) continue;
      const auto before = std::min(*outage.drain, outage.at - Instant{});
      outages_.push_back({outage.at - before, id, Kind::drain});
      outages_.push_back({end, id, Kind::reopen});
    }
  }
  std::ranges::sort(outages_, {}, [](const OutageChange& change) {
    return std::tuple(change.at, change.kind, index(change.worker));
  });
  if (!outages_.empty()) emit_self(fleet_event::OutageStep{}, outages_.front().at - now());
}

void SimulatedFleet::on(const fleet_event::OutageStep&) {
  using Kind = OutageChange::Kind;
  if (over()) return;
  while (next_outage_ < outages_.size() && outages_[next_outage_].at <= now()) {
    const auto change = outages_[next_outage_++];
    if (change.kind == Kind::drain) shut(change.worker);
    if (change.kind == Kind::fail) fail(change.worker);
    if (change.kind == Kind::repair) repair(change.worker);
    if (change.kind == Kind::reopen) reopen(change.worker);
  }
  if (next_outage_ < outages_.size())
    emit_self(fleet_event::OutageStep{}, outages_[next_outage_].at - now());
}

void SimulatedFleet::fail(WorkerId id) {
  auto& worker = at(id);
  if (worker.down > 0) {
    ++worker.down;
    return;
  }
  move_clock(worker);
  ++worker.down;
  stop_or_go(worker);
  if (failures_.task != scenario::FailureSettings::TaskFate::resume) empty_cache(id);
  if (failures_.task == scenario::FailureSettings::TaskFate::restart) worker.server->restart();
  if (failures_.task == scenario::FailureSettings::TaskFate::lose)
    worker.server->lose(now(), news_);
  settle(id, Departure::lost);
  if (failures_.detection < kForever) emit_self(fleet_event::Detected{id}, failures_.detection);
}

void SimulatedFleet::repair(WorkerId id) {
  auto& worker = at(id);
  if (worker.down > 1) {
    --worker.down;
    return;
  }
  move_clock(worker);
  worker.down = 0;
  settle(id);
  if (failures_.detection < kForever) emit_self(fleet_event::Detected{id}, failures_.detection);
}

void SimulatedFleet::on(const fleet_event::Detected& event) {
  auto& worker = at(event.worker);
  if (worker.known_down == (worker.down > 0)) return;  // it was repaired, or broke, meanwhile
  worker.known_down = worker.down > 0;
  worker.known_down ? shut(event.worker) : reopen(event.worker);
}

// Each goes its own way through the speeds, by chance or by the clock.
void SimulatedFleet::plan_speed(WorkerId id) {
  auto& worker = at(id);
  if (const auto& timetable = scenario_.pool.worker.speed_timetable)
    return follow_timetable(id, *timetable);
  const auto& states = scenario_.pool.worker.speed_states;
  if (states.empty() || over()) return;
  const auto& state = states[worker.state];
  worker.pace = worker.speed * state.speed;
  const double lasts = -std::log1p(-worker.fate.uniform()) * to_seconds(state.mean_duration);
  worker.next_speed = emit_self(fleet_event::SpeedChange{id}, from_seconds(lasts));
}

void SimulatedFleet::on(const fleet_event::SpeedChange& event) {
  auto& worker = at(event.worker);
  move_clock(worker);
  const auto& states = scenario_.pool.worker.speed_states;
  if (!states.empty()) worker.state = following(states, worker.state, worker.fate);
  plan_speed(event.worker);
  settle(event.worker);
}

// It has started; to be called where its clock has been moved.
void SimulatedFleet::start_slowly(WorkerId id) {
  const auto& slow = scenario_.pool.worker.slow_start;
  if (!slow) return;
  auto& worker = at(id);
  cancel(worker.up_to_speed);
  worker.ease = slow->speed;
  worker.up_to_speed = emit_self(fleet_event::UpToSpeed{id}, slow->time);
}

void SimulatedFleet::on(const fleet_event::UpToSpeed& event) {
  auto& worker = at(event.worker);
  move_clock(worker);
  worker.ease = 1;
  settle(event.worker);
}

// Those of all workers or, made at the first asking, its own.
std::span<const SpeedPoint> SimulatedFleet::points_of(WorkerId id,
                                                      const scenario::SpeedTimetable& timetable) {
  if (speeds_alike_) return timetable.points;
  auto& own = at(id).points;
  if (own.empty()) own = timetable.of(static_cast<std::uint32_t>(index(id)));
  return own;
}

// As the last point before now says, until the next one.
void SimulatedFleet::follow_timetable(WorkerId id, const scenario::SpeedTimetable& timetable) {
  const auto points = points_of(id, timetable);
  if (points.empty() || over()) return;
  const auto time = (now() - Instant{}) % timetable.day;
  const auto next = std::ranges::upper_bound(points, time, {}, &SpeedPoint::at);
  auto& worker = at(id);
  worker.pace = worker.speed * (next == points.begin() ? points.back() : *std::prev(next)).speed;
  if (points.size() == 1) return;
  const auto until = next == points.end() ? timetable.day + points.front().at : next->at;
  worker.next_speed = emit_self(fleet_event::SpeedChange{id}, until - time);
}

// Nobody sends it a task until every reason for that is gone; what it has it keeps.
void SimulatedFleet::shut(WorkerId id) {
  if (at(id).shut++ == 0 && table_.members().working(id)) table_.set_capacity(id, 0, now());
}

void SimulatedFleet::reopen(WorkerId id) {
  if (--at(id).shut > 0 || !table_.members().working(id)) return;
  table_.set_capacity(id, bound_of(id), now());
  bind_held_soon();
}

// An attempt was lost there, or not answered in time.
void SimulatedFleet::note_failure(WorkerId id) {
  if (!ejection_) return;
  const auto time = ejection_->failed(id, table_.members().size());
  if (!time) return;
  shut(id);
  emit_self(fleet_event::Readmitted{id}, *time);
}

void SimulatedFleet::on(const fleet_event::Readmitted& event) {
  ejection_->returned(event.worker);
  reopen(event.worker);
}

}  // namespace artel::fleet::detail
