#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"

namespace artel::scenario {

/// Whom a worker serves of those that have come to it.
enum class Discipline : std::uint8_t {
  fifo,      ///< in order of arrival
  lifo,      ///< the last to come first
  priority,  ///< the most urgent class first
  sjf,       ///< the shortest first, by its service time
  edf,       ///< whose deadline is next
  srpt,      ///< who has least left; a shorter one that comes interrupts
  las,       ///< who has been served least; those who are level share
  ps,        ///< all at once, with equal parts of the speed
};

/// Tasks that a worker serves together: time = fixed + per_task × tasks + per_work × their service
/// times. With steps (continuous batching) that is the time of a step, in which each task gets a
/// part of its service; tasks join and leave between steps.
struct BatchSettings {
  std::uint32_t most = 1;   ///< tasks of one batch
  Duration longest_wait{};  ///< of the first task, before a batch starts that is not full
  random::Distribution fixed{};
  double per_task = 0;  ///< seconds
  double per_work = 1;
  random::Distribution per_join{};  ///< in seconds, once for each task
  std::string join_rows{};          ///< instead: a formula over the columns of the trace …
  double mean_join_row_s = 0;       ///< … and the mean of what it says, in seconds
  Duration step{};                  ///< service that each task gets in a step; 0: all of it at once
  Duration memory = kForever;  ///< steps: sum of the service times of those in the batch, at most

  /// The `time` that a full batch (or step) takes and the `service` that its tasks get in it, both
  /// in seconds, as `full()` has it.
  struct Full {
    double time = 0;
    double service = 0;
  };
  [[nodiscard]] Full full(double mean_service_s) const;
};

/// A time for which some workers are out of service.
struct Outage {
  Instant at{};                          ///< it begins
  Duration lasts{};                      ///< then the workers are whole again
  std::vector<std::uint32_t> workers{};  ///< by number; empty: all
  /// Dispatchers send them nothing from so long before until the end; nothing: they do not know.
  std::optional<Duration> drain{};
};

/// Workers that break, also when idle, by chance or at given times. Chance has exponentially
/// distributed times.
struct FailureSettings {
  /// What becomes of the tasks in service.
  enum class TaskFate : std::uint8_t {
    resume,   ///< they go on after the repair
    restart,  ///< they begin anew then
    lose,     ///< they are lost
    error,    ///< they are, and so is at once whatever waits there or comes until the repair
  };
  Duration mtbf{};  ///< mean time from a repair to the next failure; 0: none by chance
  Duration mttr{};  ///< mean time to repair
  /// Dispatchers send no more to a worker so long after it broke, and again so long after it was
  /// repaired; kForever: they never know.
  Duration detection = kForever;
  TaskFate task = TaskFate::resume;
  std::vector<Outage> outages{};  ///< besides those by chance

  /// Whether callers hear of a failure.
  [[nodiscard]] bool loses_tasks() const {
    return task == TaskFate::lose || task == TaskFate::error;
  }
};

/// One of the speeds that workers go through, the first one first; each stays for an exponentially
/// distributed time.
struct SpeedState {
  double speed = 1;            ///< times the worker's own; 0: it stands
  Duration mean_duration{};    ///< of the exponential time that it stays
  std::vector<double> next{};  ///< how likely each state follows; empty: the next one, around
};

/// How often each state is come to in the long run, but for a factor that they have in common: a
/// Markov chain. Requires: each leads to every other in the end. Cost: O(states^3), but O(states)
/// if all are gone through in order.
[[nodiscard]] std::vector<double> visits(std::span<const SpeedState> states);
/// A state that some state does not lead to, and that state.
struct UnreachedState {
  std::size_t state = 0;  ///< never comes …
  std::size_t from = 0;   ///< … after this one
};
/// The first such pair; nothing: each leads to every other in the end. Cost: O(states^3) likewise.
[[nodiscard]] std::optional<UnreachedState> unreached(std::span<const SpeedState> states);

/// Speeds that go by the clock, day by day.
struct SpeedTimetable {
  /// From a time of the day on, until another point of these workers'.
  struct Point {
    Duration at{};                         ///< of the day
    double speed = 1;                      ///< times the worker's own; 0: it stands
    std::vector<std::uint32_t> workers{};  ///< by number; empty: all
  };
  std::vector<Point> points;  ///< in order of time; the last goes on over midnight
  Duration day{};

  /// Whether every point is of all workers.
  [[nodiscard]] bool alike() const;
  /// The points of one worker.
  [[nodiscard]] std::vector<Point> of(std::uint32_t worker) const;
  /// Mean over a day.
  [[nodiscard]] double mean(std::uint32_t worker) const;
};

/// The time that a worker that has nothing to do takes before it serves again.
struct StartUpSettings {
  random::Distribution time{};
  Duration keep_warm{};  ///< a worker that has been idle for less serves at once
};

/// A worker that has started up, or is new to a fleet, is slower for a while.
struct SlowStart {
  Duration time{};   ///< for so long
  double speed = 1;  ///< times its own
};

/// What a worker keeps of what its tasks begin with: see dispatch::PrefixCache. A task uses it when
/// it comes to the worker; one that breaks and does not resume, or starts up, has an empty one.
struct CacheSettings {
  std::uint32_t blocks = UINT32_MAX;  ///< as many at most
  /// What a task saves that finds all of its prefix there, a formula over the columns of the trace;
  /// one that finds a part saves that part. Off BatchSettings::join_rows if there are some, else
  /// off its service. Empty: nothing.
  std::string saves{};
};

/// How each worker of a pool serves: the rest of [pool].
struct WorkerSettings {
  std::uint32_t slots = 1;  ///< tasks that it serves at once, each at its full speed
  Discipline discipline = Discipline::fifo;
  bool preemptive = false;                        ///< who goes first interrupts who is in service
  std::vector<double> total_speed;                ///< ps: [n - 1]: of n tasks together; empty: 1
  std::optional<BatchSettings> batch;             ///< nothing: one task at a time
  std::optional<CacheSettings> cache{};           ///< nothing: it forgets its tasks
  std::optional<FailureSettings> failures;        ///< nothing: it never breaks
  std::optional<StartUpSettings> start_up;        ///< nothing: new workers serve at once
  std::optional<SlowStart> slow_start{};          ///< nothing: at full speed from then on
  std::vector<SpeedState> speed_states;           ///< empty: always as fast …
  std::optional<SpeedTimetable> speed_timetable;  ///< … but for this; not with states

  /// Whether it serves one task after the other, each to its end.
  [[nodiscard]] bool one_by_one() const;
  /// Whether dice are thrown for it.
  [[nodiscard]] bool drawn() const;
  /// Tasks that it can have in service, for which its queue bound has room in any case.
  [[nodiscard]] std::uint32_t places() const;
  /// Seconds of service that it does in a second at speed 1, if it always has enough to do and the
  /// mean service time is this; without a word of timetables and outages.
  [[nodiscard]] double capacity(double mean_service_s) const;
};

}  // namespace artel::scenario
