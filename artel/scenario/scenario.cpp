#include "artel/scenario/scenario.hpp"

#include <string>
#include <vector>

#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/stage_settings.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario {

double Scenario::load() const {
  return workload.rate * workload.mean_service_s * workload.fork /
         pool.capacity(workload.mean_service_s);
}

std::vector<std::string> Scenario::groups() const {
  std::vector<std::string> names;
  for (const auto& one : workload.classes) names.push_back(one.name);
  if (!stages.empty()) names.emplace_back(kFirstStage);
  for (const auto& stage : stages) names.push_back(stage.name);
  return names;
}

}  // namespace artel::scenario
