#include "artel/report/backtest_text.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/report/calibration_text.hpp"
#include "artel/report/detail/figure_value.hpp"
#include "artel/report/table.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;
using predict::Figure;

constexpr std::int64_t kHour = 3600;
constexpr std::array kBacktested{Figure::p50_response, Figure::p95_response, Figure::p99_response,
                                 Figure::utilisation};

/// What came in one hour of the day, over all days.
struct Hour {
  std::uint64_t tasks = 0;
  double service_s = 0;
  std::int64_t last_seen = -1;  // that very hour, since 1970
  std::uint64_t days = 0;
};

// By hour of the day, UTC.
std::map<std::int64_t, Hour> by_hour(const trace::TaskTrace& trace) {
  std::map<std::int64_t, Hour> hours;
  const auto wall = trace.header.wall.value_or(Duration{});
  for (const auto& task : trace.tasks) {
    if (!trace::ran(task.outcome)) continue;
    const double at = to_seconds(wall + (task.submitted - trace.header.started));
    const auto since_1970 = static_cast<std::int64_t>(std::floor(at / kHour));
    auto& hour = hours[((since_1970 % 24) + 24) % 24];
    if (hour.last_seen != since_1970) ++hour.days;
    hour.last_seen = since_1970;
    ++hour.tasks;
    hour.service_s += to_seconds(task.service());
  }
  return hours;
}

std::string hours_table(const std::map<std::int64_t, Hour>& hours, std::size_t workers) {
  Table table;
  table.add_column("hour (UTC)");
  table.add_column("tasks/s");
  table.add_column("work");
  table.add_column("busy");
  for (const auto& [number, hour] : hours) {
    const auto seconds = static_cast<double>(hour.days) * kHour;
    const auto tasks = static_cast<double>(hour.tasks);
    table.add_row(
        {fmt::format("{:02}", number), fmt::format("{:.4g}", tasks / seconds),
         format_duration(from_seconds(hour.service_s / tasks)),
         fmt::format("{:.1f}%", 100 * hour.service_s / seconds / static_cast<double>(workers))});
  }
  return table.text();
}

Json figures_json(const predict::RunFigures& figures) {
  Json json = Json::object();
  for (std::size_t f = 0; f < predict::kFigures; ++f) {
    const auto value = figures.values[f];
    json[std::string(predict::name(static_cast<Figure>(f)))] =
        std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  return json;
}

}  // namespace

std::string fleet_text(const trace::TaskTrace& trace, const predict::Calibration& calibration) {
  const auto& scenario = calibration.recorded;
  const auto workers = scenario.pool.speeds.size();
  const auto length = trace.tasks.back().submitted - trace.tasks.front().submitted;
  std::string text = fmt::format(
      "What there is: {} tasks in {}, {}\n"
      "  work: {} each, coefficient of variation {:.2f}\n"
      "  {} workers under {}: {:.1f}% busy\n",
      trace.tasks.size(), format_duration(length), arrivals_text(calibration.arrivals),
      format_duration(from_seconds(calibration.service.mean_s)), std::sqrt(calibration.service.scv),
      workers, scenario.dispatch.policies.front().label,
      100 * calibration.arrivals.rate * calibration.service.mean_s / static_cast<double>(workers));
  const auto hours = by_hour(trace);
  if (hours.size() > 2) text += hours_table(hours, workers);
  return text;
}

std::string backtest_text(const Result<predict::Backtest>& result) {
  if (!result) return fmt::format("No back-test: {}.\n", result.error().what);
  const predict::Backtest& test = *result;
  std::string text = fmt::format(
      "Back-test: fitted to the first {} tasks, {} workers; the other {} predicted from when they "
      "came\n",
      test.fitted_tasks, test.workers, test.predicted_tasks);
  Table table;
  table.add_column("", Table::Align::left);
  table.add_column("measured");
  table.add_column("predicted");
  table.add_column("error");
  for (const auto figure : kBacktested) {
    table.add_row({detail::figure_title(figure),
                   detail::figure_value(figure, test.measured[figure]),
                   detail::figure_value(figure, test.predicted[figure]),
                   detail::error_text(test.predicted[figure], test.measured[figure])});
  }
  text += table.text();
  for (const auto& reason : test.reasons()) text += fmt::format("Off: {}.\n", reason);
  return text;
}

std::string backtest_json(const Result<predict::Backtest>& test) {
  if (!test) return Json{{"no_answer", test.error().what}}.dump();
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  Json json{{"no_answer", nullptr},
            {"fitted_tasks", test->fitted_tasks},
            {"predicted_tasks", test->predicted_tasks},
            {"workers", test->workers},
            {"starts_inferred", test->starts_inferred},
            {"figures", Json::object()},
            {"reasons", test->reasons()}};
  for (const auto figure : kBacktested) {
    json["figures"][std::string(predict::name(figure))] = {
        {"measured", number(test->measured[figure])},
        {"predicted", number(test->predicted[figure])},
        {"error", number(test->error(figure))},
        {"low", number(test->low[figure])},
        {"high", number(test->high[figure])}};
  }
  return json.dump();
}

std::string what_if_table(const predict::WhatIf& what_if) {
  Table table;
  table.add_column("", Table::Align::left);
  for (const auto* side : {&what_if.before, &what_if.after}) {
    table.add_column(fmt::format("{} × {}, {:.4g}/s", side->workers, side->policy, side->rate));
  }
  table.add_column("change");
  table.add_column("range");
  for (std::size_t f = 0; f < predict::kFigures; ++f) {
    const auto figure = static_cast<Figure>(f);
    table.add_row(
        {detail::figure_title(figure), detail::figure_value(figure, what_if.before.figures[figure]),
         detail::figure_value(figure, what_if.after.figures[figure]),
         detail::error_text(what_if.after.figures[figure], what_if.before.figures[figure]),
         fmt::format("{} to {}", detail::figure_value(figure, what_if.low[figure]),
                     detail::figure_value(figure, what_if.high[figure]))});
  }
  return table.text() +
         fmt::format(
             "\nBoth are simulated, with the recorded tasks. Range: if work takes, or "
             "tasks come, up to {:.0f}%\nmore or less than recorded.\n",
             100 * predict::WhatIf::kSensitivity);
}

std::string what_if_json(const predict::WhatIf& what_if) {
  const auto side = [](const predict::WhatIf::Side& of) {
    return Json{{"workers", of.workers},
                {"policy", of.policy},
                {"rate", of.rate},
                {"figures", figures_json(of.figures)}};
  };
  const Json json{{"schema", "artel.what-if/1"},
                  {"unit", "s"},
                  {"before", side(what_if.before)},
                  {"after", side(what_if.after)},
                  {"sensitivity", predict::WhatIf::kSensitivity},
                  {"low", figures_json(what_if.low)},
                  {"high", figures_json(what_if.high)}};
  return json.dump(2) + "\n";
}

}  // namespace artel::report
