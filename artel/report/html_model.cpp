#include "artel/report/html_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"
#include "artel/report/detail/number.hpp"
#include "artel/report/detail/tails_json.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/model_json.hpp"
#include "artel/report/model_table.hpp"

namespace artel::report {
namespace {

using detail::figure_number;

// "With load = 0.9, goodput of hasty is 12.3 ± 0.2: 3.4 ± 0.1 less than of patient."
std::string comparison(const own_models::ModelStudy& study, const own_models::ModelPoint& point,
                       const own_models::VariantResult& variant, const std::string& figure) {
  const auto& first = point.variants.front();
  const auto value = variant.estimate(figure);
  const auto less = difference(first, variant, figure);
  const auto where = point_name(study, point);
  auto text = fmt::format("{}{}{}{} is {} ± {}", where.empty() ? "" : "With ", where,
                          where.empty() ? "" : ": ", figure, figure_number(value.center),
                          figure_number(value.half_width));
  if (&variant == &first) return text + ".";
  if (less.contains(0))
    return fmt::format("{} with {}, no sure difference from {}.", text, variant.name, first.name);
  return fmt::format("{} with {}, {} ± {} {} than with {}.", text, variant.name,
                     figure_number(std::abs(less.center)), figure_number(less.half_width),
                     less.center > 0 ? "less" : "more", first.name);
}

// The tails of all times, per name and point.
std::string tails_of(const own_models::ModelResult& result) {
  std::set<std::string> names;
  for (const auto& point : result.points) {
    for (const auto& variant : point.variants) {
      for (const auto& [name, times] : variant.times) names.insert(name);
    }
  }
  auto json = nlohmann::ordered_json::object();
  for (const auto& name : names) {
    std::vector<std::vector<detail::NamedResponses>> curves;
    for (const auto& point : result.points) {
      auto& at_point = curves.emplace_back();
      for (const auto& variant : point.variants) {
        const auto times = variant.times.find(name);
        if (times != variant.times.end() && !times->second.all().empty())
          at_point.push_back({variant.name, &times->second.all(), variant.replications.size()});
      }
    }
    json[name] = nlohmann::ordered_json::parse(detail::tails_json(curves));
  }
  return json.dump();
}

}  // namespace

HtmlReport html_model(const own_models::ModelStudy& study, const own_models::ModelResult& result) {
  HtmlReport report{.title = study.name, .made_by = "", .summary = {}, .facts = {}, .parts = {}};
  const auto figures = shown_figures(study, result);
  const auto& last = result.points.back();
  if (!result.complete)
    report.summary.emplace_back(
        "Stopped early: only the replications that were finished are shown.");
  if (!figures.empty()) {
    for (const auto& variant : last.variants)
      report.summary.push_back(comparison(study, last, variant, figures.front()));
  }
  std::size_t most = 0;
  for (const auto& point : result.points) {
    for (const auto& variant : point.variants) most = std::max(most, variant.replications.size());
  }
  report.facts.emplace_back("Runs", fmt::format("{} per variant", most));
  report.facts.emplace_back("Seed", fmt::format("{}", static_cast<std::uint64_t>(study.seed)));
  for (const auto& [name, value] : study.parameters.entries())
    report.facts.emplace_back(name, fmt::format("{}", value));
  for (const auto& axis : study.sweep)
    report.facts.emplace_back("Sweep",
                              fmt::format("{}: {} values", axis.parameter, axis.values.size()));
  report.parts.emplace_back("model", model_json(study, result));
  report.parts.emplace_back("times", tails_of(result));
  return report;
}

}  // namespace artel::report
