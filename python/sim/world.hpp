#pragma once

#include <Python.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "python/sim/objects.hpp"

namespace artel::python {

struct World;
struct Source;
struct Station;

/// A Python event is due. (Payloads of the kernel's events; World::hold keeps alive what they point
/// to.)
struct DueEvent {
  Event* event;
};
/// What a release makes possible.
struct DueRelease {
  Resource* resource;
};

/// A customer comes out of a source.
struct DueArrival {
  Source* source;
};
/// A server of a station is done.
struct DueDeparture {
  Station* station;
  std::size_t server;
};

/// The component that all of these are delivered to.
class Clock : public sim::Component<DueEvent, DueRelease, DueArrival, DueDeparture> {
 public:
  explicit Clock(World& world) : world_(&world) {}
  void on(const DueEvent& due);
  void on(const DueRelease& due);
  void on(const DueArrival& due);
  void on(const DueDeparture& due);

 private:
  World* world_;
};

/// What happens before everything else that is due now: a process begins, or is interrupted, or an
/// event that was scheduled so is processed.
struct Urgent {
  Event* event;         ///< a process, unless `is_due`
  PyObject* exception;  ///< of an interrupt, else nullptr
  bool is_due;          ///< the event itself
};

/// The inside of an Environment: a simulation of the kernel whose time is that of Python's numbers.
///
/// The kernel orders whole numbers. Those of the model's times are the bits of the double, which
/// are in the order of the doubles as long as these are not negative: so the sums are the ones that
/// Python would make.
struct World {
  explicit World(Environment& environment, double start, bool start_is_whole);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  static std::int64_t key_of(double time) { return std::bit_cast<std::int64_t>(time + 0.0); }
  static double time_of(Instant key) {
    return std::bit_cast<double>(key.time_since_epoch().count());
  }

  /// Has the event happen after `delay`; its environment keeps it until then. Requires: 0 <= delay.
  void schedule(Event& event, double delay, bool delay_is_whole);
  void schedule_release(Resource& resource);
  /// Same, for what is no Python event and is kept by somebody else.
  template <class Due>
  void schedule_due(const Due& payload, double delay) {
    clock.emit_self(payload, key_after(delay));
  }
  /// Has a process begin, or be interrupted with an exception, or an event happen, right after
  /// what is going on now.
  void make_urgent(Process& process, PyObject* exception);
  void make_urgent(Event& event);

  /// Runs until nothing is left, `until` is processed, or all before the time `end` is done. False:
  /// an exception is set.
  bool run(Event* until, double end);
  /// One event. False: an exception is set; EmptySchedule if nothing is due, before `limit` if
  /// there is one.
  bool step();
  /// run(), a step at a time, each by a call of `step`, which may be the user's.
  bool run_by(PyObject* step, Event* until, double end);

  /// Sets the clock. Requires: nothing is due before.
  void go_to(double time, bool is_whole);
  /// The time as Python's object, a new reference.
  [[nodiscard]] PyObject* now_object();
  /// Makes Environment::now the present. To be called before Python's code may ask.
  void show_now();
  /// Gives away a reference, maybe the last: what ends then may call Python's code.
  void give_up(PyObject* object);
  [[nodiscard]] double next_time();  ///< infinite: nothing is due; O(pending)

  /// Keeps and lets go what is due.
  void hold(Pending& object);
  void let_go(Pending& object);

  /// From the kernel's own clock, which may lie behind: it only knows times at which something
  /// happened.
  [[nodiscard]] Duration key_after(double delay) const {
    return Duration{key_of(now + delay)} - clock.now().time_since_epoch();
  }
  void arrive(bool is_whole);
  void after(bool succeeded);  ///< an event
  bool drain();                ///< what is urgent, until what run() waits for has come
  [[nodiscard]] bool has_come() const { return until != nullptr && until->processed; }

  Environment* env;
  sim::Simulation simulation;
  Clock& clock;
  double now;
  bool now_is_whole;
  std::deque<Urgent> urgent;
  Pending due;  // its links are the ends of the list; nothing else of it is used
  Process* active = nullptr;
  Event* until = nullptr;
  std::size_t turns = 0;         // since signals were looked at
  std::optional<Instant> limit;  // of a step
  bool stepping = false;         // until one event has come
  bool running = false;
  bool failed = false;  // an exception is set and on its way to whoever runs the simulation
};

/// The world of an environment; nullptr: it was cleared, and nothing will happen in it.
inline World* world_of(const Environment* env) { return env == nullptr ? nullptr : env->world; }

}  // namespace artel::python
