#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario::detail {
namespace {

// "20%" as 0.2; nothing if it is not a share.
std::optional<double> parse_share(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  const auto percent = parse_number<double>(text);
  constexpr double kPercentMax = 90;
  if (!percent || !(*percent >= 0 && *percent <= kPercentMax)) return std::nullopt;
  return *percent / 100;
}

// A bare number is refused: it could be meant as a share or as seconds.
std::optional<WarmUp> parse_warm_up(const config::TomlValue& value) {
  if (value.kind != config::TomlValue::Kind::text) return std::nullopt;
  if (value.text == "auto") return WarmUp{};
  if (const auto share = parse_share(value.text)) {
    return WarmUp{WarmUp::Kind::share, *share, Duration{}};
  }
  const auto duration = parse_duration(value.text);
  if (!duration || *duration < Duration{} || *duration == kForever) return std::nullopt;
  return WarmUp{WarmUp::Kind::duration, 0, *duration};
}

WarmUp read_warm_up(const config::TableReader& reader, const RunSettings& run) {
  if (!reader.has("warm_up")) return {};
  const auto& value = reader.raw("warm_up");
  const auto warm_up = parse_warm_up(value);
  if (!warm_up) {
    reader.refuse("warm_up",
                  fmt::format("found {}, allowed: {}", value.describe(),
                              config::allowed_text(*scenario_schema().find("run", "warm_up"))));
    return {};
  }
  if (run.duration && warm_up->duration >= *run.duration) {
    reader.refuse("warm_up",
                  fmt::format("found {}, allowed: less than the run's duration, {}",
                              format_duration(warm_up->duration), format_duration(*run.duration)));
  }
  return *warm_up;
}

Statistic statistic_of(std::string_view word) {
  if (word == "p50") return Statistic::p50;
  if (word == "p90") return Statistic::p90;
  if (word == "p95") return Statistic::p95;
  if (word == "p99") return Statistic::p99;
  if (word == "p999") return Statistic::p999;
  return Statistic::mean;
}

void read_replications(const config::TableReader& reader, RunSettings& run) {
  run.replications = static_cast<std::uint32_t>(reader.count("replications"));
  run.replications_max = run.replications;
  if (!reader.has("precision")) {
    if (reader.word("precision_of") != "mean")
      reader.refuse("precision_of", "needs a precision to aim at");
    if (reader.has("replications_max")) {
      reader.refuse("replications_max",
                    "needs a precision to aim at; without one, the number is "
                    "replications");
    }
    return;
  }
  run.precision = reader.number("precision");
  run.precision_of = statistic_of(reader.word("precision_of"));
  const auto most = reader.count("replications_max");
  run.replications_max = std::max(run.replications, static_cast<std::uint32_t>(most));
  if (reader.has("replications_max") && most < run.replications) {
    reader.refuse("replications_max", fmt::format("found {}, allowed: at least replications, {}",
                                                  most, run.replications));
  }
}

}  // namespace

RunSettings read_run(const config::TomlValue& table, const Workload& workload,
                     config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "run", problems);
  RunSettings run;
  if (reader.has("tasks")) run.tasks = reader.count("tasks");
  if (reader.has("duration")) run.duration = reader.duration("duration");
  constexpr std::uint64_t kTasksDefault = 100'000;
  if (!run.tasks && !run.duration && !std::holds_alternative<TraceArrivals>(workload.arrivals)) {
    if (const auto* timetable = timetable_of(workload.arrivals)) {
      run.duration = timetable->day;
    } else {
      run.tasks = kTasksDefault;
    }
  }
  read_replications(reader, run);
  run.warm_up = read_warm_up(reader, run);
  run.seed = Seed{reader.count("seed")};
  return run;
}

}  // namespace artel::scenario::detail
