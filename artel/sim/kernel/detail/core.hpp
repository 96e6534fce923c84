#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/detail/block_pool.hpp"
#include "artel/sim/kernel/detail/calendar.hpp"
#include "artel/sim/kernel/detail/event_cuts.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/process_exceptions.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/process_watch.hpp"
#include "artel/sim/kernel/detail/tie_shuffle.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_table.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
class Context;
class SimulationTrace;
}  // namespace artel::sim

namespace artel::sim::detail {

/// The failure of a process that nobody joined, as a ProcessFailure.
std::exception_ptr failure_of(const ProcessState& state);

/// What a Simulation and its Contexts share. Not for models: use Context.
struct Core {
  /// What of a component is not needed for a delivery.
  struct Details {
    std::string name;
    ProcessState* processes = nullptr;                 // spawned by it and running
    std::unique_ptr<random::Stream> random;            // both made at first use
    std::unique_ptr<random::Stream> ties;              // for choices of select
    std::optional<LogLevel> log_level = std::nullopt;  // asked for, for this one
  };

  explicit Core(Seed run_seed, std::optional<Seed> tie_shuffle);

  [[nodiscard]] Instant now() const {
    return Instant{Duration{static_cast<Duration::rep>(calendar.now())}};
  }

  // Processes.
  void adopt(ProcessState& state, PromiseBase& root);  // lists it and schedules its start
  /// Notes that it waits from now on, in its own record or for something else.
  void pause(ProcessState& state) const {
    state.waits_for = ProcessState::WaitsFor::itself;
    state.since = now();
  }
  void pause(ProcessState& state, Wait& on) const {
    state.waits_for = ProcessState::WaitsFor::other;
    state.since = now();
    state.set_other(on);
  }
  void wake(ProcessState& state);  // lets it run on: soon, or right after the event in hand
  bool cancel(ProcessState& state);
  void release(ProcessState& state);  // one reference less
  void cancel_all_of(const Context& owner);
  void handle_wake(ProcessState& state);

  // Waits for events and timers.
  /// To who waits for it, if somebody does, and runs his process. Requires: may_await its type.
  bool give(Context& component, Event& event);
  void fire(Wait& wait);  // its timer ran out: runs its process
  /// Whoever waits for events in the name of that component gets a ComponentGone.
  void disappoint_waits_on(Context& component);

  // Events.
  /// Emits one of the kernel's own. Requires: now() <= time.
  template <class T>
  Event& post_own(ComponentId owner, const T& payload, std::uint64_t time) {
    Event& event = make_own(owner, payload);
    calendar.push(event, time, PayloadAccess::low_bits<T>());
    return event;
  }
  template <class T>
  Event& make_own(ComponentId owner, const T& payload) {
    static_assert(PayloadAccess::kInline<T>);
    Event& event = *calendar.make();
    event.src_ = event.dst_ = owner;
    PayloadAccess::put<T>(event, payload, blocks);
    return event;
  }
  /// Takes back a pending event of the model; false when it is none.
  bool cancel_event(EventId id);
  void take_back(Event& event);  // a pending one, with its payload
  /// What an event holds is given back without a delivery; its place is not.
  void drop(const Event& event);
  /// Takes back all that are cut. O(pending).
  void sweep_cuts();

  [[nodiscard]] std::string_view name_of(ComponentId id) const {
    ARTEL_REQUIRE(index(id) < details.size(), "no component has this id", index(id));
    return details[index(id)].name;
  }

  /// Hands a line to every sink.
  void write_log(LogLevel level, ComponentId component, std::string_view text,
                 std::string_view process = {});
  /// Makes sure that there is a ProcessWatch.
  void watch_processes();

  TieShuffle tie_shuffle;
  Calendar calendar;
  BlockPool blocks;
  std::vector<Context*> components;  // by id; each is or was an object of blocks
  std::vector<Details> details;      // by id
  std::map<std::string, ComponentId, std::less<>> ids;
  std::vector<LogSink*> sinks;
  std::unique_ptr<ProcessWatch> watch;  // nullptr: nobody wants to know
  SimulationTrace* trace = nullptr;     // nullptr: none is written
  Seed seed;
  std::uint64_t own_events = 0;  // deliveries of timers and wake-ups

  // What the loop has to look at besides the next event.
  static constexpr std::uint8_t kStop = 1;
  static constexpr std::uint8_t kFailure = 2;
  static constexpr std::uint8_t kDeparted = 4;  // components to be destroyed
  static constexpr std::uint8_t kWatched = 8;   // somebody wants to know of every delivery
  static constexpr std::uint8_t kCuts = 16;     // there are some
  static constexpr std::uint8_t kDaemons = 32;  // there are some, or were
  static constexpr std::uint8_t kWatch = 64;    // there is a ProcessWatch
  std::uint8_t attention = 0;

  EventCuts cuts;
  WaitTable waits;                    // of components with more than one
  std::coroutine_handle<> next_task;  // of the running process: resumed next
  Event* in_hand = nullptr;           // being delivered
  ProcessState* running = nullptr;    // being resumed
  ProcessState* served = nullptr;     // gets the event or timer in hand
  bool served_is_ready = false;
  std::size_t half_done = 0;   // steps of the kernel's in which code of the model's may be running
  std::exception_ptr thrown;   // has left a task, and is to be thrown into its parent now
  std::exception_ptr failure;  // of a process that nobody can join any more
  ProcessState* failed = nullptr;  // and nobody has learnt it, though somebody has a handle
  ProcessExceptions exceptions;

  void kill(ProcessState& state);
  bool throw_into(ProcessState& state, std::exception_ptr exception);
  void throw_later(ProcessState& state, std::exception_ptr exception);
  void interrupt_if_waiting(ProcessState& state);
  bool suspend(ProcessState& state) const;
  bool resume_suspended(ProcessState& state);
  void observe(ProcessState& state);

 private:
  void resume(ProcessState& state);  // runs it up to its next wait, unless it is suspended
  [[gnu::cold]] void before_resuming(const ProcessState& state);
  void hold_back(ProcessState& state);
  void resume_with_kept_event(ProcessState& state);
  void drop_kept_event(ProcessState& state);
  [[nodiscard]] EventWait* take_wait(EventTarget& target, const Event& event);
  template <class Tell>
  void serve(ProcessState& process, const Tell& tell);
  void settle(ProcessState& state);
  void doom(ProcessState& state);
  void destroy_frames(ProcessState& state);
  void end(ProcessState& state, ProcessStatus status);

  std::vector<ProcessState*> dying_;             // see kill
  std::map<ProcessState*, Event*> kept_events_;  // for suspended processes
};

}  // namespace artel::sim::detail
