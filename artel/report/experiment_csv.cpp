#include "artel/report/experiment_csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "artel/lab/experiment.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/study.hpp"
#include "artel/report/names.hpp"
#include "artel/trace/csv.hpp"

namespace artel::report {
namespace {

using lab::Quantity;

using Record = std::vector<std::string>;

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

Record column_names(const lab::ExperimentResult& result) {
  Record names;
  for (const auto& axis : result.axes) names.push_back(axis.key);
  for (const auto* name : {"policy", "replications", "tasks"}) names.emplace_back(name);
  for (const auto* quantity : {"response", "wait"}) {
    for (const auto& [statistic, unused] : kStatistics) {
      names.push_back(fmt::format("{}_{}_s", quantity, statistic));
      names.push_back(fmt::format("{}_{}_half_width_s", quantity, statistic));
    }
  }
  for (const auto* name : {"utilisation", "rejected", "in_system", "slo"}) names.emplace_back(name);
  return names;
}

Record record_of(const lab::PointResult& point, const lab::PolicyResult& policy,
                 const std::vector<lab::Objective>& slo) {
  Record record = point.values;
  record.push_back(policy.label);
  record.push_back(fmt::format("{}", policy.replications.size()));
  record.push_back(fmt::format("{}", policy.tasks()));
  for (const auto quantity : {Quantity::response, Quantity::wait}) {
    for (const auto& [unused, statistic] : kStatistics) {
      const auto interval = policy.estimate(quantity, statistic);
      record.push_back(number(interval.center));
      record.push_back(number(interval.half_width));
    }
  }
  record.push_back(number(policy.utilisation().center));
  record.push_back(number(policy.estimate(Quantity::rejected, lab::Statistic::mean).center));
  record.push_back(number(policy.in_system().center));
  record.emplace_back(slo.empty() ? "" : verdict_name(judge(policy, slo)));
  return record;
}

void append(std::string& text, const Record& record) {
  const std::vector<std::string_view> fields(record.begin(), record.end());
  trace::append_csv(text, fields);
}

}  // namespace

std::string experiment_csv(const lab::Study& study, const lab::ExperimentResult& result) {
  std::string text;
  append(text, column_names(result));
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const auto& point = result.points[p];
    for (const auto& policy : point.policies) {
      if (policy.replications.empty()) continue;
      append(text, record_of(point, policy, study.points[p].scenario.slo));
    }
  }
  return text;
}

}  // namespace artel::report
