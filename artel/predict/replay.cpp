#include "artel/predict/replay.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/detail/recorded_fleet.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/interval.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

constexpr std::array<std::string_view, kFigures> kNames{
    "mean_response", "p50_response", "p95_response", "p99_response",
    "mean_wait",     "p99_wait",     "utilisation"};

std::uint64_t count(Duration duration) { return static_cast<std::uint64_t>(duration.count()); }

/// One replication of the fitted workload.
struct FittedRun {
  RunFigures figures;
  stat::Histogram response_ns{Prediction::kReplayBits};
};

// Workers times seconds, from the start on.
double worker_seconds(const scenario::PoolSettings& pool, Duration span) {
  const double always = to_seconds(span) * static_cast<double>(pool.speeds.size());
  if (!pool.scaling) return always;
  const auto& scaling = *pool.scaling;
  const auto* table = std::get_if<scaling::Timetable>(&scaling.policy);
  if (table == nullptr) return always;
  double sum = 0;
  scaling::Timetable::State nothing;
  for (Instant at{}; at < Instant{span};) {
    const auto until = std::min(Instant{span}, later(at, table->holds_for(at)));
    sum += to_seconds(until - at) * table->size_for({.at = at}, scaling.limits, nothing);
    at = until;
  }
  return sum;
}

void fill_fitted(Prediction& prediction, const std::vector<FittedRun>& runs) {
  prediction.replications = runs.size();
  // A further run lies between the least and the greatest of n alike with this probability.
  const auto n = static_cast<double>(runs.size());
  prediction.range_level = (n - 1) / (n + 1);
  for (std::size_t f = 0; f < kFigures; ++f) {
    std::vector<double> values;
    for (const auto& run : runs) values.push_back(run.figures.values[f]);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    prediction.fitted[f] = {
        .mean = stat::mean_interval(values, experiment::kConfidence), .low = *low, .high = *high};
  }
  for (const auto& run : runs) prediction.fitted_ns.merge(run.response_ns);
}

}  // namespace

std::string_view name(Figure figure) { return kNames[static_cast<std::size_t>(figure)]; }

RunFigures figures_of(std::span<const trace::TaskRecord> tasks, std::size_t workers,
                      stat::Histogram* response_ns) {
  scenario::PoolSettings pool;
  pool.speeds.assign(workers, 1.0);
  return figures_of(tasks, pool, response_ns);
}

RunFigures figures_of(std::span<const trace::TaskRecord> tasks, const scenario::PoolSettings& pool,
                      stat::Histogram* response_ns) {
  stat::Histogram response(Prediction::kReplayBits);
  stat::Histogram wait(Prediction::kReplayBits);
  Duration busy{};
  Instant begin = kNever;
  Instant end = Instant::min();
  for (const auto& task : tasks) {
    if (!trace::ran(task.outcome)) continue;
    response.record(count(task.response()));
    wait.record(count(task.queue_delay()));
    busy += task.service();
    begin = std::min(begin, task.submitted);
    end = std::max(end, task.finished);
  }
  const double capacity = response.empty() ? 0 : worker_seconds(pool, end - begin);
  if (response_ns != nullptr) response_ns->merge(response);
  return {{1e-9 * response.mean(), 1e-9 * response.quantile(0.5), 1e-9 * response.quantile(0.95),
           1e-9 * response.quantile(0.99), 1e-9 * wait.mean(), 1e-9 * wait.quantile(0.99),
           capacity > 0 ? to_seconds(busy) / capacity : 0}};
}

double relative_error(double predicted, double measured) {
  if (predicted == measured) return 0;
  return measured == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : (predicted - measured) / measured;
}

namespace {

// What was not measured is no number.
void keep_measured(RunFigures& figures, const trace::TraceHeader& header) {
  constexpr auto kNothing = std::numeric_limits<double>::quiet_NaN();
  if (!header.responses_known()) figures.values.fill(kNothing);
  if (header.starts_known()) return;
  for (const auto figure : {Figure::mean_wait, Figure::p99_wait, Figure::utilisation})
    figures.values[static_cast<std::size_t>(figure)] = kNothing;
}

std::vector<ClassPrediction> by_class(const trace::TaskTrace& trace, const Prediction& prediction) {
  const auto& names = trace.header.classes;
  const auto& pool = prediction.calibration.recorded.pool;
  std::vector<std::vector<trace::TaskRecord>> measured(names.size()), predicted(names.size());
  for (const auto& task : trace.tasks) {
    if (task.task_class < names.size()) measured[task.task_class].push_back(task);
  }
  const auto& of_trace = prediction.calibration.classes;  // the scenario's are these by priority
  for (const auto& task : prediction.same_work_tasks) {
    if (task.task_class < of_trace.size() && !names.empty())
      predicted[of_trace[task.task_class]].push_back(task);
  }
  std::vector<ClassPrediction> classes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    classes.push_back({.name = names[i],
                       .tasks = static_cast<std::uint64_t>(std::ranges::count_if(
                           measured[i], [](const auto& t) { return trace::ran(t.outcome); })),
                       .measured = figures_of(measured[i], pool),
                       .same_work = figures_of(predicted[i], pool)});
    keep_measured(classes.back().measured, trace.header);
  }
  return classes;
}

}  // namespace

Result<Prediction> replay(const trace::TaskTrace& trace, const ReplayOptions& options) {
  auto calibration = calibrate(trace, options.calibrate);
  if (!calibration) return fail(calibration);
  Prediction prediction{.calibration = *std::move(calibration),
                        .changes = detail::changes_to_recorded(trace, options.calibrate.workers,
                                                               options.calibrate.policy)};
  const auto& recorded = prediction.calibration.recorded;
  const auto& fitted = prediction.calibration.fitted;
  prediction.tasks = static_cast<std::uint64_t>(std::ranges::count_if(
      trace.tasks, [](const trace::TaskRecord& task) { return trace::ran(task.outcome); }));
  if (trace.header.responses_known())
    prediction.measured = figures_of(trace.tasks, recorded.pool, &prediction.measured_ns);
  keep_measured(prediction.measured, trace.header);

  const auto stopped = [] { return fail(ErrorCode::cancelled, "stopped before the end"); };
  auto tasks = fleet::replay_tasks(recorded, recorded.dispatch.policies.front(), 0, options.stop);
  if (!tasks) return stopped();
  prediction.same_work = figures_of(*tasks, recorded.pool, &prediction.same_work_ns);
  prediction.same_work_tasks = *std::move(tasks);
  prediction.classes = by_class(trace, prediction);

  const bool closed = prediction.calibration.loop == trace::Loop::closed;
  std::vector<FittedRun> runs(closed ? 0 : options.replications);
  std::mutex telling;
  std::size_t done = 0;
  const auto tell = [&] {
    const std::lock_guard lock(telling);
    if (options.progress) options.progress(++done, runs.size() + 1);
  };
  tell();
  experiment::for_each_index(runs.size(), options.jobs, options.stop, [&](std::size_t i) {
    const auto drawn = fleet::replay_tasks(fitted, fitted.dispatch.policies.front(),
                                           static_cast<std::uint32_t>(i), options.stop);
    if (drawn) runs[i].figures = figures_of(*drawn, fitted.pool, &runs[i].response_ns);
    tell();
  });
  if (options.stop.stop_requested()) return stopped();
  if (!runs.empty()) fill_fitted(prediction, runs);
  return prediction;
}

}  // namespace artel::predict
