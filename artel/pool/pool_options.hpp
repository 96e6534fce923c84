#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/task_observer.hpp"
#include "artel/trace/recording.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::pool {

/// A task that has been running for longer than PoolOptions::stall_after.
struct Stall {
  WorkerId worker{};
  Duration running{};
  Duration silent{};      ///< how long a beacon has been waiting for it; 0: there is none
  bool replaced = false;  ///< a fresh thread serves the worker's queue; false: too many stalls
};

/// A decision as a policy made it: with these it can be made again.
struct Decision {
  dispatch::LoadArray loads;       ///< that the policy saw
  dispatch::Draw draw;             ///< what it points to is valid during the call only
  std::optional<WorkerId> chosen;  ///< nothing: nobody had room
};

/// What became of a submission.
enum class Admission : std::uint8_t {
  accepted,  ///< it is in, and will end
  full,      ///< no room, and not allowed to wait
  late,      ///< no room until the time given
  closed,    ///< the pool is stopping or has stopped
};

/// How a Pool is made. Everything has a default; `check` says what is allowed.
struct PoolOptions {
  std::string name = "pool";       ///< threads are called "name-3", cut to the system's 15 letters
  unsigned workers = 0;            ///< threads to start with; 0: usable_cpus(), within min and max
  unsigned workers_min = 1;        ///< smallest size that resize() accepts
  unsigned workers_max = 0;        ///< largest size that resize() accepts; 0: the same as workers
  unsigned queue = 0;              ///< tasks that may wait at one worker; 0: about 100 us of work
  std::vector<unsigned> queues{};  ///< instead of `queue`: worker i has queues[i]
  std::vector<float> weights{};    ///< relative speed or priority of worker i; empty: all 1
  /// Tasks that may wait in the common queue, of each priority; 0: none, and no priorities.
  std::size_t common = 16'384;
  dispatch::WhenFull when_full = dispatch::WhenFull::block;
  dispatch::Policy dispatch = dispatch::LeastLoaded{};
  Seed seed{};       ///< of the dice that policies throw
  bool pin = false;  ///< worker i runs on the i-th processor we may use, going round

  // What on_start, on_stop, on_attend and on_stall throw ends the program, as on any thread. What
  // on_refused and on_decision throw, whoever submits hears, as of a policy.

  std::function<void(WorkerId)> on_start{};  ///< on each new thread, before its first task
  std::function<void(WorkerId)> on_stop{};   ///< on each thread, after its last task
  /// On the worker's thread between two tasks, after Pool::attend() asked for it.
  std::function<void(WorkerId)> on_attend{};
  /// What a task without a Future threw, on the worker's thread; or what a policy threw at work
  /// that the pool queues by itself (a timer, a strand's turn), on any thread: that work is done
  /// nevertheless. What this throws is lost. Empty: only counted.
  std::function<void(std::exception_ptr)> on_exception{};
  /// Why post() refused a task; on the submitter's thread, before post() returns. Empty: only
  /// counted (PoolStats::refused).
  std::function<void(Admission)> on_refused{};

  Duration stall_after = kForever;  ///< a task that runs longer is reported, its worker replaced
  std::function<void(const Stall&)> on_stall{};
  /// Beacons, light tasks that tell whether a worker gets on, go through every queue so often; 0:
  /// none but those of a closed loop. Each of them wakes a worker that sleeps.
  Duration beacon_every{};
  /// A worker that leaves a beacon waiting for longer, in one and the same task, has stalled.
  Duration beacon_limit = kForever;
  Duration shrink_timeout =
      std::chrono::seconds(5);  ///< then a leaving worker's queue is taken away
  /// The largest number of threads beyond the workers, for tasks that wait for a result or stall. A
  /// further task that waits gets a TaskError (unsupported). These threads start when they are
  /// needed and end after a minute without work. So a pool has at most workers_max + spares
  /// threads.
  unsigned spares = kSpares;

  std::shared_ptr<TaskObserver> observer{};  ///< hears of every task's life; null: nobody
  /// Hears of every decision, with a copy of the loads it saw; for tests and studies, it is slow.
  std::function<void(const Decision&)> on_decision{};

  /// The largest values: kWorkersMax of workers_max, kSparesMax of spares, kQueueMax of queue and
  /// kCommonMax of common.
  static constexpr unsigned kWorkersMax = 4096;
  static constexpr unsigned kSpares = 1U << 14U;  ///< unless its maker says otherwise
  static constexpr unsigned kSparesMax = 1U << 20U;
  static constexpr unsigned kQueueMax = 1U << 20U;
  static constexpr std::size_t kCommonMax = std::size_t{1} << 30U;
};

/// The same with every 0 that stands for "as fits here" replaced. Errors: invalid, with the field,
/// the value and the range.
[[nodiscard]] Result<PoolOptions> check(PoolOptions options);

/// What a submitter may ask for. A task that expires or is stopped before it has started makes its
/// Future ready at that moment, on the thread that requests the stop or keeps the timers; what is
/// chained to it without an executor is called there, too.
struct SubmitOptions {
  Priority priority = Priority::normal;
  Deadline deadline{};           ///< not started by then, on any clock: expired
  std::stop_token stop{};        ///< asked to stop before it started: cancelled
  Duration size{};               ///< expected service time, for policies that use it
  std::uint64_t key = 0;         ///< what it is about, for policies that keep equal keys together
  std::uint32_t task_class = 0;  ///< a number for its kind, for policies of one's own

  /// What a policy is told of the task.
  [[nodiscard]] dispatch::TaskHints hints() const {
    dispatch::TaskHints hints = size;
    hints.key = key;
    hints.task_class = task_class;
    hints.deadline = deadline.at;
    return hints;
  }
};

/// How a run is recorded, see Pool::record.
struct RecordOptions {
  trace::Loop loop{};  ///< whether arrivals wait for results; the pool cannot know
  std::string load{};  ///< how the load is offered, in words
  trace::RecorderOptions recorder{};
};

/// The refusal as an Error.
[[nodiscard]] Error error_of(Admission admission);

}  // namespace artel::pool
