#include "artel/plan/scale_fleet.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/plan/change_rate.hpp"
#include "artel/scaling/predictive.hpp"
#include "artel/scenario/conflicts.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::plan {
namespace {

// Up to the first comma that is in no brackets or quotes.
std::string_view take_argument(std::string_view& rest) {
  int depth = 0;
  bool quoted = false;
  std::size_t end = 0;
  for (; end < rest.size(); ++end) {
    const char c = rest[end];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) break;
  }
  const auto argument = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return file::trimmed(argument);
}

// As TOML has it: words and durations in quotes.
std::string value_of(std::string_view text) {
  const bool plain = text.empty() || parse_number<double>(text) || text.front() == '"' ||
                     text.front() == '[' || text.front() == '{';
  return plain ? std::string(text) : fmt::format("\"{}\"", text);
}

// A scenario with nothing but that.
Result<std::string> scenario_text(std::string_view text, std::uint32_t workers_max) {
  const auto open = text.find('(');
  if (open == std::string_view::npos ? text.find(')') != std::string_view::npos
                                     : !text.ends_with(')')) {
    return fail(ErrorCode::parse, fmt::format("found '{}', allowed: a policy with its keys, like "
                                              "hpa(target=0.6, min=2, max=30)",
                                              text));
  }
  auto keys = fmt::format("policy = \"{}\"\n", file::trimmed(text.substr(0, open)));
  auto rest = open == std::string_view::npos ? std::string_view{}
                                             : text.substr(open + 1, text.size() - open - 2);
  bool bounded = false;
  std::uint32_t at_first = 1;  // which has to be one of the sizes allowed
  while (!rest.empty()) {
    const auto argument = take_argument(rest);
    const auto equals = argument.find('=');
    if (equals == std::string_view::npos)
      return fail(ErrorCode::parse,
                  fmt::format("found '{}', allowed: key=value, like target=0.6", argument));
    const auto key = file::trimmed(argument.substr(0, equals));
    const auto value = file::trimmed(argument.substr(equals + 1));
    bounded = bounded || key == "max";
    if (key == "min") at_first = std::max(1U, parse_number<std::uint32_t>(value).value_or(1));
    keys += fmt::format("{} = {}\n", key, value_of(value));
  }
  if (!bounded) keys += fmt::format("max = {}\n", workers_max);
  return fmt::format(
      "[workload]\narrivals = {{ kind = \"poisson\", rate = 1e-3 }}\n"
      "service = {{ distribution = \"constant\", value = 1 }}\n"
      "[dispatch]\npolicies = [\"central\"]\n[pool]\nworkers = {}\n[pool.scaling]\n{}",
      at_first, keys);
}

}  // namespace

Result<void> scale_fleet(scenario::Scenario& scenario, std::string_view text,
                         std::uint32_t workers_max) {
  const auto toml = scenario_text(text, workers_max);
  if (!toml) return fail(toml);
  const auto with = scenario::parse_scenario(*toml, "scaling");
  if (!with) return fail(with.error().front().code, with.error().front().what);
  auto scaling = with->pool.scaling;
  if (!scaling) return {};
  auto scaled = scenario;
  auto& pool = scaled.pool;
  if (auto* predictive = std::get_if<scaling::Predictive>(&scaling->policy))
    predictive->slots = pool.worker.slots;
  pool.stealing = dispatch::Stealing{};
  pool.take_over = false;
  for (auto& policy : scaled.dispatch.policies) policy.take_over.reset();
  pool.wake_ups.clear();
  pool.task_overhead = {};
  pool.scaling = scaling;
  if (const auto found = scenario::conflicts(scaled); !found.empty())
    return fail(ErrorCode::invalid, found.front().what);
  scenario = std::move(scaled);
  set_scaling(scenario, *scaling);
  return {};
}

void set_scaling(scenario::Scenario& scenario, const scenario::ScalingSettings& scaling) {
  const auto now = static_cast<std::uint32_t>(scenario.pool.speeds.size());
  const auto fitting = std::clamp(now, std::max(1U, scaling.limits.min), scaling.limits.max);
  if (fitting != now) change_workers(scenario, fitting);
  scenario.pool.scaling = scaling;  // which a pool of another size would not have
}

}  // namespace artel::plan
