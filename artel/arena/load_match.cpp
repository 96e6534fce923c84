#include "artel/arena/load_match.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"
#include "artel/core/join.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/file/append_json.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::arena {
namespace {

// What JSON says of a text, TOML says as well.
std::string toml_text(std::string_view text) {
  std::string out;
  file::append_json(out, text);
  return out;
}

std::string toml(const dispatch::ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return toml_text(*text);
  return fmt::format("[{}]", join(std::get<std::vector<double>>(value), ", "));
}

std::string toml(const scenario::PolicySpec& policy) {
  auto text =
      fmt::format("{{ name = {}, label = {}", toml_text(policy.name), toml_text(policy.label));
  for (const auto& [key, value] : policy.parameters)
    text += fmt::format(", {} = {}", key, toml(value));
  return text + " }";
}

config::Checked<scenario::Scenario> load_with(const std::filesystem::path& path,
                                              std::span<const scenario::PolicySpec> policies,
                                              std::span<const scenario::Override> overrides) {
  std::vector<scenario::Override> all(overrides.begin(), overrides.end());
  std::vector<std::string> items;
  for (const auto& policy : policies) items.push_back(toml(policy));
  all.push_back({.key = "dispatch.policies",
                 .value = fmt::format("[{}]", join(items, ", ")),
                 .where = path.string()});
  return scenario::load_scenario(path, all);
}

config::Errors nothing_to_share(const std::filesystem::path& path,
                                const scenario::Scenario& scenario) {
  config::Errors errors;
  for (const auto& objective : scenario.slo) {
    if (objective.limit > 0) continue;
    errors.push_back({ErrorCode::invalid,
                      fmt::format("slo.{}: found 0; allowed here: above 0, as policies are "
                                  "compared by the part of the limit that they use",
                                  objective.name),
                      path.string()});
  }
  return errors;
}

}  // namespace

config::Checked<Match> load_match(const std::filesystem::path& path,
                                  std::span<const scenario::PolicySpec> policies,
                                  std::span<const scenario::Override> overrides) {
  auto own = scenario::load_scenario(path, overrides);
  if (!own) return tl::unexpected(own.error());
  if (auto errors = nothing_to_share(path, *own); !errors.empty()) return tl::unexpected(errors);
  Match match{.name = path.stem().string(), .scenario = {}, .cannot = {}};
  match.cannot.resize(policies.size());
  if (auto all = load_with(path, policies, overrides)) {
    match.scenario = *std::move(all);
    return match;
  }
  match.scenario = *std::move(own);
  match.scenario.dispatch.policies.clear();
  config::Errors refusal;
  for (std::size_t p = 0; p < policies.size(); ++p) {
    auto alone = load_with(path, policies.subspan(p, 1), overrides);
    if (alone) {
      match.scenario.dispatch.policies.push_back(std::move(alone->dispatch.policies.front()));
    } else {
      match.cannot[p] = alone.error().front().what;
      if (refusal.empty()) refusal = alone.error();
    }
  }
  if (match.scenario.dispatch.policies.empty()) return tl::unexpected(refusal);
  return match;
}

}  // namespace artel::arena
