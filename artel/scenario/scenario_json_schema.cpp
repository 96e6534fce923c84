#include "artel/scenario/scenario_json_schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/config/schema.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario {
namespace {

using config::KeyType;
using config::SchemaKey;
using Json = nlohmann::ordered_json;
using Keys = std::vector<const SchemaKey*>;

constexpr std::string_view kService = "workload.service";
constexpr std::string_view kPolicies = "dispatch.policies[]";

// Tables, and items of lists, that are as another one.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSame{{
    {"stages[].pool", "pool"},
    {"stages[].slo", "slo"},
    {"workload.classes[].service", kService},
    {"workload.classes[].slo", "slo"},
    {"workload.arrivals.sources[]", "workload.arrivals"},
}};

Json reference(std::string_view table) {
  for (const auto& [path, as] : kSame) {
    if (path == table) table = as;
  }
  std::string name(table);
  for (auto at = name.find("[]"); at != std::string::npos; at = name.find("[]"))
    name.replace(at, 2, ".item");
  return {{"$ref", "#/$defs/" + name}};
}

Json any_of(std::initializer_list<Json> shapes) {
  Json json;
  for (const auto& shape : shapes) json["anyOf"].push_back(shape);
  return json;
}

Json list_of(const Json& item) { return {{"type", "array"}, {"items", item}}; }

Json one_or_list(const Json& item) { return any_of({item, list_of(item)}); }

Json number_json(double number) {
  constexpr double kExact = 1e15;
  if (number == std::floor(number) && std::abs(number) <= kExact * 10)
    return static_cast<std::int64_t>(number);
  return number;
}

Json ranged(std::string_view type, const SchemaKey& key) {
  Json json = {{"type", type}};
  if (key.low == key.high) return json;
  json[key.above ? "exclusiveMinimum" : "minimum"] = number_json(key.low);
  json["maximum"] = number_json(key.high);
  return json;
}

// A number with a unit in quotes, or a number of seconds, which the range is about.
Json duration_shape(const SchemaKey& key) {
  return any_of({ranged("number", key),
                 {{"type", "string"}, {"pattern", "^([-+0-9.eE]+ *(ns|us|ms|s|m|min|h|d))+$"}}});
}

// TOML's own inf is a number beyond all others.
Json bound_shape(const SchemaKey& key) {
  constexpr double kNearlyInfinite = 1e308;
  return any_of({ranged("integer", key),
                 {{"const", "inf"}},
                 {{"type", "number"}, {"exclusiveMinimum", kNearlyInfinite}}});
}

// What whoever reads such a key allows.
Json special_shape(const SchemaKey& key) {
  const SchemaKey seconds{.type = KeyType::duration};
  if (key.words.find("a distribution as in workload.service") != std::string_view::npos)
    return any_of({duration_shape(seconds), reference(kService)});
  if (key.key == "workers") return one_or_list({{"type", "integer"}, {"minimum", 0}});
  if (key.key == "batch")
    return one_or_list({{"type", "integer"}, {"minimum", 1}, {"maximum", 100'000}});
  if (key.key == "warm_up") return {{"type", "string"}};
  if (key.key == "saves")
    return {{"type", "object"},
            {"properties", {{"expression", {{"type", "string"}}}}},
            {"required", {"expression"}},
            {"additionalProperties", false}};
  if (key.key == "price") return any_of({{{"type", "number"}}, {{"type", "string"}}});
  ARTEL_REQUIRE(key.key == "hedge", "a special key without a JSON Schema", key.table, key.key);
  return any_of({duration_shape(seconds), {{"type", "string"}, {"pattern", "^p[0-9.]+$"}}});
}

std::string path_of(const SchemaKey& key) {
  return key.table.empty() ? std::string(key.key)
                           : std::string(key.table) + "." + std::string(key.key);
}

Json shape(const SchemaKey& key) {
  const auto path = path_of(key);
  switch (key.type) {
    case KeyType::text:
      return {{"type", "string"}};
    case KeyType::word:
      return {{"enum", config::split_words(key.words)}};
    case KeyType::flag:
      return {{"type", "boolean"}};
    case KeyType::count:
      return ranged("integer", key);
    case KeyType::number:
      return ranged("number", key);
    case KeyType::duration:
      return duration_shape(key);
    case KeyType::flops:
    case KeyType::bandwidth:
    case KeyType::bytes:
      return any_of({ranged("number", key), {{"type", "string"}}});
    case KeyType::bound:
      return bound_shape(key);
    case KeyType::numbers:
      return one_or_list(ranged("number", key));
    case KeyType::bounds:
      return one_or_list(bound_shape(key));
    case KeyType::durations:
      return list_of(duration_shape(key));
    case KeyType::texts:
      return list_of({{"type", "string"}});
    case KeyType::special:
      return special_shape(key);
    case KeyType::table:
      return reference(path);
    case KeyType::list:
      break;
  }
  // Of [sweep], where dotted keys make tables.
  if (key.key == "*") {
    return any_of({{{"type", "string"}}, {{"type", "array"}}, reference(key.table)});
  }
  if (key.key == "total_speed") return list_of({{"type", "number"}, {"minimum", 0}});
  if (key.key == "next") return list_of({{"type", "number"}, {"minimum", 0}, {"maximum", 1}});
  return list_of(reference(path + "[]"));
}

// The default, as JSON has it.
Json value_json(const config::TomlValue& value) {
  using Kind = config::TomlValue::Kind;
  if (value.kind == Kind::boolean) return value.boolean;
  if (value.kind == Kind::integer) return value.integer;
  if (value.kind == Kind::number)
    return std::isinf(value.number) ? Json("inf") : Json(value.number);
  return value.text;
}

Json property(const SchemaKey& key) {
  auto json = shape(key);
  if (!key.meaning.empty()) json["description"] = key.meaning;
  if (const auto* const fallback = scenario_schema().fallback(key))
    json["default"] = value_json(*fallback);
  return json;
}

bool of_kind(const SchemaKey& key, std::string_view kind) {
  const auto kinds = config::split_words(key.goes_with);
  return kinds.empty() || std::ranges::find(kinds, kind) != kinds.end();
}

// Words by which the keys of a table go: of the first key whose words they are.
const SchemaKey* selector(const Keys& keys) {
  for (const auto* const key : keys) {
    if (key->type != KeyType::word) continue;
    const auto words = config::split_words(key->words);
    if (std::ranges::any_of(keys, [&](const SchemaKey* other) {
          const auto kinds = config::split_words(other->goes_with);
          return !kinds.empty() && std::ranges::find(words, kinds.front()) != words.end();
        }))
      return key;
  }
  return nullptr;
}

// Which keys a table of a kind must and may have. A kind is a word of the selector, or a key that
// stands in the selector's place: "expression".
void add_kinds(Json& table, const Keys& keys) {
  const auto* const by = selector(keys);
  if (by == nullptr) return;
  auto kinds = config::split_words(by->words);
  const auto words = kinds.size();
  for (const auto* const key : keys) {
    if (key->goes_with == key->key) kinds.push_back(key->key);
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool word = i < words;
    Json required = Json::array();
    Json allowed = Json::array();
    for (const auto* const key : keys) {
      if (!of_kind(*key, kinds[i]) || (!word && key == by)) continue;
      allowed.push_back(key->key);
      if (key->fallback == config::kRequired) required.push_back(key->key);
    }
    const auto there = word ? by->key : kinds[i];
    Json condition = {{"required", {there}}};
    if (word) condition["properties"][std::string(by->key)]["const"] = kinds[i];
    table["allOf"].push_back(
        {{"if", condition},
         {"then", {{"required", required}, {"propertyNames", {{"enum", allowed}}}}}});
    if (words < kinds.size() && (!word || i == 0))
      table["anyOf"].push_back({{"required", {there}}});
  }
}

// A policy by its name, or a table with its parameters.
void add_policies(Json& table, const Keys& keys) {
  table["properties"]["name"]["enum"] = policy_names();
  for (const auto name : policy_names()) {
    Json allowed = Json::array();
    for (const auto* const key : keys) allowed.push_back(key->key);
    for (const auto& parameter : find_policy(name)->parameters) {
      allowed.push_back(parameter.name);
      table["properties"][std::string(parameter.name)] = {{"type", {"number", "string", "array"}},
                                                          {"description", parameter.meaning}};
    }
    table["allOf"].push_back({{"if", {{"properties", {{"name", {{"const", name}}}}}}},
                              {"then", {{"propertyNames", {{"enum", allowed}}}}}});
  }
}

// The keys of a table, with those of another one that its items have, too.
Keys keys_of(std::string_view table) {
  Keys keys;
  for (const auto& key : scenario_schema().keys()) {
    const bool part = table == "workload.service.parts[]" && key.table == kService;
    if (key.table == table || part) keys.push_back(&key);
  }
  return keys;
}

Json table_json(std::string_view path) {
  const auto keys = keys_of(path);
  Json json = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  json["additionalProperties"] = false;
  for (const auto* const key : keys) {
    if (key->key == "*") {
      json["additionalProperties"] = property(*key);
      continue;
    }
    json["properties"][std::string(key->key)] = property(*key);
    if (key->fallback == config::kRequired && key->goes_with.empty())
      json["required"].push_back(key->key);
  }
  if (path != kPolicies) {
    add_kinds(json, keys);
    return json;
  }
  add_policies(json, keys);
  return any_of({{{"enum", policy_names()}}, json});
}

}  // namespace

std::string scenario_json_schema() {
  Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
               {"$id", "urn:artel:schema:scenario:1"},
               {"title", "A scenario of artel"}};
  json.update(table_json(""));
  for (const auto& key : scenario_schema().keys()) {
    if (key.table.empty()) continue;
    auto name = reference(key.table)["$ref"].get<std::string>();
    name.erase(0, std::string_view("#/$defs/").size());
    if (!json["$defs"].contains(name)) json["$defs"][name] = table_json(key.table);
  }
  return json.dump(2) + "\n";
}

}  // namespace artel::scenario
