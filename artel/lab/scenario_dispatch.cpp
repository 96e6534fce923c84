#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "artel/error/nearest.hpp"
#include "artel/lab/scenario_sections.hpp"
#include "artel/lab/table_reader.hpp"

namespace artel::lab {
namespace {

struct KnownPolicy {
  std::string_view name;
  std::string_view parameters;  // "d|busyness"
};
constexpr std::array<KnownPolicy, 10> kPolicies{{{"random", ""},
                                                 {"round_robin", ""},
                                                 {"weighted_round_robin", ""},
                                                 {"least_loaded", "busyness"},
                                                 {"jsq", "d|busyness"},
                                                 {"jiq", ""},
                                                 {"least_work_left", ""},
                                                 {"sita", "intervals"},
                                                 {"closed_loop", "law|beacon_every|publish_every"},
                                                 {"central", ""}}};

const KnownPolicy* find_policy(std::string_view name) {
  const auto* const found =
      std::find_if(kPolicies.begin(), kPolicies.end(),
                   [&](const KnownPolicy& known) { return known.name == name; });
  return found == kPolicies.end() ? nullptr : found;
}

std::string label_of(const PolicySpec& spec) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : spec.parameters) {
    parts.push_back(std::visit(
        [&, &name = key](const auto& v) { return fmt::format("{}={}", name, v); }, value));
  }
  return parts.empty() ? spec.name : fmt::format("{}({})", spec.name, fmt::join(parts, ", "));
}

// The name's place is where it is written: the item itself, or its key `name`.
bool check_name(const std::string& name, const Place& place, Problems& problems) {
  if (find_policy(name) != nullptr) return true;
  std::vector<std::string_view> names;
  for (const auto& known : kPolicies) names.push_back(known.name);
  problems.add(place, fmt::format("dispatch.policies: {}", unknown_name("policy", name, names)),
               ErrorCode::not_found);
  return false;
}

PolicySpec read_policy(const TomlValue& item, Problems& problems) {
  PolicySpec spec;
  if (item.kind == TomlValue::Kind::text) {
    spec.name = item.text;
    check_name(spec.name, item.place, problems);
  } else {
    const auto* name = item.find("name");
    const auto* known = name == nullptr ? nullptr : find_policy(name->text);
    const auto parameters = split_words(known == nullptr ? "" : known->parameters);
    const TableReader reader(item, "dispatch.policies[]", problems, {.also = parameters});
    spec.name = reader.text("name");
    if (!spec.name.empty()) check_name(spec.name, reader.place("name"), problems);
    for (const auto parameter : parameters) {
      if (!reader.has(parameter)) continue;
      const auto& value = reader.raw(parameter);
      if (value.kind == TomlValue::Kind::text) {
        spec.parameters[std::string(parameter)] = value.text;
      } else {
        spec.parameters[std::string(parameter)] = value.number;
      }
    }
    if (reader.has("label")) spec.label = reader.text("label");
    if (reader.has("queue_bound")) spec.queue_bound = reader.bound("queue_bound");
    if (reader.has("take_over")) spec.take_over = reader.flag("take_over");
  }
  if (spec.label.empty()) spec.label = label_of(spec);
  return spec;
}

}  // namespace

Dispatch read_dispatch(const TomlValue& table, Problems& problems) {
  const TableReader reader(table, "dispatch", problems);
  Dispatch dispatch;
  for (const auto& item : reader.items("policies")) {
    auto spec = read_policy(item, problems);
    const bool twice =
        std::any_of(dispatch.policies.begin(), dispatch.policies.end(),
                    [&](const PolicySpec& other) { return other.label == spec.label; });
    if (twice) {
      problems.add(item.place,
                   fmt::format("dispatch.policies: '{}' is there twice; give one of them another "
                               "label",
                               spec.label));
    }
    dispatch.policies.push_back(std::move(spec));
  }
  dispatch.dispatchers = static_cast<std::uint32_t>(reader.count("dispatchers"));
  dispatch.staleness = reader.duration("staleness");
  dispatch.network_delay = reader.duration("network_delay");
  return dispatch;
}

}  // namespace artel::lab
