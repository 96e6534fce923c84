#include "artel/report/calibration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/arrival_fit.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/overhead_fit.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) { return fmt::format("{:.2g}%", 100 * share); }

struct ArrivalsName {
  std::string operator()(const scenario::ConstantArrivals& arrivals) const {
    return fmt::format("equal gaps, {:.4g} per second", arrivals.rate);
  }
  std::string operator()(const scenario::PoissonArrivals& arrivals) const {
    return fmt::format("Poisson, {:.4g} per second", arrivals.rate);
  }
  std::string operator()(const scenario::RenewalArrivals& arrivals) const {
    return fmt::format("more even than Poisson: gaps gamma with scv {:.3g}, {:.4g} per second",
                       arrivals.gap.scv(), 1 / arrivals.gap.mean());
  }
  std::string operator()(const scenario::MmppArrivals& arrivals) const {
    std::string text = "bursts (MMPP): ";
    for (const auto& state : arrivals.states) {
      fmt::format_to(std::back_inserter(text), "{}{:.4g} per second for {}",
                     &state == arrivals.states.data() ? "" : ", then ", state.rate,
                     format_duration(state.mean_duration));
    }
    return text + " on average";
  }
  std::string operator()(const scenario::TimetableArrivals& arrivals) const {
    return fmt::format("by the clock, {:.4g} a day", arrivals.tasks_per_day());
  }
  std::string operator()(const scenario::TraceArrivals&) const { return "as recorded"; }
  // No fit makes one of the others.
  std::string operator()(const auto& /*arrivals*/) const { return {}; }
};

struct ArrivalsJson {
  Json operator()(const scenario::ConstantArrivals& arrivals) const {
    return {{"kind", "constant"}, {"rate", arrivals.rate}};
  }
  Json operator()(const scenario::PoissonArrivals& arrivals) const {
    return {{"kind", "poisson"}, {"rate", arrivals.rate}};
  }
  Json operator()(const scenario::RenewalArrivals& arrivals) const {
    const double scv = arrivals.gap.scv();
    return {
        {"kind", "renewal"},
        {"gap",
         {{"distribution", "gamma"}, {"shape", 1 / scv}, {"scale", arrivals.gap.mean() * scv}}}};
  }
  Json operator()(const scenario::MmppArrivals& arrivals) const {
    Json json{{"kind", "mmpp"}, {"states", Json::array()}};
    for (const auto& state : arrivals.states) {
      json["states"].push_back(
          {{"rate", state.rate}, {"mean_duration", to_seconds(state.mean_duration)}});
    }
    return json;
  }
  Json operator()(const scenario::TimetableArrivals& arrivals) const {
    Json json{{"kind", "timetable"}, {"day", to_seconds(arrivals.day)}, {"points", Json::array()}};
    for (const auto& point : arrivals.points)
      json["points"].push_back({{"at", to_seconds(point.at)}, {"rate", point.rate}});
    return json;
  }
  Json operator()(const scenario::TraceArrivals&) const { return {{"kind", "trace"}}; }
  Json operator()(const auto& /*arrivals*/) const { return {}; }
};

std::string dispersion_text(const predict::ArrivalFit& fit) {
  if (fit.dispersion.empty()) return "too few for windows to count in";
  const auto [low, high] =
      std::minmax_element(fit.dispersion.begin(), fit.dispersion.end(),
                          [](const auto& a, const auto& b) { return a.recorded < b.recorded; });
  return fmt::format("variance / mean of counts {:.2f} to {:.2f} in windows of {} to {}",
                     low->recorded, high->recorded, format_duration(fit.dispersion.front().window),
                     format_duration(fit.dispersion.back().window));
}

std::string speeds_text(const predict::SpeedFit& fit) {
  if (fit.differ) {
    const auto [low, high] = std::minmax_element(fit.speeds.begin(), fit.speeds.end());
    return fmt::format("speeds from {:.3f} to {:.3f}, by {}", *low, *high,
                       fit.by_hint ? "size hints" : "mean service");
  }
  if (fit.spread == 0) return "equally fast, for lack of tasks to tell by";
  return fmt::format("equally fast: a difference of {} is chance, or too little to matter",
                     percent(fit.spread - 1));
}

void add_line(std::string& text, std::string_view title, const std::string& line) {
  fmt::format_to(std::back_inserter(text), "{:<10} {}\n", title, line);
}

}  // namespace

std::string arrivals_text(const predict::ArrivalFit& fit) {
  return std::visit(ArrivalsName{}, fit.process);
}

std::string calibration_text(const predict::Calibration& calibration) {
  const auto& arrivals = calibration.arrivals;
  const auto& service = calibration.service;
  const auto& overhead = calibration.overhead;
  std::string text;
  std::string outcomes;
  for (std::size_t i = 0; i < calibration.outcomes.size(); ++i) {
    if (calibration.outcomes[i] == 0) continue;
    outcomes += fmt::format("{}{} {}", outcomes.empty() ? "" : ", ", calibration.outcomes[i],
                            trace::name(static_cast<trace::TaskOutcome>(i)));
  }
  add_line(text, "tasks", outcomes);
  add_line(text, "arrivals", arrivals_text(arrivals));
  add_line(text, "",
           fmt::format("the fit's gaps are off by {} (chance alone: {}); {}", percent(arrivals.ks),
                       percent(arrivals.ks_noise), dispersion_text(arrivals)));
  add_line(
      text, "service",
      fmt::format("mean {}, scv {:.3g}, {} to {}; the table of quantiles is off by {}",
                  format_duration(from_seconds(service.mean_s)), service.scv,
                  format_duration(service.min), format_duration(service.max), percent(service.ks)));
  add_line(text, "pool",
           fmt::format("{}, {}; {}", how_many(calibration.recorded.pool.speeds.size(), "worker"),
                       calibration.recorded.dispatch.policies.front().label,
                       speeds_text(calibration.speeds)));
  add_line(text, "overhead",
           fmt::format("waking a worker {} (median of {}), between two tasks {} (of {})",
                       format_duration(overhead.wake_up_median), overhead.wake_up_samples,
                       format_duration(overhead.task_overhead), overhead.task_samples));
  for (const auto& note : calibration.notes) add_line(text, "note", note);
  return text;
}

std::string calibration_json(const predict::Calibration& calibration) {
  const auto& arrivals = calibration.arrivals;
  const auto& service = calibration.service;
  const auto& overhead = calibration.overhead;
  Json json{{"schema", "artel.calibrate/1"},  {"unit", "s"},
            {"source", calibration.source},   {"loop", trace::name(calibration.loop)},
            {"dropped", calibration.dropped}, {"outcomes", Json::object()}};
  for (std::size_t i = 0; i < calibration.outcomes.size(); ++i) {
    json["outcomes"][std::string(trace::name(static_cast<trace::TaskOutcome>(i)))] =
        calibration.outcomes[i];
  }
  json["policy"] = calibration.recorded.dispatch.policies.front().label;
  json["arrivals"] = {{"fitted", std::visit(ArrivalsJson{}, arrivals.process)},
                      {"rate", arrivals.rate},
                      {"gap_scv", arrivals.gap_scv},
                      {"ks", arrivals.ks},
                      {"ks_noise", arrivals.ks_noise},
                      {"dispersion", Json::array()}};
  for (const auto& d : arrivals.dispersion) {
    json["arrivals"]["dispersion"].push_back({{"window", to_seconds(d.window)},
                                              {"recorded", d.recorded},
                                              {"fitted", d.fitted},
                                              {"noise", d.noise}});
  }
  json["service"] = {{"mean", service.mean_s},
                     {"scv", service.scv},
                     {"min", to_seconds(service.min)},
                     {"max", to_seconds(service.max)},
                     {"ks", service.ks}};
  json["workers"] = {{"count", calibration.recorded.pool.speeds.size()},
                     {"speeds", calibration.speeds.speeds},
                     {"differ", calibration.speeds.differ},
                     {"spread", calibration.speeds.spread}};
  json["overhead"] = {{"wake_up_median", to_seconds(overhead.wake_up_median)},
                      {"wake_up_samples", overhead.wake_up_samples},
                      {"task", to_seconds(overhead.task_overhead)},
                      {"task_samples", overhead.task_samples}};
  json["notes"] = calibration.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace artel::report
