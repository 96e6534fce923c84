#include <fmt/core.h>
#include <cstddef>

#include "artel/config/problems.hpp"
#include "artel/config/schema.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/stealing.hpp"
#include "artel/dispatch/when_full.hpp"
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

}  // namespace

PoolSettings read_pool(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "pool", problems);
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
  pool.worker = read_worker(reader, problems);
  if (reader.has("scaling")) pool.scaling = read_scaling(reader, pool, problems);
  return pool;
}

}  // namespace artel::scenario::detail
