#include "artel/report/replay_table.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/how_many.hpp"
#include "artel/core/join.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/predict/replay.hpp"
#include "artel/report/calibration_text.hpp"
#include "artel/report/detail/figure_value.hpp"
#include "artel/report/table.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;
using predict::Figure;

Json as_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

constexpr std::array kOfClasses{Figure::mean_response, Figure::p50_response, Figure::p99_response};

std::string class_table(const predict::Prediction& prediction) {
  if (prediction.classes.empty()) return {};
  Table table;
  table.add_column("class", Table::Align::left);
  table.add_column("tasks");
  for (const auto figure : kOfClasses) {
    table.add_column(detail::figure_title(figure));
    table.add_column("same work");
    table.add_column(prediction.changes.empty() ? "error" : "change");
  }
  for (const auto& one : prediction.classes) {
    std::vector<std::string> row{one.name, std::to_string(one.tasks)};
    for (const auto figure : kOfClasses) {
      row.push_back(detail::figure_value(figure, one.measured[figure]));
      row.push_back(detail::figure_value(figure, one.same_work[figure]));
      row.push_back(detail::error_text(one.same_work[figure], one.measured[figure]));
    }
    table.add_row(std::move(row));
  }
  return "\n" + table.text();
}

// Of another run than the recorded one it is no error, but a change.
void add_distance(Json& of, double predicted, double measured, bool what_if) {
  const auto distance = as_json(predict::relative_error(predicted, measured));
  of["error"] = what_if ? Json() : distance;
  of["change"] = what_if ? distance : Json();
}

Json classes_json(const predict::Prediction& prediction) {
  auto classes = Json::array();
  for (const auto& one : prediction.classes) {
    Json json{{"class", one.name}, {"tasks", one.tasks}, {"figures", Json::object()}};
    for (std::size_t f = 0; f < predict::kFigures; ++f) {
      const auto figure = static_cast<Figure>(f);
      if (figure == Figure::utilisation) continue;
      const double measured = one.measured[figure], same = one.same_work[figure];
      Json row{{"measured", as_json(measured)}, {"same_work", {{"predicted", as_json(same)}}}};
      add_distance(row["same_work"], same, measured, !prediction.changes.empty());
      json["figures"][std::string(predict::name(figure))] = std::move(row);
    }
    classes.push_back(std::move(json));
  }
  return classes;
}

}  // namespace

std::string replay_table(const predict::Prediction& prediction) {
  const bool fitted = prediction.replications > 0;
  Table table;
  table.add_column("", Table::Align::left);
  const bool what_if = !prediction.changes.empty();
  const char* const distance = what_if ? "change" : "error";
  table.add_column("measured");
  table.add_column("same work");
  table.add_column(distance);
  if (fitted) {
    table.add_column("fitted work");
    table.add_column(distance);
    table.add_column(fmt::format("{:.0f}% of such runs", 100 * prediction.range_level));
  }
  for (std::size_t f = 0; f < predict::kFigures; ++f) {
    const auto figure = static_cast<Figure>(f);
    const double measured = prediction.measured[figure];
    std::vector<std::string> row{detail::figure_title(figure),
                                 detail::figure_value(figure, measured),
                                 detail::figure_value(figure, prediction.same_work[figure]),
                                 detail::error_text(prediction.same_work[figure], measured)};
    if (fitted) {
      const auto& drawn = prediction.fitted_at(figure);
      row.push_back(detail::figure_value(figure, drawn.mean.center));
      row.push_back(detail::error_text(drawn.mean.center, measured));
      row.push_back(fmt::format("{} to {}", detail::figure_value(figure, drawn.low),
                                detail::figure_value(figure, drawn.high)));
    }
    table.add_row(std::move(row));
  }
  const auto& calibration = prediction.calibration;
  std::string text = fmt::format("{}, {}, {}\n\n", how_many(prediction.tasks, "task"),
                                 how_many(calibration.recorded.pool.speeds.size(), "worker"),
                                 calibration.recorded.dispatch.policies.front().label);
  text += table.text() + class_table(prediction);
  const bool measured = !prediction.measured_ns.empty() && !what_if;
  if (what_if) {
    text += fmt::format(
        "\nAnother run than the recorded one: {}. What differs from it is the change, and what "
        "the\n"
        "model is off by; replay without that option says how much that is.\n",
        join(prediction.changes, ", "));
  }
  text += fmt::format("\nSame work: the recorded arrivals and service times{}.\n",
                      measured ? "; what it is off by is the model's error" : "");
  if (fitted) {
    text += fmt::format(
        "Fitted work: service times drawn from the recorded ones, and arrivals from a process:\n"
        "{}. Mean of {} runs{}.\n",
        arrivals_text(calibration.arrivals), prediction.replications,
        measured ? "; what it is off by in addition is the\n"
                   "workload's error, and chance: more than chance if the measured run is outside "
                   "the range"
                 : "");
  } else if (calibration.loop == trace::Loop::closed) {
    text += "No fitted work: arrivals that wait for results are not those of an open process.\n";
  }
  for (const auto& note : calibration.notes) text += fmt::format("Note: {}.\n", note);
  return text;
}

std::string replay_json(const predict::Prediction& prediction) {
  Json json{{"schema", "artel.replay/1"},
            {"unit", "s"},
            {"tasks", prediction.tasks},
            {"workers", prediction.calibration.recorded.pool.speeds.size()},
            {"policy", prediction.calibration.recorded.dispatch.policies.front().label},
            {"replications", prediction.replications},
            {"confidence", experiment::kConfidence},
            {"range_level", prediction.range_level},
            {"changes", prediction.changes},
            {"figures", Json::object()}};
  const bool what_if = !prediction.changes.empty();
  for (std::size_t f = 0; f < predict::kFigures; ++f) {
    const auto figure = static_cast<Figure>(f);
    const double measured = prediction.measured[figure];
    const double same = prediction.same_work[figure];
    Json row{{"measured", as_json(measured)}, {"same_work", {{"predicted", as_json(same)}}}};
    add_distance(row["same_work"], same, measured, what_if);
    if (prediction.replications > 0) {
      const auto& drawn = prediction.fitted_at(figure);
      row["fitted"] = {{"predicted", as_json(drawn.mean.center)},
                       {"half_width", as_json(drawn.mean.half_width)},
                       {"low", as_json(drawn.low)},
                       {"high", as_json(drawn.high)}};
      add_distance(row["fitted"], drawn.mean.center, measured, what_if);
    }
    json["figures"][std::string(predict::name(figure))] = std::move(row);
  }
  if (!prediction.classes.empty()) json["classes"] = classes_json(prediction);
  json["notes"] = prediction.calibration.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace artel::report
