#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/trace/chrome_trace.hpp"

namespace artel::sim::detail {
class ProcessWatch;
struct Core;
}  // namespace artel::sim::detail

namespace artel::sim {

namespace detail {
struct Core;
class ProcessState;
}  // namespace detail

/// Draws a simulation for ui.perfetto.dev: who did what when, who waited for what, and which
/// message led to which.
///
///     auto file = trace::ChromeTrace::create("run.json");       // a Result
///     sim::SimulationTrace trace(std::move(*file));
///     sim::Simulation simulation({.trace = &trace});
///     …
///     simulation.run();
///     const Result<void> written = trace.finish();
///
/// A component is a track; deliveries to its `on` are slices of no length. Each process that runs
/// at the same time has a track of its component to itself: one slice for its life, in it one for
/// each wait, named after what it waits for. An arrow leads from where an event was emitted to
/// where it was delivered, dropped or cancelled; one that is still pending in the end has only its
/// beginning. Marks say that a component crashed, was removed or is back. What is done while no
/// event is handled is on the track "outside".
///
/// It looks on: the run and its fingerprint stay what they are.
/// Requires: for one simulation, which it outlives. Times in the file never go back.
/// Cost:    some microseconds and 500 bytes of file a delivery: for the run that puzzles you.
/// Errors:  of the file, at finish(). Threads: its simulation's.
class SimulationTrace {
 public:
  explicit SimulationTrace(trace::ChromeTrace file);
  SimulationTrace(const SimulationTrace&) = delete;
  SimulationTrace& operator=(const SimulationTrace&) = delete;

  /// Ends the trace at the present time: slices of what still runs or waits end here. The
  /// simulation may go on without. To be called once; without, there is no file.
  [[nodiscard]] Result<void> finish();

 private:
  friend struct detail::Core;
  friend class Simulation;
  friend class detail::ProcessWatch;

  struct ComponentTrack {
    trace::Track track;
    std::vector<trace::Track> lanes;  // for processes, all that there ever were
    std::vector<std::size_t> free;    // of them
  };
  struct Life {
    ComponentId owner{};
    std::size_t lane = 0;
    bool waits = false;
  };

  // What Simulation tells.
  void attach(detail::Core& core);
  void detach();
  void added(ComponentId id, std::string_view name);
  void left(ComponentId id, std::string_view how);
  void go_outside();                 // from now on, code runs outside of any event
  void arrives(const Event& event);  // an event is about to be delivered…
  void handles();                    // …to the component's handler
  void handled();                    // the delivery is over
  void dropped(const Event& event);
  void cancelled(const Event& event);

  // What ProcessWatch tells.
  void spawned(std::uint32_t process, ComponentId owner, std::string_view name);
  void resumed(std::uint32_t process);
  void ran(std::uint32_t process);  // after resumed: up to its next wait, or its end
  void waits(std::uint32_t process, std::string_view what, std::string_view line);
  void ended(std::uint32_t process, std::string_view remark, std::string_view what);

  // Of the tag of an event.
  [[nodiscard]] static std::uint64_t flow_of(std::uint64_t tag);
  [[nodiscard]] static std::string_view name_of_type(std::uint64_t tag);

  [[nodiscard]] Instant now() const;
  [[nodiscard]] trace::Track track_of(const Life& life) const;
  void begin_delivery(trace::Track track, std::string_view name, const Event& event);
  void start_flows(bool in_slice);
  void end_wait(Life& life);
  void end_life(std::uint32_t process);

  trace::ChromeTrace file_;
  detail::Core* core_ = nullptr;  // while attached
  bool used_ = false;
  std::uint32_t next_thread_;
  std::vector<ComponentTrack> components_;   // by id
  std::map<std::uint32_t, Life> processes_;  // by number: those that run
  trace::Track current_;                     // where code runs now
  const Event* arriving_ = nullptr;          // about to be delivered, not drawn yet
  bool delivering_ = false;                  // the slice of a delivery is open
  std::vector<std::uint64_t> created_;       // tags of the events emitted since the last look
};

}  // namespace artel::sim
