#include "artel/scenario/scenario_json_schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "artel/config/schema.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario {
namespace {

using Json = nlohmann::json;

const Json& json_schema() {
  static const auto json = Json::parse(scenario_json_schema());
  return json;
}

// The table's part of the schema.
Json table_of(std::string_view table) {
  if (table.empty()) return json_schema();
  std::string name(table);
  for (auto at = name.find("[]"); at != std::string::npos; at = name.find("[]"))
    name.replace(at, 2, ".item");
  const auto& found = json_schema().at("$defs").at(name);
  return found.contains("properties") ? found : found.at("anyOf").at(1);
}

TEST(ScenarioJsonSchema, SaysWhatItIsAndItsVersion) {
  EXPECT_EQ(json_schema()["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(json_schema()["$id"], "urn:artel:schema:scenario:1");
}

TEST(ScenarioJsonSchema, HasEveryKeyOfTheTable) {
  for (const auto& key : scenario_schema().keys()) {
    const auto table = table_of(key.table);
    EXPECT_TRUE(key.key == "*" ? table["additionalProperties"].is_object()
                               : table["properties"].contains(std::string(key.key)))
        << key.table << "." << key.key;
    if (key.fallback == config::kRequired && key.goes_with.empty()) {
      const auto& required = table["required"];
      EXPECT_NE(std::ranges::find(required, Json(key.key)), required.end()) << key.key;
    }
  }
}

// The keys that a table of a kind may have.
Json allowed_of(const Json& table, std::string_view kind) {
  for (const auto& part : table["allOf"]) {
    const auto& condition = part["if"];
    for (const auto& word : condition.value("properties", Json::object())) {
      if (word["const"] == kind) return part["then"]["propertyNames"]["enum"];
    }
    if (condition.contains("required") && condition["required"][0] == kind)
      return part["then"]["propertyNames"]["enum"];
  }
  return Json::array();
}

TEST(ScenarioJsonSchema, HasEveryKindWithItsKeysAlone) {
  std::size_t kinds = 0;
  for (const auto& key : scenario_schema().keys()) {
    const auto table = table_of(key.table);
    for (const auto& kind : config::split_words(key.goes_with)) {
      const auto allowed = allowed_of(table, kind);
      EXPECT_NE(std::ranges::find(allowed, Json(key.key)), allowed.end())
          << key.table << "." << key.key << " of " << kind;
      ++kinds;
    }
  }
  EXPECT_GT(kinds, 50U);
  const auto poisson = allowed_of(table_of("workload.arrivals"), "poisson");
  EXPECT_EQ(std::ranges::find(poisson, Json("users")), poisson.end()) << "is of closed";
}

TEST(ScenarioJsonSchema, HasEveryPolicyWithItsParameters) {
  for (const auto name : policy_names()) {
    const auto allowed = allowed_of(table_of("dispatch.policies[]"), name);
    for (const auto& parameter : find_policy(name)->parameters)
      EXPECT_NE(std::ranges::find(allowed, Json(parameter.name)), allowed.end()) << parameter.name;
    EXPECT_NE(std::ranges::find(allowed, Json("label")), allowed.end()) << name;
  }
}

TEST(ScenarioJsonSchema, RefersOnlyToWhatIsThere) {
  const auto text = scenario_json_schema();
  constexpr std::string_view kReference = "\"$ref\": \"#/$defs/";
  std::size_t references = 0;
  for (auto at = text.find(kReference); at != std::string::npos;
       at = text.find(kReference, at + 1)) {
    const auto from = at + kReference.size();
    const auto name = text.substr(from, text.find('"', from) - from);
    EXPECT_TRUE(json_schema()["$defs"].contains(name)) << name;
    ++references;
  }
  EXPECT_GT(references, 30U);
}

TEST(ScenarioJsonSchema, MayBeNamedInAScenario) {
  EXPECT_TRUE(
      parse_scenario("#:schema ./artel-scenario.json\n"
                     "[workload]\narrivals = { kind = 'constant', rate = 1 }\n"
                     "service = { distribution = 'constant', value = '10ms' }\n"
                     "[pool]\nworkers = 1\n[dispatch]\npolicies = ['random']\n",
                     "s.toml"));
}

}  // namespace
}  // namespace artel::scenario
