#include "artel/sim/kernel/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
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
#include "artel/sim/kernel/detail/timer_table.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation_trace.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

std::optional<std::uint64_t> number_of(std::optional<Seed> seed) {
  return seed ? std::optional{static_cast<std::uint64_t>(*seed)} : std::nullopt;
}

/// What Simulation::add hands to the constructor of Context, so that models need not pass it on.
struct Birth {
  detail::Core* core = nullptr;
  const ComponentClass* type = nullptr;
  ComponentId id{};
  LogLevel level = LogLevel::off;
};
thread_local Birth next_birth;

}  // namespace

detail::Core::Core(Seed run_seed, std::optional<Seed> tie_shuffle)
    : calendar(number_of(tie_shuffle)), seed(run_seed) {}

void detail::Core::write_log(LogLevel level, ComponentId component, std::string_view text,
                             std::string_view process) {
  const Instant now{Duration{static_cast<Duration::rep>(calendar.now())}};
  for (LogSink* sink : sinks) {
    sink->write({.time = now,
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
}

void detail::Core::trace_cancelled(EventId id) { trace->cancelled(id); }

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

void Context::refuse_delay(Duration delay) const {
  ARTEL_REQUIRE(delay.count() >= 0, "a delay must not be negative", name(), delay.count());
  ARTEL_REQUIRE(false, "the event lies beyond the end of time", name(), delay.count());
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
      fetch_(core_.components),
      with_fingerprint_(options.fingerprint) {
  if (options.trace == nullptr) return;
  options.trace->attach(core_);
  core_.watch_processes();
}

Simulation::~Simulation() {
  if (core_.trace != nullptr) core_.trace->detach();
  core_.watch.reset();  // that they end with the simulation is no news
  for (std::size_t i = 0; i < core_.components.size(); ++i) {
    if (Context* component = core_.components[i]) core_.cancel_all_of(*component);
  }
  const auto drop_all = [this] {
    core_.calendar.for_each_stored([this](Event& event) {
      drop(event);
      event.tag_ = 0;  // dropped: the second time nothing is left of it
    });
  };
  drop_all();
  destroy_departed();
  for (std::size_t i = 0; i < core_.components.size(); ++i) {
    if (Context* component = std::exchange(core_.components[i], nullptr)) destroy(*component);
  }
  drop_all();  // emitted by destructors
  ARTEL_REQUIRE(core_.blocks.in_use() == 0,
                "handles of processes, or tasks, outlive the simulation", core_.blocks.in_use());
}

/// What an event holds is given back without a delivery.
void Simulation::drop(Event& event) {
  if (const auto* wake = payload_if<detail::ProcessWake>(event)) core_.release(*wake->process);
  detail::PayloadAccess::dispose(event, core_.blocks);
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
    fetch_ = detail::Fetch(core_.components);
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
}

void Simulation::destroy(Context& component) {
  core_.cancel_all_of(component);  // spawned since it was taken out
  const ComponentClass& type = *std::exchange(component.class_, nullptr);
  core_.blocks.give_back(type.destroy(component), type.size);
}

void Simulation::remove(ComponentId id, Pending pending) { take_out(id, pending, false); }

void Simulation::crash(ComponentId id, Pending messages) { take_out(id, messages, true); }

void Simulation::take_out(ComponentId id, Pending pending, bool cancel_to_itself) {
  ARTEL_REQUIRE(exists(id), "there is no such component", index(id));
  Context* component = core_.components[index(id)];
  core_.cancel_all_of(*component);
  if (core_.components[index(id)] == component) {  // a destructor may have done the same
    core_.components[index(id)] = nullptr;
    if (core_.trace != nullptr) core_.trace->left(id, cancel_to_itself ? "crashed" : "removed");
    ARTEL_REQUIRE(component->target_.waits == detail::EventTarget::Waits::none,
                  "somebody else still waits for events of the component", name_of(id));
    const bool incoming = pending == Pending::cancel_incoming || pending == Pending::cancel_both;
    const bool outgoing = pending == Pending::cancel_outgoing || pending == Pending::cancel_both;
    cancel_if([=](const Event& event) {
      const bool to = event.dst() == id;
      const bool from = event.src() == id;
      return (to && incoming) || (from && outgoing) || (to && from && cancel_to_itself);
    });
    departed_.push_back(component);
  }
  if (core_.in_hand == nullptr && core_.kills == 0) destroy_departed();
}

void Simulation::destroy_departed() {
  while (!departed_.empty()) {
    Context& component = *departed_.back();
    departed_.pop_back();
    destroy(component);
  }
}

void Simulation::require_down(ComponentId id) const {
  ARTEL_REQUIRE(index(id) < core_.components.size(), "no component has ever had this id",
                index(id));
  ARTEL_REQUIRE(!exists(id), "only what crashed or was removed can restart", name_of(id));
}

std::optional<ComponentId> Simulation::find(std::string_view name) const {
  const auto known = core_.ids.find(name);
  return known == core_.ids.end() ? std::nullopt : std::optional{known->second};
}

Result<std::uint64_t> Simulation::finish() {
  const std::uint64_t delivered = run();
  std::string report = waiting_report();
  if (!report.empty() && !core_.stopping) return fail(ErrorCode::closed, std::move(report));
  return delivered;
}

std::string Simulation::waiting_report(std::size_t most) const {
  std::string lines;
  std::size_t count = 0;
  for (const detail::Core::Details& component : core_.details) {
    const detail::ProcessState* state = component.processes;  // the latest comes first
    while (state != nullptr && state->behind != nullptr) state = state->behind;
    for (; state != nullptr; state = state->before) {
      if (state->wait == nullptr || state->wake_pending || ++count > most) continue;
      lines.append("\n  ").append(component.name).append(": ");
      state->wait->describe(lines);
      lines += fmt::format(", since {:.9f} s, {} (spawned at {})", to_seconds(state->since),
                           detail::place_of(state->where_file, state->where_line),
                           detail::place_of(state->spawned_at));
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
    const bool own =
        payload_if<detail::ProcessWake>(event) || payload_if<detail::TimerTable::TimerId>(event);
    if (!own && chosen(event)) ids.push_back(event.id());
  });
  for (const EventId id : ids) {
    core_.calendar.cancel(id);
    if (core_.trace != nullptr) core_.trace_cancelled(id);
  }
  return ids.size();
}

std::string Simulation::dump_events() const {
  std::vector<const Event*> events;
  core_.calendar.for_each([&](const Event& event) { events.push_back(&event); });
  std::sort(events.begin(), events.end(),
            [](const Event* a, const Event* b) { return a->id() < b->id(); });
  std::string text;
  for (const Event* event : events) {
    fmt::format_to(std::back_inserter(text), "{:.9f} {} -> {} {}\n", to_seconds(event->time()),
                   core_.name_of(event->src_), core_.name_of(event->dst_), payload_name(*event));
  }
  return text;
}

trace::Fingerprint Simulation::fingerprint() const {
  ARTEL_REQUIRE(with_fingerprint_, "ask for the fingerprint in SimulationOptions");
  return fingerprint_;
}

void Simulation::set_log_level(LogLevel level) {
  default_log_level_ = level;
  if (level >= LogLevel::process) core_.watch_processes();
  for (detail::Core::Details& component : core_.details) component.log_level.reset();
  for (Context* component : core_.components) {
    if (component != nullptr) component->target_.log_level = level;
  }
}

void Simulation::set_log_level(ComponentId id, LogLevel level) {
  ARTEL_REQUIRE(exists(id), "there is no such component", index(id));
  core_.components[index(id)]->target_.log_level = level;
  core_.details[index(id)].log_level = level;
  if (level >= LogLevel::process) core_.watch_processes();
}

}  // namespace artel::sim
