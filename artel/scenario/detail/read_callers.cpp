#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/detail/seconds_max.hpp"
#include "artel/scenario/scenario_schema.hpp"

namespace artel::scenario::detail {
namespace {

// "p95" as 0.95; nothing if it is no percentile.
std::optional<double> parse_percentile(std::string_view text) {
  if (!text.starts_with('p')) return std::nullopt;
  const auto percent = parse_number<double>(text.substr(1));
  constexpr double kLeast = 1;
  constexpr double kMost = 99.99;
  if (!percent || !(*percent >= kLeast && *percent <= kMost)) return std::nullopt;
  return *percent / 100;
}

HedgeSettings read_hedge(const config::TableReader& reader) {
  HedgeSettings hedge{.most = static_cast<std::uint32_t>(reader.count("hedges"))};
  const auto& value = reader.raw("hedge");
  if (value.kind == config::TomlValue::Kind::text) {
    if (const auto quantile = parse_percentile(value.text)) {
      hedge.quantile = *quantile;
      return hedge;
    }
  }
  const auto seconds = config::seconds_from(value);
  if (seconds && *seconds > 0 && *seconds <= kSecondsMax) {
    hedge.after = from_seconds(*seconds);
    return hedge;
  }
  reader.refuse("hedge", fmt::format("found {}, allowed: a duration above 0 (\"20ms\"), or a "
                                     "percentile of the answers so far from \"p1\" to \"p99.99\"",
                                     value.describe()));
  return hedge;
}

BreakerSettings read_breaker(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "workload.callers.breaker", problems);
  return {.failures = reader.number("failures"),
          .tries = static_cast<std::uint32_t>(reader.count("tries")),
          .open = reader.duration("open")};
}

// What says nothing without another key.
void check(const config::TableReader& reader, const CallerSettings& callers) {
  for (const auto* key : {"backoff", "backoff_factor", "backoff_most", "jitter"}) {
    if (reader.has(key) && !reader.has("retries")) reader.refuse(key, "needs retries");
  }
  if (reader.has("hedges") && !callers.hedge) reader.refuse("hedges", "needs a hedge");
  if (callers.budget && !reader.has("retries") && !callers.hedge)
    reader.refuse("budget", "needs retries or a hedge");
  if (reader.has("budget_burst") && !callers.budget)
    reader.refuse("budget_burst", "needs a budget");
  if (callers.cancel != Spared::nothing && !callers.timeout && !callers.hedge &&
      !reader.has("copies"))
    reader.refuse("cancel", "needs a timeout, copies or a hedge");
  if (callers.tied && callers.copies == 1 && !callers.hedge)
    reader.refuse("tied", "needs copies or a hedge");
  if (callers.redraw && callers.plain())
    reader.refuse("redraw", "needs retries, copies or a hedge");
}

}  // namespace

CallerSettings read_callers(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "workload.callers", problems);
  CallerSettings callers;
  if (reader.has("timeout"))
    callers.timeout = read_law(reader, "timeout", "workload.callers.timeout", problems);
  const auto cancel = reader.word("cancel");
  if (cancel == "waiting") callers.cancel = Spared::waiting;
  if (cancel == "all") callers.cancel = Spared::all;
  callers.retry.most = static_cast<std::uint32_t>(reader.count("retries"));
  callers.retry.backoff = reader.duration("backoff");
  callers.retry.factor = reader.number("backoff_factor");
  if (reader.has("backoff_most")) callers.retry.longest = reader.duration("backoff_most");
  const auto jitter = reader.word("jitter");
  if (jitter == "equal") callers.retry.jitter = Jitter::equal;
  if (jitter == "full") callers.retry.jitter = Jitter::full;
  if (reader.has("budget")) callers.budget = reader.number("budget");
  callers.burst = reader.number("budget_burst");
  if (reader.has("hedge")) callers.hedge = read_hedge(reader);
  callers.copies = static_cast<std::uint32_t>(reader.count("copies"));
  callers.tied = reader.flag("tied");
  callers.redraw = reader.flag("redraw");
  if (reader.has("breaker")) callers.breaker = read_breaker(reader.table("breaker"), problems);
  check(reader, callers);
  return callers;
}

}  // namespace artel::scenario::detail
