#include "artel/report/html_experiment.hpp"

#include <optional>
#include <string>
#include <vector>

#include "artel/experiment/observed_policies.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/report/detail/observation_json.hpp"
#include "artel/report/detail/tails_json.hpp"
#include "artel/report/experiment_json.hpp"
#include "artel/report/experiment_summary.hpp"
#include "artel/report/html_page.hpp"
#include "artel/scenario/study.hpp"

namespace artel::report {

HtmlReport html_experiment(const scenario::Study& study, const experiment::ExperimentResult& result,
                           const std::optional<experiment::ObservedPolicies>& observed) {
  HtmlReport report{.title = study.points.front().scenario.name,
                    .summary = experiment_summary(study, result),
                    .facts = experiment_facts(study, result)};
  const auto point = point_of_interest(study, result);
  report.parts.emplace_back("point", std::to_string(point));
  report.parts.emplace_back("simulate", experiment_json(study, result));
  std::vector<std::vector<detail::NamedResponses>> responses;
  for (const auto& measured : result.points) {
    auto& curves = responses.emplace_back();
    for (const auto& policy : measured.policies)
      curves.push_back({policy.label, &policy.times.responses.all(), policy.replications.size()});
  }
  report.parts.emplace_back("tails", detail::tails_json(responses));
  if (observed) {
    const auto& scenario = study.points[point].scenario;
    detail::WatchedRuns watched{.point = point,
                                .parts_per_task = scenario.workload.fork,
                                .window = observed->window,
                                .runs = observed->policies};
    for (const auto& policy : scenario.dispatch.policies) watched.names.push_back(policy.label);
    report.parts.emplace_back("observed", detail::observation_json(watched));
  }
  return report;
}

}  // namespace artel::report
