#include <fmt/core.h>
#include <cstddef>
#include <filesystem>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/scenario/admission_settings.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/stealing_word.hpp"

namespace artel::scenario::detail {
namespace {

void read_groups(const config::TableReader& reader, PoolSettings& pool,
                 config::Problems& problems) {
  for (const auto& item : reader.items("groups")) {
    const config::TableReader group(scenario_schema(), item, "pool.groups[]", problems);
    const auto workers = group.count("workers");
    pool.speeds.insert(pool.speeds.end(), workers, group.number("speed"));
    pool.queue_bounds.insert(pool.queue_bounds.end(), workers, group.bound("queue_bound"));
  }
  for (const auto* key : {"workers", "speeds", "queue_bound"}) {
    if (reader.has(key)) reader.refuse(key, "does not go with groups; each group has its own");
  }
}

AdmissionSettings read_admission(const config::TomlValue& table, config::Problems& problems) {
  const auto policy =
      config::TableReader::kind_of(scenario_schema(), table, "pool.admission", "policy", problems);
  if (!policy) return {};
  const config::TableReader reader(scenario_schema(), table, "pool.admission", problems,
                                   {.kind = *policy});
  if (*policy == "codel")
    return {.codel = CodelSettings{.target = reader.duration("target"),
                                   .interval = reader.duration("interval")}};
  const auto min = static_cast<double>(reader.count("min"));
  const auto max = static_cast<double>(reader.count("max"));
  if (min > max) reader.refuse("min", fmt::format("found {}, allowed: at most max, {}", min, max));
  if (*policy == "gradient")
    return {.gradient = GradientSettings{.tolerance = reader.number("tolerance"),
                                         .queue = reader.number("queue"),
                                         .smoothing = reader.number("smoothing"),
                                         .window = static_cast<double>(reader.count("window")),
                                         .min = min,
                                         .max = max}};
  return {.aimd = AimdSettings{.target = reader.duration("target"),
                               .decrease = reader.number("decrease"),
                               .min = min,
                               .max = max}};
}

}  // namespace

PoolSettings read_pool(const config::TomlValue& table, const std::filesystem::path& folder,
                       config::Problems& problems, std::string_view shown) {
  const config::TableReader reader(scenario_schema(), table, "pool", problems, {.shown = shown});
  PoolSettings pool;
  if (reader.has("groups")) {
    read_groups(reader, pool, problems);
  } else if (reader.has("workers")) {
    const auto workers = reader.count("workers");
    pool.speeds = reader.numbers("speeds", {workers, "worker"});
    pool.queue_bounds = reader.bounds("queue_bound", {workers, "worker"});
  } else {
    reader.refuse_missing(
        "workers", fmt::format("{}, or groups",
                               config::allowed_text(*scenario_schema().find("pool", "workers"))));
  }
  constexpr std::size_t kWorkersMax = 100'000;
  if (pool.speeds.size() > kWorkersMax) {
    reader.refuse("groups", fmt::format("found {} workers, allowed: at most {}", pool.speeds.size(),
                                        kWorkersMax));
  }
  pool.common_bound = reader.bound("common_bound");
  pool.when_full =
      reader.word("when_full") == "block" ? dispatch::WhenFull::block : dispatch::WhenFull::reject;
  pool.take_over = reader.flag("take_over");
  pool.stealing = stealing_of(reader.word("stealing"));
  if (pool.stealing != dispatch::Stealing::none && pool.take_over)
    reader.refuse("stealing", "does not go with take_over; give one of them");
  if (reader.has("wake_up")) {
    for (const double seconds : reader.seconds_list("wake_up"))
      pool.wake_ups.push_back(from_seconds(seconds));
  }
  pool.task_overhead = reader.duration("task_overhead");
  pool.worker = read_worker(reader, folder, pool.speeds.size(), problems);
  if (reader.has("admission")) pool.admission = read_admission(reader.table("admission"), problems);
  if (reader.has("scaling")) pool.scaling = read_scaling(reader, pool, problems);
  return pool;
}

}  // namespace artel::scenario::detail
