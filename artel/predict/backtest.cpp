#include "artel/predict/backtest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/infer_starts.hpp"
#include "artel/predict/replay.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// Both parts of the trace; each task belongs to the one that it was submitted in.
struct Parts {
  trace::TaskTrace first, rest;
};

Parts split(const trace::TaskTrace& trace, double share) {
  Parts parts;
  parts.first.header = parts.rest.header = trace.header;
  const auto n = static_cast<double>(trace.tasks.size());
  const auto at = trace.tasks.begin() + static_cast<std::ptrdiff_t>(share * n);
  parts.first.tasks.assign(trace.tasks.begin(), at);
  parts.rest.tasks.assign(at, trace.tasks.end());
  return parts;
}

double rate_of(const trace::TaskTrace& trace) {
  const auto length = trace.tasks.back().submitted - trace.tasks.front().submitted;
  return length > Duration{} ? static_cast<double>(trace.tasks.size()) / to_seconds(length) : 0;
}

double mean_service(const trace::TaskTrace& trace) {
  double sum = 0;
  std::size_t count = 0;
  for (const auto& task : trace.tasks) {
    if (!trace::ran(task.outcome)) continue;
    sum += to_seconds(task.service());
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

/// What work has to do with when it comes.
class WorkInTime {
 public:
  explicit WorkInTime(const trace::TaskTrace& trace) : wall_(trace.header.wall) {
    constexpr double kShortest = 1e-9;
    for (const auto& task : trace.tasks) {
      if (!trace::ran(task.outcome)) continue;
      const auto since = task.submitted - trace.header.started + wall_.value_or(Duration{});
      const auto hour = std::chrono::floor<std::chrono::hours>(since).count() % kHours;
      rows_.push_back({.hour = static_cast<std::size_t>((hour + kHours) % kHours),
                       .service_s = to_seconds(task.service()),
                       .log = std::log(std::max(to_seconds(task.service()), kShortest))});
    }
  }

  void tell(Backtest& test) {
    if (rows_.size() < 2) return;
    remove_hours(test);
    double spread = 0, together = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      spread += rows_[i].log * rows_[i].log;
      if (i > 0) together += rows_[i].log * rows_[i - 1].log;
    }
    test.service_runs = spread > 0 ? together / spread : 0;
  }

 private:
  static constexpr int kHours = 24;
  struct Row {
    std::size_t hour = 0;
    double service_s = 0;
    double log = 0;
  };
  struct Hour {
    double tasks = 0, log = 0, service_s = 0;
  };

  // From then on logarithms are what is left of them without the mean of their hour.
  void remove_hours(Backtest& test) {
    constexpr double kTasksMin = 50;  // in an hour; fewer say nothing
    constexpr std::size_t kFew = 2;   // hours
    std::array<Hour, kHours> hours{};
    Hour all;
    for (const auto& row : rows_) {
      for (auto* const of : {&hours[row.hour], &all}) {
        of->tasks += 1;
        of->log += row.log;
        of->service_s += row.service_s;
      }
    }
    const double mean = all.log / all.tasks;
    double between = 0, total = 0;
    std::size_t known = 0;
    for (std::size_t i = 0; i < hours.size(); ++i) {
      auto& hour = hours[i];
      if (hour.tasks < kTasksMin) continue;
      ++known;
      between += hour.tasks * std::pow(hour.log / hour.tasks - mean, 2);
      const double longer = (hour.service_s / hour.tasks) / (all.service_s / all.tasks);
      if (longer > test.longer) {
        test.longer = longer;
        test.long_hour = static_cast<int>(i);
      }
    }
    for (const auto& row : rows_) total += (row.log - mean) * (row.log - mean);
    const bool several = known > kFew && total > 0;
    // Each hour's own mean explains something by chance.
    const double chance = static_cast<double>(known) / all.tasks;
    if (several) test.service_hours = std::max(0.0, between / total - chance);
    for (auto& row : rows_) {
      const auto& hour = hours[row.hour];
      row.log -= several && hour.tasks >= kTasksMin ? hour.log / hour.tasks : mean;
    }
  }

  std::optional<Duration> wall_;
  std::vector<Row> rows_;
};

// The pool and the service law of the first part under the arrivals of the rest.
scenario::Scenario scenario_of(const Calibration& calibration, const trace::TaskTrace& rest,
                               std::optional<std::uint32_t> workers) {
  auto scenario = calibration.fitted;
  if (workers && *workers != scenario.pool.speeds.size()) {  // new ones are as fast as most
    scenario.pool.speeds.resize(*workers, 1.0);
    scenario.pool.queue_bounds.resize(*workers, scenario.pool.queue_bounds.front());
  }
  scenario::WorkloadTrace rows;
  const auto first = rest.tasks.front().submitted;
  for (const auto& task : rest.tasks) {
    if (trace::ran(task.outcome)) rows.arrivals.push_back(Instant{task.submitted - first});
  }
  scenario.run.tasks = rows.arrivals.size();
  scenario.workload.arrivals = scenario::TraceArrivals{};
  scenario.workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(rows));
  scenario.workload.rate = rate_of(rest);
  return scenario;
}

// A long trace leaves less to chance.
std::size_t replications(const BacktestOptions& options, std::size_t tasks) {
  constexpr std::size_t kTasksMost = 5'000'000;
  return std::clamp<std::size_t>(kTasksMost / std::max<std::size_t>(tasks, 1), 1,
                                 std::max<std::size_t>(options.replications, 1));
}

Result<void> check(const trace::TaskTrace& first, const trace::TaskTrace& rest) {
  for (const auto* part : {&first, &rest}) {
    if (!part->header.responses_known()) {
      return fail(ErrorCode::invalid,
                  "nothing was measured that a prediction could be tested with");
    }
    if (part->header.loop == trace::Loop::closed) {
      return fail(ErrorCode::invalid,
                  "arrivals waited for results: the rest of them depends on what is predicted");
    }
    if (part->tasks.size() < kTasksMin)
      return fail(ErrorCode::invalid, fmt::format("expected {} tasks in each part", kTasksMin));
  }
  return {};
}

}  // namespace

Result<Backtest> backtest(const trace::TaskTrace& trace, const BacktestOptions& options) {
  auto [first, rest] = split(trace, options.fitted_share);
  return backtest(std::move(first), std::move(rest), options);
}

Result<Backtest> backtest(trace::TaskTrace first, trace::TaskTrace rest,
                          const BacktestOptions& options) {
  if (const auto testable = check(first, rest); !testable) return fail(testable);
  const bool starts_known = rest.header.starts_known();
  Backtest test{.fitted_tasks = first.tasks.size(), .predicted_tasks = rest.tasks.size()};
  // What was inferred from all of the trace may know of the rest: here it is inferred anew.
  if (!starts_known) {
    for (auto* part : {&first, &rest}) part->header.settings["starts"] = "in response";
    test.starts_inferred = infer_starts(first, options.calibrate.workers).has_value();
  }
  auto calibration = calibrate(first, options.calibrate);
  if (!calibration) return fail(calibration);
  const auto scenario = scenario_of(*calibration, rest, options.workers_of_rest);
  test.workers = static_cast<std::uint32_t>(scenario.pool.speeds.size());
  if (test.starts_inferred) static_cast<void>(infer_starts(rest, test.workers));

  const auto& policy = scenario.dispatch.policies.front();
  std::vector<RunFigures> runs(replications(options, rest.tasks.size()));
  experiment::for_each_index(runs.size(), options.jobs, options.stop, [&](std::size_t i) {
    const auto tasks =
        fleet::replay_tasks(scenario, policy, static_cast<std::uint32_t>(i), options.stop);
    if (tasks) runs[i] = figures_of(*tasks, test.workers);
  });
  if (options.stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped before the end");
  test.low = test.high = runs.front();
  for (std::size_t f = 0; f < kFigures; ++f) {
    for (const auto& run : runs) {
      test.predicted.values[f] += run.values[f] / static_cast<double>(runs.size());
      test.low.values[f] = std::min(test.low.values[f], run.values[f]);
      test.high.values[f] = std::max(test.high.values[f], run.values[f]);
    }
  }
  test.measured = figures_of(rest.tasks, test.workers);
  if (!starts_known) {
    for (const auto figure : {Figure::mean_wait, Figure::p99_wait, Figure::utilisation})
      test.measured.values[static_cast<std::size_t>(figure)] = kNothing;
  }
  test.fitted_service_s = mean_service(first);
  test.service_s = mean_service(rest);
  test.fitted_rate = rate_of(first);
  test.rate = rate_of(rest);
  WorkInTime(rest).tell(test);
  return test;
}

double Backtest::error(Figure figure) const {
  return relative_error(predicted[figure], measured[figure]);
}

std::vector<std::string> Backtest::reasons() const {
  std::vector<std::string> reasons;
  bool off = false;
  bool beyond_chance = false;
  for (const auto figure : {Figure::p50_response, Figure::p95_response, Figure::p99_response}) {
    if (!(std::abs(error(figure)) > kNoticeable)) continue;
    off = true;
    if (measured[figure] < low[figure] || measured[figure] > high[figure]) beyond_chance = true;
  }
  if (!off) return reasons;
  if (!beyond_chance) {
    reasons.emplace_back("within chance: so few tasks vary by as much from run to run");
    return reasons;
  }
  constexpr double kOtherWork = 0.03, kOtherRate = 0.2, kRuns = 0.1, kByHour = 0.01;
  const double work = relative_error(service_s, fitted_service_s);
  if (std::abs(work) > kOtherWork) {
    reasons.push_back(fmt::format(
        "not stationary: work took {:.0f}% {} in the rest than in the part that it was fitted to",
        100 * std::abs(work), work > 0 ? "longer" : "less"));
  }
  if (service_hours > kByHour) {
    reasons.push_back(fmt::format(
        "not independent: how long work takes depends on the time of day; in the hour from {} on "
        "it is {:.2g} times the mean",
        long_hour, longer));
  }
  if (std::abs(service_runs) > kRuns) {
    reasons.push_back(fmt::format(
        "not independent: tasks beside each other take alike long (correlation {:.2f}), so long "
        "ones meet",
        service_runs));
  }
  const double faster = relative_error(rate, fitted_rate);
  if (reasons.empty() && std::abs(faster) > kOtherRate) {
    reasons.push_back(fmt::format(
        "the rest came at a rate {:.0f}% {}: waiting that the first part did not show, or work "
        "that slows down under load",
        100 * std::abs(faster), faster > 0 ? "higher" : "lower"));
  }
  if (reasons.empty()) {
    reasons.emplace_back(
        "hidden waiting: another number of workers, or another order than the one assumed "
        "(--workers, --policy)");
  }
  return reasons;
}

}  // namespace artel::predict
