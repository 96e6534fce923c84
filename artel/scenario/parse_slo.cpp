#include "artel/scenario/parse_slo.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/require.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario {
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

// The names of [slo] and, for short, the statistics.
std::vector<std::string_view> objective_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, statistic] : kStatistics) names.push_back(name);
  for (const auto& key : scenario_schema().keys()) {
    if (key.table == "slo") names.push_back(key.key);
  }
  return names;
}

Result<std::string> full_name(std::string_view name) {
  std::string full(name);
  if (full.starts_with("p99.9")) full.erase(3, 1);
  const auto names = objective_names();
  if (std::find(names.begin(), names.end(), full) == names.end())
    return fail(ErrorCode::parse, unknown_name("objective", name, names));
  const bool is_statistic = std::ranges::any_of(
      kStatistics, [&](const NamedStatistic& known) { return known.name == full; });
  return is_statistic ? full + "_response" : full;
}

std::optional<double> parse_limit(const Objective& objective, std::string_view text) {
  if (is_share(objective.quantity)) {
    const bool percent = text.ends_with('%');
    const auto number =
        parse_number<double>(file::trimmed(percent ? text.substr(0, text.size() - 1) : text));
    if (!number || !(*number >= 0 && *number <= (percent ? 100 : 1))) return std::nullopt;
    return percent ? *number / 100 : *number;
  }
  const auto duration = parse_duration(text);
  if (!duration || *duration <= Duration::zero() || *duration == kForever) return std::nullopt;
  return to_seconds(*duration);
}

Result<Objective> parse_objective(std::string_view text) {
  const auto sign = text.find('<');
  if (sign == std::string_view::npos) {
    return fail(ErrorCode::parse,
                fmt::format("found '{}', allowed: a name, < and a limit, like p99<80ms, "
                            "mean_wait<5ms or rejected<0.1%",
                            text));
  }
  const auto name = full_name(file::trimmed(text.substr(0, sign)));
  if (!name) return fail(name);
  auto objective = objective_named(*name);
  const bool or_equal = text.substr(sign + 1).starts_with('=');
  const auto limit_text = file::trimmed(text.substr(sign + (or_equal ? 2 : 1)));
  const auto limit = parse_limit(objective, limit_text);
  if (!limit) {
    return fail(
        ErrorCode::parse,
        fmt::format("{}: found '{}', allowed: {}", objective.name, limit_text,
                    is_share(objective.quantity)
                        ? "a share of the tasks from 0% to 100%, like 0.1% or 0.001"
                        : "a duration above 0 with its unit, like 80ms (ns us ms s min h d)"));
  }
  objective.limit = *limit;
  return objective;
}

}  // namespace

Objective objective_named(std::string_view name) {
  Objective objective{std::string(name), Quantity::rejected, Statistic::mean, 0};
  if (name == "abandoned") objective.quantity = Quantity::abandoned;
  if (name == "failed") objective.quantity = Quantity::failed;
  const auto underscore = name.find('_');
  if (underscore == std::string_view::npos) return objective;
  objective.quantity = name.ends_with("_wait") ? Quantity::wait : Quantity::response;
  const auto* known = kStatistics.begin();
  while (known != kStatistics.end() && known->name != name.substr(0, underscore)) ++known;
  ARTEL_REQUIRE(known != kStatistics.end(), "the schema names an unknown statistic", name);
  objective.statistic = known->statistic;
  return objective;
}

Result<std::vector<Objective>> parse_slo(std::string_view text) {
  std::vector<Objective> objectives;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    auto objective = parse_objective(file::trimmed(text.substr(begin, end - begin)));
    if (!objective) return fail(objective);
    const bool twice = std::any_of(objectives.begin(), objectives.end(),
                                   [&](const Objective& o) { return o.name == objective->name; });
    if (twice) return fail(ErrorCode::invalid, fmt::format("{} has two limits", objective->name));
    objectives.push_back(*std::move(objective));
    begin = end + 1;
  }
  return objectives;
}

}  // namespace artel::scenario
