#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/fetch.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/simulation_trace.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {

class Choices;

/// What becomes of pending events when a component is removed or crashes.
enum class Pending : std::uint8_t {
  keep,             ///< delivered if a component of that name is there by then, else dropped
  cancel_incoming,  ///< those on their way to it
  cancel_outgoing,  ///< those that it emitted
  cancel_both,      ///< both
};

/// In a strict simulation: an event came that its component does not list and no process awaits.
class UnhandledEvent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a simulation is run; only the seed and the choices change what happens in it.
struct SimulationOptions {
  Seed seed{1};
  std::optional<Seed> tie_shuffle =
      std::nullopt;                  ///< shuffles events of equal times: finds hidden assumptions
  bool fingerprint = false;          ///< keep a fingerprint of all deliveries; 25 ns each
  SimulationTrace* trace = nullptr;  ///< draws the run; must outlive the simulation
  Choices* choices = nullptr;        ///< orders events of equal times; see explore()
  bool strict = false;               ///< an event that nobody handles throws UnhandledEvent
};

/// A discrete-event simulation: components that send each other events, and the time.
///
/// Deterministic: equal seeds and equal models give equal runs, on every compiler. Time is in whole
/// nanoseconds and starts at 0. See docs/simulation.md.
/// Cost:    per event O(1) amortised and no allocation once the run has seen its peak.
/// Threads: one at a time; independent simulations may run in parallel.
/// Source:  what DSLab's core offers (docs/coming-from/dslab.md).
class Simulation {
 public:
  explicit Simulation(SimulationOptions options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Makes a component; `name` must be new, or that of a removed one, whose id it then takes over.
  template <AnyComponent C, class... Args>
  C& add(std::string name, Args&&... args) {
    static_assert(alignof(C) <= detail::BlockPool::kLine);
    void* memory = core_.blocks.take(detail::BlockPool::in_lines(sizeof(C)));
    const ComponentId id = begin_adding(std::move(name), detail::component_class<C>());
    C* component = ::new (memory) C(std::forward<Args>(args)...);
    finish_adding(id, *component);
    return *component;
  }

  /// A context without handlers: somebody to emit events in the name of.
  Context& add_context(std::string name) { return add<Component<>>(std::move(name)); }

  /// Takes a component out: its processes are cancelled, and it is destroyed; at once, or after the
  /// event in hand when there is one. Name and id stay known. `pending` is for all its events,
  /// those to itself included. A process of another component that waits for events in this one's
  /// name gets a ComponentGone. False when there is no such component.
  /// Cost: O(1) amortised and the cancelling; O(log n) for each of n such waits, if there are
  /// several. What `pending` cancels is dropped when its time comes, or when about as many other
  /// events have been emitted as were pending; in a model with daemons right after the event in
  /// hand, which is O(pending).
  bool remove(ComponentId id, Pending pending = Pending::cancel_both);

  /// Lets a component fail: like remove, but events on their way between it and others are messages
  /// in a network, which outlive it unless `messages` says otherwise; what it had emitted to itself
  /// is gone in any case. While it is down, messages for it are dropped when they arrive.
  bool crash(ComponentId id, Pending messages = Pending::keep);

  /// Makes a component anew under the id and name of one that crashed or was removed. Nothing of
  /// its state is left; its random stream goes on, so that it does not repeat itself, and its log
  /// level stays. Messages still in flight from before the crash reach the new one, unless the
  /// crash cancelled them. Requires: known and not there.
  template <AnyComponent C, class... Args>
  C& restart(ComponentId id, Args&&... args) {
    require_down(id);
    return add<C>(std::string(name_of(id)), std::forward<Args>(args)...);
  }

  /// The component or context of that name, also of one that is gone: its number stays.
  [[nodiscard]] std::optional<ComponentId> find(std::string_view name) const;
  /// The name to a number. Requires: there is or was such a component. exists(): whether it is
  /// there now.
  [[nodiscard]] std::string_view name_of(ComponentId id) const { return core_.name_of(id); }
  [[nodiscard]] bool exists(ComponentId id) const {
    return index(id) < core_.components.size() && core_.components[index(id)] != nullptr;
  }

  /// The present. seed(): of its SimulationOptions.
  [[nodiscard]] Instant now() const { return core_.now(); }
  [[nodiscard]] Seed seed() const { return core_.seed; }

  /// Events delivered so far; timers and wake-ups of coroutines are not counted.
  [[nodiscard]] std::uint64_t event_count() const { return event_count_ - core_.own_events; }
  /// Events pending; those that a crash or removal cancelled count until they are dropped.
  [[nodiscard]] std::size_t pending_count() const { return core_.calendar.size(); }
  /// Events whose component was removed before they came.
  [[nodiscard]] std::uint64_t dropped_count() const { return dropped_count_; }
  /// Events that their component does not list and that no process awaited, such as a reply after
  /// its timeout. Each is also a line of the log, at LogLevel::warning of that component.
  [[nodiscard]] std::uint64_t unhandled_count() const { return unhandled_count_; }

  /// Delivers the next event; false when there is none.
  bool step() { return loop(kNever, 1) == 1; }
  /// Delivers up to `n` events; returns how many. Timers and wake-ups of coroutines count here, as
  /// for the results of all the calls below.
  std::uint64_t steps(std::uint64_t n) { return loop(kNever, n); }
  /// Delivers events until none is left. Throws the ProcessFailure of one that failed although
  /// somebody has kept its handle, if nobody has joined it by then: each is thrown once.
  std::uint64_t run();
  /// The same. Errors: closed, if processes still wait for something that can never come, or failed
  /// and nobody has joined them: says who, for what, since when, and from which line
  /// (waiting_report()).
  Result<std::uint64_t> finish();
  /// A first line with the number of processes that wait, then one for each of the first `most`:
  /// component, what for, since when, the source line of the wait and that of its spawn. Empty when
  /// there is none. At any time, also from a handler.
  [[nodiscard]] std::string waiting_report(std::size_t most = 100) const;

  /// Delivers every event up to and including `time`, which then is the present. kNever is run().
  /// Requires: now() <= time.
  std::uint64_t run_until(Instant time);
  /// run_until() so long from now.
  std::uint64_t run_for(Duration duration) { return run_until(later(now(), duration)); }
  /// Delivers events while `condition()` holds before each.
  template <class Condition>
    requires std::is_invocable_r_v<bool, Condition>
  std::uint64_t run_while(Condition condition) {
    std::uint64_t delivered = 0;
    while (condition() && step()) ++delivered;
    return delivered;
  }
  /// Makes the running call return after the event in hand. For handlers.
  void stop() { core_.attention |= detail::Core::kStop; }

  /// Blocks of memory in use by components, processes, frames and large payloads: to find leaks.
  [[nodiscard]] std::size_t blocks_in_use() const { return core_.blocks.in_use(); }

  /// Cancels the pending events that `chosen`, timers and wake-ups of coroutines apart; returns how
  /// many. O(pending).
  std::size_t cancel_if(const std::function<bool(const Event&)>& chosen);
  /// One line per pending event in order of delivery: time, source, destination, payload.
  [[nodiscard]] std::string dump_events() const;

  /// The fingerprint of all deliveries so far: times, ids, payload types and payloads (see
  /// add_to). Requires: options.fingerprint.
  [[nodiscard]] trace::Fingerprint fingerprint() const;

  /// Adds a place for log lines; it must outlive the simulation.
  void log_to(LogSink& sink) { core_.sinks.push_back(&sink); }
  /// How much every component tells, those to come as well.
  void set_log_level(LogLevel level);
  /// How much one component tells. Deliveries are logged from the next call that runs the
  /// simulation.
  void set_log_level(ComponentId id, LogLevel level);

 private:
  static constexpr std::size_t kComponentsInCache = 4000;  // fetching ahead only pays above
  static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

  void follow(Choices& choices);
  ComponentId begin_adding(std::string name, const ComponentClass& type);
  void finish_adding(ComponentId id, Context& component);
  void destroy(Context& component);
  bool end_all();
  bool take_out(ComponentId id, Pending pending, bool cancel_to_itself);
  void cut(ComponentId id, Pending pending, bool cancel_to_itself);
  void require_down(ComponentId id) const;
  void destroy_departed();
  void look_at(LogLevel level);

  [[nodiscard]] std::string failure_report() const;
  enum class EndsBefore : std::uint8_t { nothing, daemons };  // what alone is left
  std::uint64_t loop(Instant limit, std::uint64_t events, EndsBefore ends = EndsBefore::nothing);
  [[nodiscard]] bool only_daemons();
  void deliver(std::uint64_t events);
  /// Whether there is something to do for each event besides its delivery; a trace has it so.
  [[nodiscard]] bool is_looked_at() const {
    return (core_.attention &
            (detail::Core::kWatched | detail::Core::kCuts | detail::Core::kDaemons)) != 0;
  }
  template <bool kLookedAt>
  bool deliver_to(std::uint64_t end);
  [[nodiscard]] bool admit(Event& event, const Context* component);
  template <bool kLookedAt>
  void handle(Event& event, Context& component);
  [[nodiscard]] bool go_on();
  void rethrow_failure();
  [[nodiscard]] bool stopped() const { return (core_.attention & detail::Core::kStop) != 0; }
  void abandon_event_in_hand();
  void observe(const Event& event, const Context& component);
  [[gnu::cold]] void refuse(const Event& event, Context& component);

  detail::Core core_;
  detail::Fetch fetch_;
  std::uint64_t event_count_ = 0;
  std::uint64_t dropped_count_ = 0;
  std::uint64_t unhandled_count_ = 0;
  std::vector<Context*> departed_;  // taken out, to be destroyed after the event in hand
  bool running_ = false;
  EndsBefore ends_before_ = EndsBefore::nothing;
  bool strict_ = false;
  bool with_fingerprint_ = false;
  LogLevel default_log_level_ = LogLevel::off;
  trace::Fingerprint fingerprint_;
};

}  // namespace artel::sim
