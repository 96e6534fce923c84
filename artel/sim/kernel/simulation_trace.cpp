#include "artel/sim/kernel/simulation_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/trace/chrome_trace.hpp"

namespace artel::sim {
namespace {

using trace::Track;

constexpr std::uint32_t kPicture = 1;  // all tracks belong to one "process" of the format
constexpr Track kOutside{.process = kPicture, .thread = 1};

/// Orders the tracks: components in order of creation, each with its lanes (from 1) below it.
std::int64_t sort_index(ComponentId id, std::size_t lane) {
  return static_cast<std::int64_t>(((index(id) + 1) << 16U) + lane);
}

/// The kernel's own events are not drawn.
bool is_message(std::uint32_t type) { return !detail::is_own(type); }

}  // namespace

SimulationTrace::SimulationTrace(trace::ChromeTrace file)
    : file_(std::move(file)), next_thread_(kOutside.thread + 1), current_(kOutside) {
  file_.name_process(kPicture, "simulation");
  file_.name_thread(kOutside, "outside");
}

Result<void> SimulationTrace::finish() {
  detach();
  return file_.finish();
}

Instant SimulationTrace::now() const {
  return Instant{Duration{static_cast<Duration::rep>(core_->calendar.now())}};
}

void SimulationTrace::attach(detail::Core& core) {
  ARTEL_REQUIRE(!used_, "a trace is for one simulation");
  used_ = true;
  core_ = &core;
  core.trace = this;
  core.calendar.record_created(&created_);
}

void SimulationTrace::detach() {
  if (core_ == nullptr) return;
  handled();
  while (!processes_.empty()) {
    const auto [number, life] = *processes_.begin();
    if (life.waits) file_.instant(track_of(life), "still waits", now());
    end_life(number);
  }
  core_->calendar.record_created(nullptr);
  core_->trace = nullptr;
  core_ = nullptr;
}

// --- Events.

std::uint64_t SimulationTrace::flow_of(std::uint64_t tag) { return tag >> Event::kNumberShift; }

std::string_view SimulationTrace::name_of_type(std::uint64_t tag) {
  return detail::payload_type(Event::type_of(tag)).name;
}

void SimulationTrace::added(ComponentId id, std::string_view name) {
  if (index(id) < components_.size()) {
    file_.instant(components_[index(id)].track, "back", now());
    return;
  }
  const Track track{.process = kPicture, .thread = next_thread_++};
  components_.push_back({.track = track, .lanes = {}, .free = {}});
  file_.name_thread(track, name, sort_index(id, 0));
}

void SimulationTrace::left(ComponentId id, std::string_view how) {
  file_.instant(components_[index(id)].track, how, now());
}

void SimulationTrace::go_outside() {
  start_flows(false);
  current_ = kOutside;
}

void SimulationTrace::arrives(const Event& event) {
  go_outside();
  current_ = components_[index(event.dst())].track;
  arriving_ = is_message(event.type()) ? &event : nullptr;
}

void SimulationTrace::begin_delivery(Track track, std::string_view name, const Event& event) {
  const detail::PayloadType& type = detail::payload_type(event.type());
  std::string text;
  if (type.describe != nullptr) type.describe(text, detail::PayloadAccess::get_untyped(event));
  file_.begin(track, name, now(), {{"from", core_->name_of(event.src())}, {"payload", text}});
  file_.flow_finish(track, type.name, flow_of(event.tag_), now());
}

void SimulationTrace::handles() {
  if (arriving_ == nullptr) return;
  const Event& event = *std::exchange(arriving_, nullptr);
  begin_delivery(current_, payload_name(event), event);
  delivering_ = true;
}

void SimulationTrace::handled() {
  handles();  // if no process ran on: a part of what it waits for has come
  start_flows(delivering_);
  if (std::exchange(delivering_, false)) file_.end(current_, now());
  current_ = kOutside;
}

void SimulationTrace::dropped(const Event& event) {
  go_outside();
  if (!is_message(event.type())) return;
  const Track track = components_[index(event.dst())].track;
  begin_delivery(track, fmt::format("dropped {}", payload_name(event)), event);
  file_.end(track, now());
}

void SimulationTrace::cancelled(const Event& event) {
  if (!is_message(event.type())) return;
  start_flows(delivering_);  // it may have been emitted just now
  file_.begin(current_, fmt::format("cancelled {}", payload_name(event)), now());
  file_.flow_finish(current_, payload_name(event), flow_of(event.tag_), now());
  file_.end(current_, now());
}

/// The arrows of the events emitted since the last look begin here: in the slice that is open, or
/// in one made for them.
void SimulationTrace::start_flows(bool in_slice) {
  std::erase_if(created_, [](std::uint64_t tag) { return !is_message(Event::type_of(tag)); });
  if (created_.empty()) return;
  if (!in_slice) {
    file_.begin(current_,
                created_.size() == 1 ? fmt::format("emit {}", name_of_type(created_.front()))
                                     : fmt::format("emit {} events", created_.size()),
                now());
  }
  for (const std::uint64_t tag : created_) {
    file_.flow_start(current_, name_of_type(tag), flow_of(tag), now());
  }
  if (!in_slice) file_.end(current_, now());
  created_.clear();
}

// --- Processes.

Track SimulationTrace::track_of(const Life& life) const {
  return components_[index(life.owner)].lanes[life.lane];
}

void SimulationTrace::spawned(std::uint32_t process, ComponentId owner, std::string_view name) {
  ComponentTrack& component = components_[index(owner)];
  if (component.free.empty()) {
    component.free.push_back(component.lanes.size());
    component.lanes.push_back({.process = kPicture, .thread = next_thread_++});
    file_.name_thread(component.lanes.back(),
                      fmt::format("{} / {}", core_->name_of(owner), component.lanes.size()),
                      sort_index(owner, component.lanes.size()));
  }
  // The topmost lane that is free, so that equal runs look alike.
  const auto lowest = std::min_element(component.free.begin(), component.free.end());
  const Life life{.owner = owner, .lane = *lowest};
  component.free.erase(lowest);
  processes_.emplace(process, life);
  file_.begin(track_of(life), name, now(), {{"process", std::int64_t{process}}});
}

void SimulationTrace::resumed(std::uint32_t process) {
  Life& life = processes_.at(process);
  current_ = track_of(life);
  if (arriving_ != nullptr) {
    const Event& event = *std::exchange(arriving_, nullptr);
    begin_delivery(current_, payload_name(event), event);
    file_.end(current_, now());
  }
  end_wait(life);
}

void SimulationTrace::ran(std::uint32_t process) {
  current_ = track_of(processes_.at(process));
  start_flows(false);
}

void SimulationTrace::waits(std::uint32_t process, std::string_view what, std::string_view line) {
  Life& life = processes_.at(process);
  life.waits = true;
  file_.begin(track_of(life), what, now(), {{"line", line}});
}

void SimulationTrace::ended(std::uint32_t process, std::string_view remark, std::string_view what) {
  Life& life = processes_.at(process);
  end_wait(life);
  if (!remark.empty()) file_.instant(track_of(life), remark, now(), {{"what", what}});
  end_life(process);
}

void SimulationTrace::end_wait(Life& life) {
  if (std::exchange(life.waits, false)) file_.end(track_of(life), now());
}

void SimulationTrace::end_life(std::uint32_t process) {
  const auto found = processes_.find(process);
  end_wait(found->second);
  file_.end(track_of(found->second), now());
  components_[index(found->second.owner)].free.push_back(found->second.lane);
  processes_.erase(found);
}

}  // namespace artel::sim
