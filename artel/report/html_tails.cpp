#include "artel/report/html_tails.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "artel/lab/experiment.hpp"
#include "artel/report/significant.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::ordered_json;

Json tail_of(const lab::PolicyResult& policy, int values_per_decade) {
  Json seconds = Json::array();
  Json share = Json::array();
  const auto count = static_cast<double>(policy.responses.count());
  const auto replications = static_cast<double>(policy.replications.size());
  for (int i = 0; count > 0; ++i) {
    const double tail =
        std::max(std::pow(10, -static_cast<double>(i) / values_per_decade), replications / count);
    seconds.push_back(significant(1e-9 * policy.responses.quantile(1 - tail)));
    share.push_back(significant(tail));
    if (tail * count <= replications) break;
  }
  return {{"policy", policy.label}, {"seconds", std::move(seconds)}, {"share", std::move(share)}};
}

}  // namespace

std::string tails_json(const lab::ExperimentResult& result) {
  constexpr std::size_t kValues = 40'000;  // of all curves, where that leaves enough for each
  constexpr std::size_t kDecades = 5;
  std::size_t curves = 1;
  for (const auto& point : result.points) curves += point.policies.size();
  const auto per_decade =
      static_cast<int>(std::clamp<std::size_t>(kValues / kDecades / curves, 4, 24));
  Json points = Json::array();
  for (const auto& point : result.points) {
    auto& policies = points.emplace_back(Json::array());
    for (const auto& policy : point.policies) policies.push_back(tail_of(policy, per_decade));
  }
  return points.dump();
}

}  // namespace artel::report
