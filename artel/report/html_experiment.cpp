#include "artel/report/html_experiment.hpp"

#include <optional>
#include <utility>

#include "artel/lab/experiment.hpp"
#include "artel/lab/observed_policies.hpp"
#include "artel/lab/study.hpp"
#include "artel/report/experiment_json.hpp"
#include "artel/report/html_observation.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/html_summary.hpp"
#include "artel/report/html_tails.hpp"

namespace artel::report {

HtmlReport experiment_report(const lab::Study& study, const lab::ExperimentResult& result,
                             const std::optional<lab::ObservedPolicies>& observed) {
  const auto point = point_of_interest(study, result);
  HtmlReport report{.title = study.points.front().scenario.name,
                    .summary = experiment_summary(study, result),
                    .facts = experiment_facts(study, result)};
  report.parts.emplace_back("simulate", experiment_json(study, result));
  report.parts.emplace_back("tails", tails_json(result));
  if (observed) {
    report.parts.emplace_back("observed",
                              observation_json(study.points[point].scenario, point, *observed));
  }
  return report;
}

}  // namespace artel::report
