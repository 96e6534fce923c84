#include "artel/report/html_observation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artel/lab/observation.hpp"
#include "artel/lab/observed_policies.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/time_series.hpp"
#include "artel/report/significant.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;

Json rounded(const std::vector<double>& values, double factor = 1) {
  Json array = Json::array();
  for (const double value : values) array.push_back(std::round(1e3 * factor * value) / 1e3);
  return array;
}

Json rows_of(const lab::Observation& policy) {
  Json rows = {{"bucket_s", to_seconds(policy.rows().front().bucket())},
               {"workers_per_row", policy.workers_per_row()},
               {"tasks_per_worker", Json::array()}};
  auto left = policy.workers();  // the last row may be of fewer
  for (const auto& row : policy.rows()) {
    const auto workers = std::min(left, policy.workers_per_row());
    left -= workers;
    rows["tasks_per_worker"].push_back(rounded(row.means(), 1 / static_cast<double>(workers)));
  }
  return rows;
}

// One array per column, times in seconds since the window began.
Json tasks_of(const lab::Observation& policy, const lab::TimeWindow& window) {
  Json tasks = {{"left_out", policy.tasks_left_out()},
                {"worker", Json::array()},
                {"arrival", Json::array()},
                {"start", Json::array()},
                {"end", Json::array()}};
  for (const auto& task : policy.tasks()) {
    const auto since = [&](Instant time) { return significant(to_seconds(time - window.from)); };
    tasks["worker"].push_back(index(task.worker));
    tasks["arrival"].push_back(since(task.arrival));
    tasks["start"].push_back(since(task.start));
    tasks["end"].push_back(since(task.end));
  }
  return tasks;
}

}  // namespace

std::string observation_json(const lab::Scenario& scenario, std::size_t point,
                             const lab::ObservedPolicies& observed) {
  Json json = {
      {"point", point},
      {"workers", scenario.pool.speeds.size()},
      {"parts_per_task", scenario.workload.fork},
      {"window",
       {{"from_s", to_seconds(observed.window.from)}, {"to_s", to_seconds(observed.window.to)}}},
      {"policies", Json::array()}};
  for (std::size_t i = 0; i < observed.policies.size(); ++i) {
    const auto& policy = observed.policies[i];
    json["policies"].push_back({{"policy", scenario.dispatch.policies[i].label},
                                {"bucket_s", to_seconds(policy.in_system().bucket())},
                                {"in_system", rounded(policy.in_system().means())},
                                {"in_system_max", rounded(policy.in_system().peaks())},
                                {"busy", rounded(policy.busy().means())},
                                {"rows", rows_of(policy)},
                                {"tasks", tasks_of(policy, observed.window)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace artel::report
