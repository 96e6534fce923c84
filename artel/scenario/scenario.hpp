#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/sweep.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario {

/// Independent gaps, exponentially distributed. All rates are in tasks per second.
struct PoissonArrivals {
  double rate = 0;
};
/// Equal gaps of 1 / rate; the first task comes after one gap.
struct ConstantArrivals {
  double rate = 0;
};
/// Poisson arrivals whose rate jumps from state to state, in order and around; the stay in each is
/// exponentially distributed.
struct MmppArrivals {
  struct State {
    double rate = 0;
    Duration mean_duration{};
  };
  std::vector<State> states;
};
/// The arrivals of Workload::trace, `scale` times as fast as recorded.
struct TraceArrivals {
  double scale = 1;
  /// When a task arrives that was recorded at `at`.
  [[nodiscard]] Instant replayed(Instant at) const;
};
using Arrivals = std::variant<PoissonArrivals, ConstantArrivals, MmppArrivals, TraceArrivals>;

/// The services of Workload::trace, row by row; only together with TraceArrivals. (Without them the
/// rows become an empirical distribution.)
struct TraceService {};
/// Service times are in seconds on a worker of speed 1.
using Service = std::variant<random::Distribution, TraceService>;

struct Workload {
  Arrivals arrivals;  ///< `load` is already turned into a rate
  Service service;
  std::shared_ptr<const WorkloadTrace> trace;  ///< set when either of them needs it
  std::uint32_t fork = 1;  ///< each task runs on that many workers at once and ends with the last
  double hint_error = 0;  ///< the size hint is size × a lognormal factor of median 1 and this sigma
  double rate = 0;        ///< mean arrivals per second
  double mean_service_s = 0;
};

/// "As many as come", for queue bounds.
using dispatch::kUnbounded;

struct Pool {
  std::vector<double> speeds;               ///< one per worker; service time = size / speed
  std::vector<std::uint32_t> queue_bounds;  ///< one per worker, the running task included
  std::uint32_t common_bound = kUnbounded;  ///< tasks that wait for any worker
  dispatch::WhenFull when_full = dispatch::WhenFull::reject;
  bool take_over = false;         ///< an idle worker takes the task that waits longest elsewhere
  dispatch::Stealing stealing{};  ///< what a worker that runs out does; not with take_over
  /// How long an idle worker takes to begin a task: one of these, each equally likely; empty: no
  /// time.
  std::vector<Duration> wake_ups;
  Duration task_overhead{};  ///< a worker's time per task besides the service, from task to task
};

/// One policy to compare: one row of the table.
struct PolicySpec {
  std::string label;                ///< unique within the scenario
  std::string name;                 ///< as the file has it; "central" is not a dispatch name
  dispatch::Parameters parameters;  ///< as the file has them
  dispatch::Policy policy;          ///< made from both; for "central": least loaded
  std::optional<std::uint32_t> queue_bound;  ///< instead of the pool's, for every worker
  std::optional<bool> take_over;             ///< instead of the pool's
};

/// Whether any number of tasks may wait, so that a load of 1 has no steady state.
[[nodiscard]] bool takes_all(const Pool& pool, const PolicySpec& policy);

struct Dispatch {
  std::vector<PolicySpec> policies;
  std::uint32_t dispatchers =
      1;                     ///< each task goes to one of them at random; each keeps its own view
  Duration staleness{};      ///< loads are seen as of the last refresh; 0: always fresh
  Duration network_delay{};  ///< from dispatcher to worker
};

/// What to leave out at the start of each replication.
struct WarmUp {
  enum class Kind : std::uint8_t { automatic /* MSER-5 */, share, duration };
  Kind kind = Kind::automatic;
  double share = 0;  ///< of the tasks
  Duration duration{};
};

/// Each replication ends at the first limit reached: tasks, duration, or the end of the trace.
struct Run {
  std::optional<std::uint64_t> tasks;
  std::optional<Duration> duration;
  std::uint32_t replications = 10;  ///< with a precision: the fewest
  std::uint32_t replications_max = 10;
  std::optional<double> precision;  ///< relative half-width wanted, 99% CI of the mean response
  WarmUp warm_up;
  Seed seed{1};
};

enum class Quantity : std::uint8_t { response, wait, rejected };
enum class Statistic : std::uint8_t { mean, p50, p90, p95, p99, p999, max };

/// The statistic must not exceed the limit.
struct Objective {
  std::string name;  ///< as in the file: "p99_response"
  Quantity quantity = Quantity::response;
  Statistic statistic = Statistic::p99;
  double limit = 0;  ///< seconds; for rejected the share of all tasks
};

/// A validated scenario: whatever is here can be run.
struct Scenario {
  std::string name;
  Workload workload;
  Pool pool;
  Dispatch dispatch;
  Run run;
  std::vector<Objective> slo;
  std::vector<SweepAxis> sweep;          ///< the file's [sweep]; the scenario itself is not swept
  std::optional<double> price_per_hour;  ///< of one worker, in any currency; [plan]

  /// Work offered / work that the pool can do, on average over time.
  [[nodiscard]] double load() const;
};

/// What of an endless workload that the pool cannot keep up with.
enum class Overload : std::uint8_t {
  refuse,  ///< an error, unless the run has an end
  allow,   ///< the pool's size is yet to be found
};

/// Reads a scenario; `file_name` is for messages, and trace files are looked up beside it.
/// Errors: "file:line:column: what was found, what is allowed", as many as make sense at once.
[[nodiscard]] config::Checked<Scenario> parse_scenario(std::string_view text,
                                                       std::string_view file_name,
                                                       std::span<const Override> overrides = {},
                                                       Overload overload = Overload::refuse);

/// Same, from a file of at most kScenarioBytesMax bytes.
[[nodiscard]] config::Checked<Scenario> load_scenario(const std::filesystem::path& path,
                                                      std::span<const Override> overrides = {},
                                                      Overload overload = Overload::refuse);
inline constexpr std::size_t kScenarioBytesMax = std::size_t{1} << 20;

}  // namespace artel::scenario
