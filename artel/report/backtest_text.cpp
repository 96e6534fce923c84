#include "artel/report/backtest_text.hpp"

#include <fmt/core.h>

#include <algorithm>
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
#include "artel/core/how_many.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/replication_options.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/report/calibration_text.hpp"
#include "artel/report/detail/figure_value.hpp"
#include "artel/report/detail/tails_json.hpp"
#include "artel/report/table.hpp"
#include "artel/report/trace_table.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_summary.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;
using predict::Figure;

constexpr std::int64_t kHour = 3600;
constexpr std::size_t kFewHours = 2;  // up to so many say nothing by hour
constexpr std::array kBacktested{Figure::p50_response, Figure::p95_response, Figure::p99_response,
                                 Figure::utilisation};

/// What came in one hour of the day, over all days.
struct Hour {
  std::uint64_t tasks = 0;
  double service_s = 0;
  double seconds = 0;  // of it that the recording has
};

// By hour of the day; the first and the last are there in part, others although nothing came.
std::map<std::int64_t, Hour> by_hour(const trace::TaskTrace& trace) {
  std::map<std::int64_t, Hour> hours;
  const auto wall = trace.header.wall.value_or(Duration{});
  const auto clock = [&](Instant at) { return to_seconds(wall + (at - trace.header.started)); };
  const auto number = [](double at) { return static_cast<std::int64_t>(std::floor(at / kHour)); };
  const auto of_day = [](std::int64_t hour) { return ((hour % 24) + 24) % 24; };
  const double begin = clock(trace.tasks.front().submitted);
  const double end = clock(trace.tasks.back().submitted);
  for (auto hour = number(begin); hour <= number(end); ++hour) {
    const auto from = static_cast<double>(hour) * kHour;
    hours[of_day(hour)].seconds += std::min(end, from + kHour) - std::max(begin, from);
  }
  for (const auto& task : trace.tasks) {
    if (!trace::ran(task.outcome)) continue;
    auto& hour = hours[of_day(number(clock(task.submitted)))];
    ++hour.tasks;
    hour.service_s += to_seconds(task.service());
  }
  std::erase_if(hours, [](const auto& hour) { return !(hour.second.seconds > 0); });
  return hours;
}

// What the hours are those of.
const char* clock_of(const trace::TraceHeader& header) {
  return header.setting("zone") == "unknown" ? "as logged" : "UTC";
}

// What came by hour of the day where there are several hours, else in equal parts of the recording:
// when each began (in hours, or seconds), tasks per second, and the share of the workers' time that
// what came needed.
Json load_json(const trace::TaskTrace& trace, std::size_t workers) {
  const auto row = [workers](double from, double tasks, double service_s, double seconds) {
    return Json{{"from", from},
                {"rate", tasks / seconds},
                {"work", tasks > 0 ? Json(service_s / tasks) : Json()},
                {"utilisation", service_s / seconds / static_cast<double>(workers)}};
  };
  auto rows = Json::array();
  const auto hours = by_hour(trace);
  if (hours.size() > kFewHours) {
    for (const auto& [number, hour] : hours) {
      rows.push_back(row(static_cast<double>(number), static_cast<double>(hour.tasks),
                         hour.service_s, hour.seconds));
    }
    return {{"by", trace.header.wall ? fmt::format("hour of the day ({})", clock_of(trace.header))
                                     : "hour of the recording"},
            {"rows", std::move(rows)}};
  }
  constexpr std::size_t kPartsMax = 48, kTasksEach = 20;
  const auto first = trace.tasks.front().submitted;
  const double length = to_seconds(trace.tasks.back().submitted - first);
  const auto parts = std::clamp<std::size_t>(trace.tasks.size() / kTasksEach, 1, kPartsMax);
  const double each = length / static_cast<double>(parts);
  std::vector<Hour> sums(parts);
  for (const auto& task : trace.tasks) {
    if (!trace::ran(task.outcome)) continue;
    const auto part = static_cast<std::size_t>(to_seconds(task.submitted - first) / each);
    auto& sum = sums[std::min(part, parts - 1)];
    ++sum.tasks;
    sum.service_s += to_seconds(task.service());
  }
  for (std::size_t i = 0; i < parts; ++i) {
    rows.push_back(row(each * static_cast<double>(i), static_cast<double>(sums[i].tasks),
                       sums[i].service_s, each));
  }
  return {{"by", "time"}, {"rows", std::move(rows)}};
}

// The distributions of the recorded service times, of which each is what a worker of speed 1 would
// have taken, and of the table that stands for them.
Json service_times_json(const trace::TaskTrace& trace, const predict::Calibration& calibration) {
  const auto& fit = calibration.service;
  const auto& speeds = calibration.speeds;
  stat::Histogram recorded(fleet::kHistogramBits), fitted(fleet::kHistogramBits);
  for (const auto& task : trace.tasks) {
    if (!trace::ran(task.outcome)) continue;
    const auto worker = index(task.worker);
    const bool scaled = speeds.differ && worker < speeds.speeds.size();
    const double factor = scaled ? speeds.speeds[worker] : 1;
    recorded.record(
        static_cast<std::uint64_t>(from_seconds(factor * to_seconds(task.service())).count()));
  }
  constexpr std::uint64_t kFiner = 16;  // so that rounding does not matter
  for (const auto& part : fit.parts) {
    const auto weight = std::llround(part.share * static_cast<double>(kFiner * recorded.count()) /
                                     static_cast<double>(part.values.size()));
    for (const auto value : part.values)
      fitted.record(static_cast<std::uint64_t>(value.count()), static_cast<std::uint64_t>(weight));
  }
  return Json::parse(
      detail::tails_json({{{"recorded", &recorded, 1}, {"fitted", &fitted, kFiner}}}))[0];
}

std::string hours_table(const std::map<std::int64_t, Hour>& hours, const char* clock,
                        std::size_t workers) {
  Table table;
  table.add_column(fmt::format("hour ({})", clock));
  table.add_column("tasks/s");
  table.add_column("work");
  table.add_column("busy");
  for (const auto& [number, hour] : hours) {
    const auto tasks = static_cast<double>(hour.tasks);
    table.add_row({fmt::format("{:02}", number), fmt::format("{:.4g}", tasks / hour.seconds),
                   hour.tasks > 0 ? format_duration(from_seconds(hour.service_s / tasks)) : "-",
                   fmt::format("{:.1f}%", 100 * hour.service_s / hour.seconds /
                                              static_cast<double>(workers))});
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
      "What there is: {} in {}, {}\n"
      "  work: {} each, coefficient of variation {:.2f}\n"
      "  {} under {}: {:.1f}% busy\n",
      how_many(trace.tasks.size(), "task"), format_duration(length),
      arrivals_text(calibration.arrivals),
      format_duration(from_seconds(calibration.service.mean_s)), std::sqrt(calibration.service.scv),
      how_many(workers, "worker"), scenario.dispatch.policies.front().label,
      100 * calibration.arrivals.rate * calibration.service.mean_s / static_cast<double>(workers));
  const auto hours = by_hour(trace);
  if (hours.size() > kFewHours) text += hours_table(hours, clock_of(trace.header), workers);
  if (!trace.header.classes.empty())
    text += trace_classes_table(trace.header, trace::summarise(trace));
  return text;
}

std::string fleet_json(const trace::TaskTrace& trace, const predict::Calibration& calibration) {
  const auto& arrivals = calibration.arrivals;
  const auto& service = calibration.service;
  const auto workers = calibration.recorded.pool.speeds.size();
  Json json{{"tasks", trace.tasks.size()},
            {"length", to_seconds(trace.tasks.back().submitted - trace.tasks.front().submitted)},
            {"workers", workers},
            {"policy", calibration.recorded.dispatch.policies.front().label},
            {"arrivals", arrivals_text(arrivals)},
            {"rate", arrivals.rate},
            {"gap_scv", arrivals.gap_scv},
            {"service",
             {{"mean", service.mean_s},
              {"scv", service.scv},
              {"min", to_seconds(service.min)},
              {"max", to_seconds(service.max)},
              {"ks", service.ks}}},
            {"utilisation", arrivals.rate * service.mean_s / static_cast<double>(workers)},
            {"load", load_json(trace, workers)},
            {"service_times", service_times_json(trace, calibration)}};
  if (!trace.header.classes.empty())
    json["classes"] = Json::parse(trace_classes_json(trace.header, trace::summarise(trace)));
  return json.dump();
}

std::string backtest_text(const Result<predict::Backtest>& result) {
  if (!result) return fmt::format("No back-test: {}.\n", result.error().what);
  const predict::Backtest& test = *result;
  std::string text = fmt::format(
      "Back-test: fitted to the first {}, {}; the other {} predicted from when they "
      "came\n",
      how_many(test.fitted_tasks, "task"), how_many(test.workers, "worker"), test.predicted_tasks);
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
  std::string notes;
  for (const auto& note : what_if.notes) notes += fmt::format("Note: {}.\n", note);
  return table.text() +
         fmt::format(
             "\nBoth are simulated, with the recorded tasks. Range: if work takes, or "
             "tasks come, or both,\n{:.0f}% more or less than recorded.\n{}",
             100 * predict::WhatIf::kSensitivity, notes);
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
                  {"work", what_if.work},
                  {"sensitivity", predict::WhatIf::kSensitivity},
                  {"unseen", what_if.unseen},
                  {"low", figures_json(what_if.low)},
                  {"high", figures_json(what_if.high)},
                  {"notes", what_if.notes}};
  return json.dump(2) + "\n";
}

}  // namespace artel::report
