#include "artel/report/model_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"
#include "artel/report/detail/number.hpp"
#include "artel/report/table.hpp"
#include "artel/stat/interval.hpp"

namespace artel::report {
namespace {

using detail::figure_number;

void add_cells(std::vector<std::string>& cells, const stat::Interval& interval) {
  cells.push_back(figure_number(interval.center));
  cells.push_back(figure_number(interval.half_width));
}

// Two columns for each variant, and two for what each but the first differs from it.
void add_columns(Table& table, const own_models::ModelPoint& point) {
  const auto& variants = point.variants;
  for (const auto& variant : variants) {
    table.add_column(variants.size() == 1 ? "mean" : variant.name);
    table.add_column("±");
  }
  for (std::size_t k = 1; k < variants.size(); ++k) {
    table.add_column(fmt::format("Δ {}", variants[k].name));
    table.add_column("±");
  }
}

void add_row(Table& table, std::vector<std::string> cells, const own_models::ModelPoint& point,
             const std::string& figure) {
  const auto& variants = point.variants;
  for (const auto& variant : variants) add_cells(cells, variant.estimate(figure));
  for (std::size_t k = 1; k < variants.size(); ++k)
    add_cells(cells, difference(variants[k], variants.front(), figure));
  table.add_row(std::move(cells));
}

std::string table_of_point(const std::vector<std::string>& figures,
                           const own_models::ModelPoint& point) {
  Table table;
  table.add_column("figure", Table::Align::left);
  add_columns(table, point);
  for (const auto& figure : figures) add_row(table, {figure}, point, figure);
  return table.text();
}

std::string table_of_figure(const own_models::ModelStudy& study,
                            const own_models::ModelResult& result, const std::string& figure) {
  Table table;
  for (const auto& axis : study.sweep) table.add_column(axis.parameter);
  add_columns(table, result.points.front());
  for (const auto& point : result.points) {
    std::vector<std::string> cells;
    for (const auto& axis : study.sweep)
      cells.push_back(fmt::format("{}", point.parameters[axis.parameter]));
    add_row(table, std::move(cells), point, figure);
  }
  return fmt::format("{}: {}\n{}", study.name, figure, table.text());
}

// "10", or "10 to 40" where a precision wanted more of some.
std::string replications_text(const own_models::ModelResult& result) {
  std::size_t fewest = SIZE_MAX;
  std::size_t most = 0;
  for (const auto& point : result.points) {
    for (const auto& variant : point.variants) {
      fewest = std::min(fewest, variant.replications.size());
      most = std::max(most, variant.replications.size());
    }
  }
  return fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
}

std::string missed_precision(const own_models::ModelStudy& study,
                             const own_models::ModelResult& result) {
  std::string text;
  for (const auto& wanted : study.precision) {
    for (const auto& point : result.points) {
      for (const auto& variant : point.variants) {
        const double reached = variant.estimate(wanted.figure).relative();
        if (!(reached > wanted.relative)) continue;
        const auto where = point_name(study, point);
        text += fmt::format("The precision of {:.3g}% of {} was not reached by {}{}{}: {:.3g}%\n",
                            100 * wanted.relative, wanted.figure, variant.name,
                            where.empty() ? "" : " at ", where, 100 * reached);
      }
    }
  }
  return text;
}

std::string footing(const own_models::ModelStudy& study, const own_models::ModelResult& result) {
  auto text = fmt::format("{} replications; ± is the half-width of the {:.0f}% confidence interval",
                          replications_text(result), 100 * experiment::kConfidence);
  if (study.variants.size() > 1)
    text += fmt::format("; Δ: how much more than {}, in runs that met the same chance",
                        study.variants.front().name);
  Duration longest{};
  for (const auto& point : result.points) longest = std::max(longest, point.warm_up);
  if (longest > Duration{})
    text += fmt::format("; warm-up: up to {} left out", format_duration(longest));
  return text + "\n" + missed_precision(study, result);
}

}  // namespace

std::vector<std::string> shown_figures(const own_models::ModelStudy& study,
                                       const own_models::ModelResult& result) {
  if (!study.figures.empty()) return study.figures;
  std::vector<std::string> all;
  for (const auto& point : result.points) {
    for (auto& figure : point.figures()) {
      if (std::ranges::find(all, figure) == all.end()) all.push_back(std::move(figure));
    }
  }
  return all;
}

std::string point_name(const own_models::ModelStudy& study, const own_models::ModelPoint& point) {
  std::string text;
  for (const auto& axis : study.sweep)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis.parameter,
                        point.parameters[axis.parameter]);
  return text;
}

std::string model_table(const own_models::ModelStudy& study,
                        const own_models::ModelResult& result) {
  if (result.points.empty()) return {};
  const auto figures = shown_figures(study, result);
  std::string text;
  if (study.sweep.empty()) {
    text = fmt::format("{}\n{}", study.name, table_of_point(figures, result.points.front()));
  } else {
    for (const auto& figure : figures)
      text += table_of_figure(study, result, figure) + (figure == figures.back() ? "" : "\n");
  }
  text += footing(study, result);
  if (!result.complete)
    text += "INCOMPLETE: stopped early; only finished replications are shown.\n";
  return text;
}

}  // namespace artel::report
