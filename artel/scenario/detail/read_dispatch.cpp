#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/detail/look_up_file.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/policy_names.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario::detail {
namespace {

using Kind = config::TomlValue::Kind;

std::string shown(const dispatch::ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return fmt::format("[{}]", join(std::get<std::vector<double>>(value), ", "));
}

std::string label_of(const PolicySpec& spec) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : spec.parameters) {
    parts.push_back(fmt::format("{}={}", key, shown(value)));
  }
  if (spec.queue_bound && (spec.name != kCentral || spec.queue_bound != 1U)) {
    const bool unbounded = spec.queue_bound == kUnbounded;
    parts.push_back(
        fmt::format("queue_bound={}", unbounded ? "inf" : std::to_string(*spec.queue_bound)));
  }
  if (spec.take_over) parts.push_back(fmt::format("take_over={}", *spec.take_over));
  return parts.empty() ? spec.name : fmt::format("{}({})", spec.name, join(parts, ", "));
}

std::optional<dispatch::ParameterValue> parameter_value(const config::TomlValue& value) {
  if (value.kind == Kind::integer || value.kind == Kind::number) return value.number;
  if (value.kind == Kind::text) return value.text;
  if (value.kind != Kind::list) return std::nullopt;
  std::vector<double> numbers;
  for (const auto& item : value.items) {
    const auto number = config::seconds_from(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Reads one item of dispatch.policies.
class PolicyReader {
 public:
  PolicyReader(const config::TomlValue& item, const std::filesystem::path& folder,
               config::Problems& problems)
      : item_(item), folder_(folder), problems_(problems) {}

  PolicySpec read() {
    if (item_.kind == Kind::text) {
      spec_.name = item_.text;
      make(item_.place);
    } else if (item_.kind == Kind::table) {
      read_table();
    } else {
      problems_.add(item_.place, fmt::format("dispatch.policies: found {}, allowed: a name, or a "
                                             "table {{ name = …, … }}",
                                             item_.describe()));
    }
    if (spec_.label.empty()) spec_.label = label_of(spec_);
    return std::move(spec_);
  }

 private:
  void read_table() {
    const auto* name = item_.find("name");
    const auto* entry = name == nullptr ? nullptr : find_policy(name->text);
    std::vector<std::string_view> parameters;
    for (const auto& parameter :
         entry == nullptr ? std::span<const dispatch::ParameterEntry>{} : entry->parameters) {
      parameters.push_back(parameter.name);
    }
    const config::TableReader reader(
        scenario_schema(), item_, "dispatch.policies[]", problems_,
        {.kind = name == nullptr ? "" : name->text, .also = parameters});
    for (const auto parameter : parameters) {
      if (!reader.has(parameter)) continue;
      auto value = parameter_value(reader.raw(parameter));
      if (value) {
        spec_.parameters.emplace(parameter, std::move(*value));
      } else {
        problems_.add(reader.place(parameter),
                      fmt::format("dispatch.policies: {}: found {}, allowed: a number, text, or a "
                                  "list of numbers",
                                  parameter, reader.raw(parameter).describe()));
      }
    }
    if (reader.has("name")) {
      spec_.name = reader.text("name");
      if (!spec_.name.empty()) make(reader.place("name"));
    }
    if (reader.has("label")) spec_.label = reader.text("label");
    if (reader.has("queue_bound")) spec_.queue_bound = reader.bound("queue_bound");
    if (reader.has("take_over")) spec_.take_over = reader.flag("take_over");
  }

  void make(const config::SourcePosition& name_place) {
    if (spec_.name == kCentral) spec_.queue_bound = 1;
    const auto* entry = find_policy(spec_.name);
    if (entry == nullptr) {
      const auto allowed = policy_names();
      problems_.add(
          name_place,
          fmt::format("dispatch.policies: {}", unknown_name("policy", spec_.name, allowed)),
          ErrorCode::not_found);
      return;
    }
    auto parameters = spec_.parameters;
    spec_.file = look_up_file(parameters, folder_);
    auto policy = dispatch::make_policy(entry->name, parameters);
    if (policy) {
      spec_.policy = std::move(*policy);
      return;
    }
    const auto* parameter = item_.find(policy.error().where);
    problems_.add(parameter == nullptr ? name_place : parameter->place,
                  fmt::format("dispatch.policies: {}", policy.error().what));
  }

  const config::TomlValue& item_;
  const std::filesystem::path& folder_;
  config::Problems& problems_;
  PolicySpec spec_;
};

EjectionSettings read_ejection(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "dispatch.ejection", problems);
  return {.failures = static_cast<std::uint32_t>(reader.count("failures")),
          .time = reader.duration("time"),
          .share = reader.number("share")};
}

}  // namespace

DispatchSettings read_dispatch(const config::TomlValue& table, const std::filesystem::path& folder,
                               config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "dispatch", problems);
  DispatchSettings dispatch;
  const auto policies = reader.items("policies");
  constexpr std::size_t kPoliciesMax = 100;
  if (policies.size() > kPoliciesMax) {
    reader.refuse("policies", fmt::format("found a list of {}, allowed: up to {}", policies.size(),
                                          kPoliciesMax));
    return dispatch;
  }
  for (const auto& item : policies) {
    auto spec = PolicyReader(item, folder, problems).read();
    const bool twice =
        std::any_of(dispatch.policies.begin(), dispatch.policies.end(),
                    [&](const PolicySpec& other) { return other.label == spec.label; });
    if (twice && !spec.label.empty()) {
      problems.add(item.place, fmt::format("dispatch.policies: '{}' is there twice; give one of "
                                           "them another label",
                                           spec.label));
    }
    dispatch.policies.push_back(std::move(spec));
  }
  dispatch.dispatchers = static_cast<std::uint32_t>(reader.count("dispatchers"));
  if (reader.text("view") == "own") dispatch.view = DispatcherView::own;
  if (reader.text("view") == "reported") dispatch.view = DispatcherView::reported;
  dispatch.staleness = reader.duration("staleness");
  if (dispatch.view == DispatcherView::own && dispatch.staleness > Duration::zero()) {
    reader.refuse("staleness",
                  "found with view = \"own\", which is never stale; allowed: one of the two");
  }
  if (dispatch.view == DispatcherView::reported && dispatch.staleness == Duration::zero())
    reader.refuse_missing("staleness", "how often loads are reported, for view = \"reported\"");
  dispatch.network_delay = reader.duration("network_delay");
  if (reader.has("ejection")) dispatch.ejection = read_ejection(reader.table("ejection"), problems);
  return dispatch;
}

}  // namespace artel::scenario::detail
