#include "artel/watch/fleet_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/plan/change_rate.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/plan_request.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/infer_starts.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/scenario_to_plan.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/scaling/predictive.hpp"
#include "artel/scaling/rate_line.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/watch/watch_report.hpp"

namespace artel::watch {
namespace {

constexpr std::uint32_t kPlanReplications = 5;

// So many independent tasks of exponential length, one after the other: all that numbers tell.
Result<scenario::Scenario> textbook_queue(double rate, double service_s, std::uint32_t workers,
                                          std::uint64_t seed) {
  const auto text = fmt::format(
      "[workload]\narrivals = {{ kind = \"poisson\", rate = {:.17g} }}\n"
      "service = {{ distribution = \"exponential\", mean = \"{:.17g} s\" }}\n"
      "[pool]\nworkers = {}\n[dispatch]\npolicies = [\"central\"]\n"
      "[run]\ntasks = {}\nreplications = {}\nseed = {}\n",
      rate, service_s, workers, FleetWatch::kTasksPlanned, kPlanReplications, seed);
  auto scenario = scenario::parse_scenario(text, "watch", {}, scenario::Overload::allow);
  if (!scenario) return tl::unexpected<Error>(scenario.error().front());
  return *std::move(scenario);
}

}  // namespace

/// Some parts of the time together.
struct FleetWatch::Window {
  std::int64_t begin = 0, end = 0;
  double tasks = 0;
  double busy_s = 0;
  stat::Histogram response_ns{7};

  [[nodiscard]] std::size_t parts() const { return static_cast<std::size_t>(end - begin); }
};

Result<FleetWatch> FleetWatch::make(WatchOptions options) {
  if (options.horizon < std::chrono::seconds(6) || options.horizon > std::chrono::hours(24 * 7))
    return fail(ErrorCode::invalid, "allowed: 6s to 7d", "horizon");
  if (options.slo.empty())
    return fail(ErrorCode::invalid, "expected an objective, like 'p99<300ms'", "slo");
  // The same words that a plan will be asked with.
  auto scenario = textbook_queue(1, 0.5, 1, 1);
  if (!scenario) return fail(scenario);
  plan::PlanOptions unused;
  plan::PlanRequest request{.slo = options.slo};
  if (!options.policy.empty()) request.policies = {options.policy};
  if (const auto asked = plan::apply(request, *scenario, unused); !asked) return fail(asked);
  return FleetWatch(std::move(options));
}

std::int64_t FleetWatch::part_of(Instant at) const {
  const auto ns = at.time_since_epoch().count();
  const auto length = part_length().count();
  return ns / length - (ns % length < 0 ? 1 : 0);
}

void FleetWatch::add(const trace::TaskRecord& task) {
  const auto number = part_of(task.submitted);
  if (!first_) first_ = number + 1;  // of this one the beginning may be missing
  if (!trace::ran(task.outcome)) return;
  auto& part = parts_[number];
  part.tasks += 1;
  part.response_ns.record(
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, task.response().count())));
  newest_.push_back(task);
  if (newest_.size() > kTasksPlanned) newest_.pop_front();
}

void FleetWatch::add(Instant from, Instant to, double tasks, double busy_s, std::uint32_t workers) {
  ARTEL_REQUIRE(from < to, "time goes forward");
  counts_ = true;
  counted_workers_ = workers;
  if (!first_) first_ = part_of(from) + 1;
  const auto length = part_length();
  while (from < to) {  // spread evenly over the parts
    const auto number = part_of(from);
    const auto end = std::min(to, Instant{length * (number + 1)});
    const double share = to_seconds(end - from) / to_seconds(to - from);
    auto& part = parts_[number];
    part.tasks += tasks * share;
    part.busy_s += busy_s * share;
    tasks -= tasks * share;
    busy_s -= busy_s * share;
    from = end;
  }
}

FleetWatch::Window FleetWatch::window(std::int64_t begin, std::int64_t end) const {
  Window sum{.begin = begin, .end = std::max(begin, end)};
  for (auto part = parts_.lower_bound(begin); part != parts_.end() && part->first < end; ++part) {
    sum.tasks += part->second.tasks;
    sum.busy_s += part->second.busy_s;
    sum.response_ns.merge(part->second.response_ns);
  }
  return sum;
}

// What came so long ago is known by now, nearly all of it: a log has tasks that are over.
Duration FleetWatch::delay(const Window& last) const {
  if (last.response_ns.empty()) return Duration{};
  constexpr double kNearlyAll = 0.99;
  return Duration{static_cast<std::int64_t>(last.response_ns.quantile(kNearlyAll))};
}

WatchForecast FleetWatch::rates_ahead(std::int64_t begin, std::int64_t end) const {
  const auto length = part_length();
  std::vector<scaling::Predictive::Reading> rates;
  for (auto number = begin; number < end; ++number) {
    const auto part = parts_.find(number);
    const double tasks = part == parts_.end() ? 0 : part->second.tasks;
    rates.push_back({Instant{length * number + length / 2}, tasks / to_seconds(length)});
  }
  const Instant now{length * end};
  auto line = scaling::fit_rate_line(rates, now);
  if (std::abs(line.slope) <= kSlopeErrors * line.slope_error) {
    double mean = 0;
    for (const auto& rate : rates) mean += rate.value / static_cast<double>(rates.size());
    line = {.value = mean};
  }
  WatchForecast forecast{.made = now};
  const auto seen = static_cast<std::size_t>(end - begin);
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto ahead = static_cast<double>(std::min(i, seen)) + 0.5;
    const double rate = std::max(0.0, line.value + line.slope * ahead * to_seconds(length));
    forecast.rate += rate / kParts;
    forecast.rate_most = std::max(forecast.rate_most, rate);
  }
  return forecast;
}

std::string FleetWatch::too_little(const Window& seen) const {
  if (seen.parts() < kPartsMin) {
    return fmt::format("too little was seen: {} of {}",
                       format_duration(part_length() * static_cast<std::int64_t>(seen.parts())),
                       format_duration(part_length() * static_cast<std::int64_t>(kPartsMin)));
  }
  if (seen.tasks < kTasksMin) {
    return fmt::format("too few tasks came: {:.0f} of {} in the last {}", seen.tasks, kTasksMin,
                       format_duration(options_.horizon));
  }
  return {};
}

Result<scenario::Scenario> FleetWatch::recorded(WatchForecast& forecast, Instant end) const {
  trace::TaskTrace trace{.header = header_, .tasks = {}};
  const auto begin = later(end, -options_.horizon);
  for (const auto& task : newest_) {
    if (task.submitted >= begin && task.submitted < end) trace.tasks.push_back(task);
  }
  trace::sort_by_submission(trace.tasks);
  const auto inferred = predict::infer_starts(trace, options_.workers);
  auto calibration = predict::calibrate(
      trace, {.name = "watch", .workers = options_.workers, .seed = options_.seed});
  if (!calibration) return fail(calibration);
  const auto& names = trace.header.settings;
  forecast.workers_guessed =
      !options_.workers && ((inferred && inferred->estimated) || !names.contains("pool.workers"));
  auto scenario = predict::scenario_to_plan(*calibration, predict::WorkloadSource::recorded);
  if (!scenario) return scenario;
  scenario->dispatch.policies.resize(1);
  scenario->run.replications = scenario->run.replications_max = kPlanReplications;
  return scenario;
}

Result<scenario::Scenario> FleetWatch::counted(WatchForecast& forecast, Instant end) const {
  const auto last = part_of(end);
  const auto seen =
      window(std::max(first_.value_or(last), last - static_cast<std::int64_t>(kParts)), last);
  if (!(seen.busy_s > 0)) return fail(ErrorCode::invalid, "nothing says how long tasks take");
  const double mean_s = seen.busy_s / seen.tasks;
  const auto workers = options_.workers.value_or(std::max(counted_workers_, 1U));
  return textbook_queue(std::max(forecast.rate, 1e-9), mean_s, workers,
                        static_cast<std::uint64_t>(options_.seed));
}

Result<scenario::Scenario> FleetWatch::scenario_for(WatchForecast& forecast, Instant end) const {
  auto scenario = counts_ ? counted(forecast, end) : recorded(forecast, end);
  if (!scenario) return scenario;
  forecast.workers = static_cast<std::uint32_t>(scenario->pool.speeds.size());
  if (!options_.policy.empty()) {
    plan::PlanOptions unused;
    const auto changed = plan::apply({.policies = {options_.policy}}, *scenario, unused);
    if (!changed) return fail(changed);
  }
  return scenario;
}

// The smallest fleet at the highest rate; why there is none.
std::string FleetWatch::plan(WatchForecast& forecast, const scenario::Scenario& scenario) const {
  auto busiest = scenario;
  const auto faster = plan::change_rate(busiest, fmt::format("{:.17g}/s", forecast.rate_most));
  if (!faster) return to_string(faster.error());
  plan::PlanOptions options{.jobs = options_.jobs, .stop = options_.stop};
  if (const auto asked = plan::apply({.slo = options_.slo}, busiest, options); !asked)
    return to_string(asked.error());
  const auto found = plan::plan(busiest, options);
  if (!found) return to_string(found.error());
  const auto* const best = found->best();
  if (!found->complete) return "interrupted";
  if (best == nullptr) return "no number of workers meets the objectives";
  forecast.workers_needed = best->smallest;
  forecast.policy = best->policy.label;
  return {};
}

void FleetWatch::predict(WatchForecast& forecast, const scenario::Scenario& scenario) const {
  double speed = 0;
  for (const double each : scenario.pool.speeds) speed += each;
  forecast.overloaded = forecast.rate * scenario.workload.mean_service_s >= speed;
  if (forecast.overloaded) return;
  auto ahead = scenario;
  if (!plan::change_rate(ahead, fmt::format("{:.17g}/s", forecast.rate))) return;
  const auto figures =
      predict::what_if(ahead, ahead, counts_ ? kPlanReplications : 1, options_.jobs, options_.stop);
  if (!figures) return;
  constexpr auto kP99 = predict::Figure::p99_response;
  forecast.p99_s = figures->after.figures[kP99];
  forecast.p99_low_s = figures->low[kP99];
  forecast.p99_high_s = figures->high[kP99];
}

// Forecasts whose time ended before that part.
void FleetWatch::score(std::int64_t end) {
  while (!ahead_.empty() &&
         part_of(ahead_.front().made) + static_cast<std::int64_t>(kParts) <= end) {
    const auto begin = part_of(ahead_.front().made);
    const auto came = window(begin, begin + static_cast<std::int64_t>(kParts));
    WatchScore score{.forecast = std::move(ahead_.front()),
                     .rate = came.tasks / to_seconds(options_.horizon)};
    ahead_.pop_front();
    if (header_.responses_known() && !came.response_ns.empty())
      score.p99_s = came.response_ns.quantile(0.99) / 1e9;
    if (const auto error = score.rate_error()) {
      ++sums_.scored;
      sums_.rate_error += std::abs(*error);
    }
    if (const auto error = score.p99_error()) {
      ++sums_.p99_scored;
      sums_.p99_error += std::abs(*error);
    }
    last_ = std::move(score);
  }
}

void FleetWatch::forget(std::int64_t end) {
  constexpr auto kKept = static_cast<std::int64_t>(2 * kParts + 2);
  parts_.erase(parts_.begin(), parts_.lower_bound(end - kKept));
}

WatchReport FleetWatch::report(Instant now) {
  ++sums_.reports;
  WatchReport report{.at = now};
  if (!first_) {
    report.no_answer = "nothing was seen yet";
    return report;
  }
  const auto whole = static_cast<std::int64_t>(kParts);
  const auto now_part = part_of(now);
  const auto end = part_of(later(now, -delay(window(now_part - whole, now_part + 1))));
  const auto seen = window(std::max(*first_, end - whole), end);
  score(end);
  forget(end);
  report.tasks = static_cast<std::uint64_t>(std::llround(seen.tasks));
  if (seen.parts() > 0) {
    const auto length = part_length() * static_cast<std::int64_t>(seen.parts());
    report.rate = seen.tasks / to_seconds(length);
  }
  if (header_.responses_known() && !seen.response_ns.empty())
    report.p99_s = seen.response_ns.quantile(0.99) / 1e9;
  report.last = last_;
  report.no_answer = too_little(seen);
  if (!report.no_answer.empty()) return report;

  auto forecast = rates_ahead(seen.begin, seen.end);
  if (!(forecast.rate_most > 0)) {
    report.no_answer = "no tasks are expected to come";
    return report;
  }
  const auto scenario = scenario_for(forecast, forecast.made);
  if (scenario) {
    report.no_answer = plan(forecast, *scenario);
    predict(forecast, *scenario);
  } else {
    report.no_answer = to_string(scenario.error());
  }
  if (forecast.workers_needed) ++sums_.answers;
  if (ahead_.empty() || ahead_.back().made < forecast.made) ahead_.push_back(forecast);
  report.next = std::move(forecast);
  return report;
}

WatchSummary FleetWatch::summary() const {
  auto summary = sums_;
  if (summary.scored > 0) summary.rate_error /= static_cast<double>(summary.scored);
  if (summary.p99_scored > 0) summary.p99_error /= static_cast<double>(summary.p99_scored);
  return summary;
}

}  // namespace artel::watch
