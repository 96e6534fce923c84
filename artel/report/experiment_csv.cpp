#include "artel/report/experiment_csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/report/detail/number.hpp"
#include "artel/report/detail/verdict_name.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/study.hpp"

namespace artel::report {
namespace {

using detail::csv_number;
using scenario::Quantity;

using Record = std::vector<std::string>;

bool plain(const scenario::Study& study) {
  return std::ranges::all_of(
      study.points, [](const scenario::StudyPoint& point) { return is_plain(point.scenario); });
}

bool has_goodput(const scenario::Study& study) {
  return std::ranges::any_of(study.points, [](const scenario::StudyPoint& point) {
    return point.scenario.workload.has_goodput();
  });
}

bool has_caches(const scenario::Study& study) {
  return std::ranges::any_of(study.points, [](const scenario::StudyPoint& point) {
    return point.scenario.pool.worker.cache.has_value();
  });
}

Record column_names(const scenario::Study& study, const experiment::ExperimentResult& result) {
  Record names;
  for (const auto& axis : result.axes) names.push_back(axis.key);
  for (const auto* name : {"policy", "replications", "tasks"}) names.emplace_back(name);
  for (const auto* quantity : {"response", "wait"}) {
    for (const auto& [statistic, unused] : detail::kStatistics) {
      names.push_back(fmt::format("{}_{}_s", quantity, statistic));
      names.push_back(fmt::format("{}_{}_half_width_s", quantity, statistic));
    }
  }
  for (const auto* name : {"utilisation", "rejected", "in_system", "slo"}) names.emplace_back(name);
  if (!plain(study)) names.insert(names.end(), {"abandoned", "workers"});
  if (has_goodput(study)) names.insert(names.end(), {"failed", "goodput", "attempts"});
  if (has_caches(study)) names.emplace_back("hit_ratio");
  return names;
}

Record record_of(const experiment::PointResult& point, const experiment::PolicyResult& policy,
                 const std::vector<scenario::Objective>& slo) {
  Record record = point.values;
  record.push_back(policy.label);
  record.push_back(fmt::format("{}", policy.replications.size()));
  record.push_back(fmt::format("{}", policy.tasks()));
  for (const auto quantity : {Quantity::response, Quantity::wait}) {
    for (const auto& [unused, statistic] : detail::kStatistics) {
      const auto interval = policy.estimate(quantity, statistic);
      record.push_back(csv_number(interval.center));
      record.push_back(csv_number(interval.half_width));
    }
  }
  record.push_back(csv_number(policy.utilisation().center));
  record.push_back(
      csv_number(policy.estimate(Quantity::rejected, scenario::Statistic::mean).center));
  record.push_back(csv_number(policy.in_system().center));
  record.emplace_back(slo.empty() ? "" : detail::verdict_name(judge(policy, slo)));
  return record;
}

void append(std::string& text, const Record& record) {
  const std::vector<std::string_view> fields(record.begin(), record.end());
  file::append_csv(text, fields);
}

}  // namespace

std::string experiment_csv(const scenario::Study& study,
                           const experiment::ExperimentResult& result) {
  std::string text;
  append(text, column_names(study, result));
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const auto& point = result.points[p];
    for (const auto& policy : point.policies) {
      if (policy.replications.empty()) continue;
      auto record = record_of(point, policy, study.points[p].scenario.slo);
      if (!plain(study)) {
        const auto share = policy.estimate(Quantity::abandoned, scenario::Statistic::mean);
        record.push_back(csv_number(share.center));
        record.push_back(csv_number(policy.workers().center));
      }
      if (has_goodput(study)) {
        const auto share = policy.estimate(Quantity::failed, scenario::Statistic::mean);
        record.push_back(csv_number(share.center));
        record.push_back(csv_number(policy.goodput().center));
        record.push_back(csv_number(policy.attempts().center));
      }
      if (has_caches(study)) record.push_back(csv_number(policy.hit_ratio().center));
      append(text, record);
    }
  }
  return text;
}

}  // namespace artel::report
