#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/parse_slo.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario::detail {
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

}  // namespace artel::scenario::detail
