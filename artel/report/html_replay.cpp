#include "artel/report/html_replay.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/fleet/observation.hpp"
#include "artel/fleet/observe_tasks.hpp"
#include "artel/predict/replay.hpp"
#include "artel/report/detail/observation_json.hpp"
#include "artel/report/detail/tails_json.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/replay_table.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {
namespace {

using predict::Figure;

constexpr const char* kMeasured = "measured";
constexpr const char* kSameWork = "predicted, same work";
constexpr const char* kFitted = "predicted, fitted work";

std::string time_text(double seconds) { return format_duration(from_seconds(seconds)); }

// "1.4% above the measured one"
std::string error_sentence(double predicted, double measured) {
  const double error = predict::relative_error(predicted, measured);
  if (!std::isfinite(error)) return "there, where nothing was measured";
  if (std::abs(error) < 0.0005) return "that of the measured run";
  return fmt::format("{:.1f}% {} the measured one", 100 * std::abs(error),
                     error > 0 ? "above" : "below");
}

// Of a trace that does not know when tasks started.
std::vector<std::string> forecast_of(const predict::Prediction& prediction) {
  std::vector<std::string> sentences{
      fmt::format("The predicted p99 response time is {}, the mean {}, with the recorded arrivals "
                  "and service times.",
                  time_text(prediction.same_work[Figure::p99_response]),
                  time_text(prediction.same_work[Figure::mean_response]))};
  for (const auto& note : prediction.calibration.notes)
    sentences.push_back(fmt::format("Note: {}.", note));
  return sentences;
}

// Of another pool than the recorded one.
std::vector<std::string> what_if_of(const predict::Prediction& prediction) {
  std::vector<std::string> sentences{fmt::format(
      "With {} the p99 response time would have been {}; {} were measured in the recorded run.",
      join(prediction.changes, ", "), time_text(prediction.same_work[Figure::p99_response]),
      time_text(prediction.measured[Figure::p99_response]))};
  for (const auto& note : prediction.calibration.notes)
    sentences.push_back(fmt::format("Note: {}.", note));
  return sentences;
}

std::vector<std::string> summary_of(const predict::Prediction& prediction) {
  if (prediction.measured_ns.empty()) return forecast_of(prediction);
  if (!prediction.changes.empty()) return what_if_of(prediction);
  const double measured = prediction.measured[Figure::p99_response];
  const double same = prediction.same_work[Figure::p99_response];
  const bool equal = time_text(same) == time_text(measured);
  std::vector<std::string> sentences{
      equal ? fmt::format("The predicted p99 response time agrees with the measured one: {}.",
                          time_text(measured))
            : fmt::format("The predicted p99 response time is {}: {} instead of {}.",
                          error_sentence(same, measured), time_text(same), time_text(measured))};
  sentences.push_back(fmt::format(
      "That is with the recorded arrivals and service times, so it is the error of the pool's "
      "model. The predicted mean is {}.",
      error_sentence(prediction.same_work[Figure::mean_response],
                     prediction.measured[Figure::mean_response])));
  if (prediction.replications > 0) {
    std::size_t inside = 0;
    for (std::size_t f = 0; f < predict::kFigures; ++f) {
      const double value = prediction.measured.values[f];
      inside += prediction.fitted[f].low <= value && value <= prediction.fitted[f].high ? 1 : 0;
    }
    sentences.push_back(fmt::format(
        "Under work drawn from what was fitted to the trace, the p99 is {}; {} of {} figures of "
        "the measured run lie where {:.0f}% of such runs do.",
        error_sentence(prediction.fitted_at(Figure::p99_response).mean.center, measured), inside,
        predict::kFigures, 100 * prediction.range_level));
  }
  for (const auto& note : prediction.calibration.notes)
    sentences.push_back(fmt::format("Note: {}.", note));
  return sentences;
}

std::string observed_json(const predict::Prediction& prediction,
                          std::span<const trace::TaskRecord> tasks) {
  const auto workers = prediction.calibration.recorded.pool.speeds.size();
  const auto& predicted = prediction.same_work_tasks;
  const auto first = [](std::span<const trace::TaskRecord> records) {
    return std::ranges::min(records, {}, &trace::TaskRecord::submitted).submitted;
  };
  const auto window =
      fleet::window_around_peak(fleet::observe_tasks(tasks, workers, first(tasks)),
                                prediction.calibration.recorded.workload.mean_service_s);
  const std::array runs{fleet::observe_tasks(tasks, workers, first(tasks), window),
                        fleet::observe_tasks(predicted, workers, first(predicted), window)};
  if (prediction.measured_ns.empty()) {
    return detail::observation_json(
        {.window = window, .names = {kSameWork}, .runs = std::span(runs).last(1)});
  }
  return detail::observation_json(
      {.window = window, .names = {kMeasured, kSameWork}, .runs = runs});
}

}  // namespace

HtmlReport html_replay(const predict::Prediction& prediction,
                       std::span<const trace::TaskRecord> tasks) {
  const auto& calibration = prediction.calibration;
  HtmlReport report{
      .title = fmt::format("Replay of {}", how_many(prediction.tasks, "task")),
      .summary = summary_of(prediction),
      .facts = {{"Trace", calibration.source},
                {"Tasks that ran", fmt::format("{}", prediction.tasks)},
                {"Workers", fmt::format("{}", calibration.recorded.pool.speeds.size())},
                {"Policy", calibration.recorded.dispatch.policies.front().label}}};
  if (prediction.replications > 0)
    report.facts.emplace_back("Runs with fitted work", fmt::format("{}", prediction.replications));
  std::vector<detail::NamedResponses> curves;
  if (!prediction.measured_ns.empty()) curves.push_back({kMeasured, &prediction.measured_ns});
  curves.push_back({kSameWork, &prediction.same_work_ns});
  if (prediction.replications > 0)
    curves.push_back({kFitted, &prediction.fitted_ns, prediction.replications});
  report.parts.emplace_back("replay", replay_json(prediction));
  report.parts.emplace_back("tails", detail::tails_json({curves}));
  if (!tasks.empty() && !prediction.same_work_tasks.empty())
    report.parts.emplace_back("observed", observed_json(prediction, tasks));
  return report;
}

}  // namespace artel::report
