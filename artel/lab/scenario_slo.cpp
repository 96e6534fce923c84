#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/error/contract.hpp"
#include "artel/lab/scenario.hpp"
#include "artel/lab/scenario_schema.hpp"
#include "artel/lab/scenario_sections.hpp"

namespace artel::lab {
namespace {

struct NamedStatistic {
  std::string_view name;
  Statistic statistic;
};
constexpr std::array<NamedStatistic, 7> kStatistics{{{"mean", Statistic::mean},
                                                     {"p50", Statistic::p50},
                                                     {"p90", Statistic::p90},
                                                     {"p95", Statistic::p95},
                                                     {"p99", Statistic::p99},
                                                     {"p999", Statistic::p999},
                                                     {"max", Statistic::max}}};

// "p99_response" -> p99 of response.
Objective objective_named(std::string_view name) {
  Objective objective{std::string(name), Quantity::rejected, Statistic::mean, 0};
  const auto underscore = name.find('_');
  if (underscore == std::string_view::npos) return objective;
  objective.quantity = name.ends_with("_wait") ? Quantity::wait : Quantity::response;
  const auto* known = kStatistics.begin();
  while (known != kStatistics.end() && known->name != name.substr(0, underscore)) ++known;
  ARTEL_REQUIRE(known != kStatistics.end(), "the schema names an unknown statistic", name);
  objective.statistic = known->statistic;
  return objective;
}

}  // namespace

std::vector<Objective> read_slo(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "slo", problems);
  std::vector<Objective> objectives;
  for (const auto& key : scenario_schema().keys()) {
    if (key.table != "slo" || !reader.has(key.key)) continue;
    auto objective = objective_named(key.key);
    objective.limit =
        key.type == config::KeyType::number ? reader.number(key.key) : reader.seconds(key.key);
    objectives.push_back(std::move(objective));
  }
  return objectives;
}

}  // namespace artel::lab
