#include <cstddef>
#include <string_view>
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
namespace {

std::vector<Objective> read_objectives(const config::TableReader& reader) {
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

}  // namespace

std::vector<Objective> read_slo(const config::TomlValue& table, config::Problems& problems) {
  return read_objectives({scenario_schema(), table, "slo", problems});
}

std::vector<Objective> read_group_slos(const config::TomlValue& list, std::size_t first,
                                       std::string_view shown, config::Problems& problems) {
  std::vector<Objective> objectives;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const auto* table = list.items[i].find("slo");
    const auto* name = list.items[i].find("name");
    if (table == nullptr || name == nullptr) continue;
    for (auto& objective :
         read_objectives({scenario_schema(), *table, "slo", problems, {.shown = shown}})) {
      objective.of_class = {.number = first + i, .name = name->text};
      objectives.push_back(std::move(objective));
    }
  }
  return objectives;
}

}  // namespace artel::scenario::detail
