#include "artel/sim/kernel/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/detail/process_watch.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/explore.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation_trace.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

/// What Simulation::add hands to the constructor of Context, so that models need not pass it on.
struct Birth {
  detail::Core* core = nullptr;
  const ComponentClass* type = nullptr;
  ComponentId id{};
  LogLevel level = LogLevel::off;
};
thread_local Birth next_birth;

}  // namespace

detail::Core::Core(Seed run_seed, std::optional<Seed> shuffle_seed)
    : tie_shuffle(shuffle_seed.value_or(Seed{})),
      calendar(shuffle_seed ? &tie_shuffle : nullptr),
      seed(run_seed) {}

void detail::Core::write_log(LogLevel level, ComponentId component, std::string_view text,
                             std::string_view process) {
  const Instant now{Duration{static_cast<Duration::rep>(calendar.now())}};
  for (std::size_t i = 0; i < sinks.size(); ++i) {  // a sink may add others, or components
    sinks[i]->write({.time = now,
                     .level = level,
                     .component = name_of(component),
                     .text = text,
                     .payload = {},
                     .src = {},
                     .process = process});
  }
}

void detail::Core::watch_processes() {
  if (!watch) watch = std::make_unique<detail::ProcessWatch>(*this);
  attention |= kWatch;
}

bool detail::Core::cancel_event(EventId id) {
  Event* event = calendar.find(id);
  if (event == nullptr || event == in_hand || cuts.has(*event)) return false;
  if (trace != nullptr) trace->cancelled(*event);
  take_back(*event);
  return true;
}

void detail::Core::take_back(Event& event) {
  const bool boxed = event.boxed();
  const std::uint32_t type = event.type();
  void* block = boxed ? PayloadAccess::box(event) : nullptr;
  calendar.cancel(event);  // before the payload's destructor, which may do anything
  if (boxed) PayloadAccess::dispose(type, block, blocks);
}

void detail::Core::drop(const Event& event) {
  if (const auto* wake = payload_if<ProcessWake>(event)) release(*wake->process);
  PayloadAccess::dispose(event, blocks);
}

Context::Context()
    : core_(next_birth.core),
      class_(next_birth.type),
      target_{.id = next_birth.id, .log_level = next_birth.level} {
  ARTEL_REQUIRE(core_ != nullptr, "components are made by Simulation::add");
  next_birth = {};
}

random::Stream& Context::random() {
  auto& stream = core_->details[index(target_.id)].random;
  if (!stream) stream = std::make_unique<random::Stream>(core_->seed, name());
  return *stream;
}

std::uint64_t Context::end_of_time(Duration delay) const {
  if (delay.count() < 0) refuse_delay(delay);
  return static_cast<std::uint64_t>(kNever.time_since_epoch().count());
}

void Context::refuse_delay(Duration delay) const {
  ARTEL_REQUIRE(false, "a delay must not be negative", name(), delay.count());
  std::abort();
}

void Context::refuse_spawn() const {
  ARTEL_REQUIRE(false, "a component that is being destroyed cannot spawn", name());
  std::abort();
}

void Context::refuse_destination(ComponentId dst) const {
  ARTEL_REQUIRE(false, "no component has this id", name(), index(dst));
  std::abort();
}

Simulation::Simulation(SimulationOptions options)
    : core_(options.seed, options.tie_shuffle),
      strict_(options.strict),
      with_fingerprint_(options.fingerprint) {
  if (options.choices != nullptr) follow(*options.choices);
  if (with_fingerprint_ || options.trace != nullptr) core_.attention |= detail::Core::kWatched;
  if (options.trace == nullptr) return;
  options.trace->attach(core_);
  core_.watch_processes();
}

void Simulation::follow(Choices& choices) {
  core_.calendar.break_ties_with(&choices);
  if (!choices.tells_) return;
  log_to(choices.log_);
  set_log_level(LogLevel::event);
}

Simulation::~Simulation() {
  if (core_.trace != nullptr) core_.trace->detach();
  core_.watch.reset();  // that they end with the simulation is no news
  constexpr int kRounds = 1000;
  for (int round = 0; round < kRounds && end_all(); ++round) {  // destructors may have made more
  }
  ARTEL_REQUIRE(core_.blocks.in_use() == 0,
                "handles of processes, or tasks, outlive the simulation", core_.blocks.in_use());
}

/// Ends all processes, events and components; false when there was nothing to do.
bool Simulation::end_all() {
  bool found = !departed_.empty();
  for (std::size_t i = 0; i < core_.components.size(); ++i) {
    if (Context* component = core_.components[i]) core_.cancel_all_of(*component);
  }
  std::vector<EventId> with_contents;
  core_.calendar.for_each([&](const Event& event) {
    if (event.boxed() || payload_if<detail::ProcessWake>(event) != nullptr) {
      with_contents.push_back(event.id());
    }
  });
  for (const EventId id : with_contents) {
    Event* event = core_.calendar.find(id);
    if (event == nullptr) continue;  // a destructor has taken it back
    const auto* wake = payload_if<detail::ProcessWake>(*event);
    detail::ProcessState* const process = wake == nullptr ? nullptr : wake->process;
    core_.take_back(*event);
    if (process != nullptr) core_.release(*process);
    found = true;
  }
  destroy_departed();
  for (std::size_t i = 0; i < core_.components.size(); ++i) {
    Context* component = std::exchange(core_.components[i], nullptr);
    if (component == nullptr) continue;
    destroy(*component);
    found = true;
  }
  return found;
}

ComponentId Simulation::begin_adding(std::string name, const ComponentClass& type) {
  const auto known = core_.ids.find(name);
  ComponentId id{static_cast<std::uint32_t>(core_.components.size())};
  if (known != core_.ids.end()) {
    id = known->second;
    ARTEL_REQUIRE(!exists(id), "a component of this name exists", name);
  } else {
    core_.ids.emplace(name, id);
    core_.components.push_back(nullptr);
    fetch_.look_in(core_.components);
    if (core_.components.size() > kComponentsInCache) core_.calendar.fetch_with(&fetch_);
    core_.details.push_back({.name = std::move(name), .random = nullptr});
  }
  if (core_.trace != nullptr) core_.trace->added(id, name_of(id));
  const LogLevel level = core_.details[index(id)].log_level.value_or(default_log_level_);
  next_birth = {.core = &core_, .type = &type, .id = id, .level = level};
  return id;
}

void Simulation::finish_adding(ComponentId id, Context& component) {
  core_.components[index(id)] = &component;
  look_at(component.log_level());
}

void Simulation::destroy(Context& component) {
  core_.disappoint_waits_on(component);  // that began since it was taken out, as what it has
  core_.cancel_all_of(component);        // spawned since then
  const ComponentClass& type = *std::exchange(component.class_, nullptr);
  core_.blocks.give_back(type.destroy(component), detail::BlockPool::in_lines(type.size));
}

std::optional<ComponentId> Simulation::find(std::string_view name) const {
  const auto known = core_.ids.find(name);
  return known == core_.ids.end() ? std::nullopt : std::optional{known->second};
}

Result<std::uint64_t> Simulation::finish() {
  const std::uint64_t delivered = loop(kNever, kAll, EndsBefore::daemons);
  std::string report = failure_report() + waiting_report();
  const bool stopped = (core_.attention & detail::Core::kStop) != 0;
  if (!report.empty() && !stopped) return fail(ErrorCode::closed, std::move(report));
  return delivered;
}

/// A line for each process that failed and that nobody has joined, the first one first.
std::string Simulation::failure_report() const {
  std::string lines;
  for (const detail::ProcessState* state = core_.failed; state != nullptr; state = state->behind) {
    try {
      std::rethrow_exception(detail::failure_of(*state));
    } catch (const std::exception& error) {
      lines = error.what() + ("\n" + lines);
    } catch (...) {
      std::string who;
      detail::describe_process(who, *state);
      lines = "a " + who + " failed with an exception of no standard type\n" + lines;
    }
  }
  return lines;
}

std::string Simulation::waiting_report(std::size_t most) const {
  std::string lines;
  std::size_t count = 0;
  for (const detail::Core::Details& component : core_.details) {
    const detail::ProcessState* state = component.processes;  // the latest comes first
    while (state != nullptr && state->behind != nullptr) state = state->behind;
    for (; state != nullptr; state = state->before) {
      const bool waits = state->wait() != nullptr && !state->wake_pending && !state->due;
      if (state->daemon || !(waits || state->suspended) || ++count > most) continue;
      lines.append("\n  ").append(component.name).append(": ");
      if (state->suspended) lines += "suspended; ";
      if (waits) {
        state->wait()->describe(lines);
        lines += fmt::format(", since {:.9f} s, {}", to_seconds(state->since),
                             detail::place_of(state->place));
      } else {
        lines += "it would run on";
      }
      lines += fmt::format(" (spawned at {})", detail::place_of(state->spawned_at));
    }
  }
  if (count == 0) return {};
  if (count > most) lines += fmt::format("\n  and {} more", count - most);
  return fmt::format("{} process{} still wait{}:", count, count == 1 ? "" : "es",
                     count == 1 ? "s" : "") +
         lines;
}

std::size_t Simulation::cancel_if(const std::function<bool(const Event&)>& chosen) {
  std::vector<EventId> ids;
  core_.calendar.for_each([&](const Event& event) {
    if (!detail::is_own(event.type()) && !core_.cuts.has(event)) ids.push_back(event.id());
  });
  std::vector<EventId> wanted;
  for (const EventId id :
       ids) {  // what is asked, and destructors of payloads, may take back others
    const Event* event = core_.calendar.find(id);
    if (event != nullptr && event != core_.in_hand && chosen(*event)) wanted.push_back(id);
  }
  std::size_t count = 0;
  for (const EventId id : wanted) count += core_.cancel_event(id) ? 1U : 0U;
  return count;
}

std::string Simulation::dump_events() const {
  std::vector<const Event*> events;
  core_.calendar.for_each([&](const Event& event) {
    if (!core_.cuts.has(event)) events.push_back(&event);
  });
  std::sort(events.begin(), events.end(), [](const Event* a, const Event* b) {
    return std::pair(a->time_, a->tag_) < std::pair(b->time_, b->tag_);
  });
  std::string text;
  for (const Event* event : events) {
    text +=
        fmt::format("{:.9f} {} -> {} {}\n", to_seconds(event->time()), core_.name_of(event->src_),
                    core_.name_of(event->dst_), payload_name(*event));
  }
  return text;
}

trace::Fingerprint Simulation::fingerprint() const {
  ARTEL_REQUIRE(with_fingerprint_, "ask for the fingerprint in SimulationOptions");
  return fingerprint_;
}

/// A level that somebody asked for.
void Simulation::look_at(LogLevel level) {
  if (level >= LogLevel::process) core_.watch_processes();
  if (level >= LogLevel::event) core_.attention |= detail::Core::kWatched;
}

void Simulation::set_log_level(LogLevel level) {
  default_log_level_ = level;
  look_at(level);
  for (detail::Core::Details& component : core_.details) component.log_level.reset();
  for (Context* component : core_.components) {
    if (component != nullptr) component->target_.log_level = level;
  }
}

void Simulation::set_log_level(ComponentId id, LogLevel level) {
  ARTEL_REQUIRE(exists(id), "there is no such component", index(id));
  core_.components[index(id)]->target_.log_level = level;
  core_.details[index(id)].log_level = level;
  look_at(level);
}

}  // namespace artel::sim
