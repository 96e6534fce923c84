#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/key_settings.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario {

struct WorkloadTrace;

/// Independent gaps, exponentially distributed. All rates are in tasks per second.
struct PoissonArrivals {
  double rate = 0;  ///< mean
};
/// Equal gaps of 1 / rate; the first task comes after one gap.
struct ConstantArrivals {
  double rate = 0;  ///< exact
};
/// Poisson arrivals whose rate jumps from state to state, in order and around; the stay in each is
/// exponentially distributed.
struct MmppArrivals {
  /// One of the states.
  struct State {
    double rate = 0;           ///< mean, while it lasts
    Duration mean_duration{};  ///< of a stay
  };
  std::vector<State> states;  ///< in the order in which they follow each other
};
/// Poisson arrivals whose rate goes by the clock: in a straight line from point to point, day by
/// day.
struct TimetableArrivals {
  /// The rate at a time of the day.
  struct Point {
    Duration at{};    ///< of the day
    double rate = 0;  ///< at that time
  };
  std::vector<Point> points;  ///< in order of time
  Duration day{};

  /// Tasks of one day, on average.
  [[nodiscard]] double tasks_per_day() const;
  /// When so many tasks more than at `from` are to be expected. Requires: some rate is above 0.
  /// Cost: O(points).
  [[nodiscard]] Instant after(Instant from, double tasks) const;

 private:
  [[nodiscard]] Duration begin_of(std::size_t part) const;
};
/// The arrivals of Workload::trace, `scale` times as fast as recorded.
struct TraceArrivals {
  double scale = 1;
  /// When a task arrives that was recorded at `at`.
  [[nodiscard]] Instant replayed(Instant at) const;
};
/// So many users, each of whom thinks, asks, waits for the end of it, and thinks again. They begin
/// by thinking.
struct ClosedArrivals {
  std::uint32_t users = 1;
  random::Distribution think{};  ///< in seconds
};
/// Independent gaps of one law.
struct RenewalArrivals {
  random::Distribution gap{};  ///< in seconds
};
struct ArrivalSource;
/// Several sources, each for itself.
struct SummedArrivals {
  std::vector<ArrivalSource> sources;  ///< none of them a trace, closed, or a sum itself
};
/// When tasks arrive.
using Arrivals = std::variant<PoissonArrivals, ConstantArrivals, MmppArrivals, TimetableArrivals,
                              TraceArrivals, ClosedArrivals, RenewalArrivals, SummedArrivals>;
/// How many tasks come at once: one of these, each equally likely; empty: one. All rates are of
/// tasks, but a RenewalArrivals' gap is from batch to batch.
using BatchSizes = std::vector<std::uint32_t>;

/// One of several.
struct ArrivalSource {
  Arrivals arrivals;
  BatchSizes batch{};
  double rate = 0;  ///< mean, of tasks per second
};

/// The mean of the sizes.
[[nodiscard]] double mean_batch(const BatchSizes& batch);
/// All of them come so many times as often; closed ones as before.
void make_faster(Arrivals& arrivals, double factor);
/// Whether dice are thrown for when tasks come.
[[nodiscard]] bool drawn(const Arrivals& arrivals, const BatchSizes& batch);
/// The timetable by which they come, or one source of the sum; nullptr: there is none.
[[nodiscard]] const TimetableArrivals* timetable_of(const Arrivals& arrivals);

/// The services of Workload::trace, row by row; only together with TraceArrivals. (Without them the
/// rows become an empirical distribution.)
struct TraceService {};
/// Service times are in seconds on a worker of speed 1.
using Service = std::variant<random::Distribution, TraceService>;

/// A kind of task.
struct TaskClass {
  std::string name;
  double share = 0;                               ///< of all tasks; each is of the class at random
  std::int32_t priority = 0;                      ///< more is more urgent
  std::optional<random::Distribution> service{};  ///< instead of the workload's
  std::optional<Duration> deadline{};             ///< likewise
  std::uint64_t key = 0;                          ///< what its tasks are about; 0: the workload's
};

/// Which tasks come when, and how long they take: [workload].
struct Workload {
  Arrivals arrivals;   ///< `load` is already turned into a rate
  BatchSizes batch{};  ///< of the arrivals, but for a sum's, whose sources have their own
  Service service;
  std::shared_ptr<const WorkloadTrace> trace;  ///< set when either of them needs it
  std::uint32_t fork = 1;  ///< parts of a task, each placed by the policy; it ends with the last
  double hint_error = 0;  ///< the size hint is size × a lognormal factor of median 1 and this sigma
  std::vector<TaskClass> classes;  ///< empty: all tasks are alike
  /// How long a task waits for its service to start before it goes away; nothing: for ever.
  std::optional<random::Distribution> patience{};
  std::optional<KeySettings> keys{};  ///< what tasks are about; nothing: nothing in particular
  CallerSettings callers;             ///< what callers do about answers that do not come
  Duration deadline = kForever;       ///< an answer that comes later than that is of no use
  double rate = 0;            ///< mean arrivals per second; of closed users, if nobody had to wait
  double mean_service_s = 0;  ///< mean, in seconds, of a worker of speed 1

  /// The deadline of a class; of all, if there are none.
  [[nodiscard]] Duration deadline_of(std::size_t task_class) const {
    return classes.empty() ? deadline : classes[task_class].deadline.value_or(deadline);
  }
  /// Whether tasks that wait for long go away.
  [[nodiscard]] bool sheds() const {
    return patience || (callers.timeout && callers.cancel != Spared::nothing);
  }
  /// Whether some answers may come too late.
  [[nodiscard]] bool has_deadline() const;
  /// Whether there is more to tell of tasks than whether they were answered: they may have to be
  /// in time, or take several attempts.
  [[nodiscard]] bool has_goodput() const { return has_deadline() || !callers.plain(); }
};

}  // namespace artel::scenario
