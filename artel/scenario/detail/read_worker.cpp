#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::scenario::detail {
namespace {

Discipline discipline_of(std::string_view word) {
  if (word == "lifo") return Discipline::lifo;
  if (word == "priority") return Discipline::priority;
  if (word == "sjf") return Discipline::sjf;
  if (word == "edf") return Discipline::edf;
  if (word == "srpt") return Discipline::srpt;
  if (word == "las") return Discipline::las;
  if (word == "ps") return Discipline::ps;
  return Discipline::fifo;
}

std::vector<double> read_total_speed(const config::TableReader& reader) {
  std::vector<double> speeds;
  for (const auto& item : reader.items("total_speed")) {
    const bool number = item.kind == config::TomlValue::Kind::integer ||
                        item.kind == config::TomlValue::Kind::number;
    constexpr double kSpeedMax = 1e6;
    if (number && item.number > 0 && item.number <= kSpeedMax) {
      speeds.push_back(item.number);
      continue;
    }
    reader.refuse("total_speed",
                  fmt::format("found {}, allowed: a list of numbers above 0 up to {}",
                              item.describe(), kSpeedMax));
    break;
  }
  return speeds;
}

BatchSettings read_batch(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "pool.batch", problems);
  BatchSettings batch;
  batch.most = static_cast<std::uint32_t>(reader.count("most"));
  batch.longest_wait = reader.duration("longest_wait");
  if (reader.has("fixed")) {
    if (auto fixed = read_law(reader, "fixed", "pool.batch.fixed", problems)) batch.fixed = *fixed;
  }
  batch.per_task = reader.seconds("per_task");
  batch.per_work = reader.number("per_work");
  if (!(batch.fixed.mean() > 0) && batch.per_task == 0 && batch.per_work == 0)
    reader.refuse("per_work",
                  "a batch would take no time; allowed: fixed, per_task or per_work "
                  "above 0");
  return batch;
}

FailureSettings read_failures(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "pool.failures", problems);
  FailureSettings failures;
  failures.mtbf = reader.duration("mtbf");
  failures.mttr = reader.duration("mttr");
  if (reader.has("detection")) failures.detection = reader.duration("detection");
  const auto task = reader.word("task");
  if (task == "restart") failures.task = FailureSettings::TaskFate::restart;
  if (task == "lose") failures.task = FailureSettings::TaskFate::lose;
  return failures;
}

std::vector<SpeedState> read_speeds(const config::TableReader& pool, config::Problems& problems) {
  std::vector<SpeedState> states;
  double fastest = 0;
  for (const auto& item : pool.items("speed_states")) {
    const config::TableReader reader(scenario_schema(), item, "pool.speed_states[]", problems);
    states.push_back({reader.number("speed"), reader.duration("mean_duration")});
    fastest = std::max(fastest, states.back().speed);
  }
  if (!(fastest > 0)) pool.refuse("speed_states", "no speed is above 0");
  return states;
}

// What makes no sense together.
void check(const config::TableReader& reader, std::string_view found,
           const WorkerSettings& worker) {
  const auto is = [&](Discipline discipline) { return worker.discipline == discipline; };
  const bool sharing = is(Discipline::ps) || is(Discipline::las);
  if (worker.preemptive && !is(Discipline::lifo) && !is(Discipline::priority) &&
      !is(Discipline::sjf) && !is(Discipline::edf)) {
    reader.refuse("preemptive", fmt::format("found with discipline {}, allowed: with lifo, "
                                            "priority, sjf and edf (srpt always interrupts)",
                                            found));
  }
  if (sharing && worker.slots > 1) {
    reader.refuse("slots", fmt::format("found {} with discipline {}, which has no slots; allowed: "
                                       "total_speed with ps, or another discipline",
                                       worker.slots, found));
  }
  if (reader.has("total_speed") && !is(Discipline::ps))
    reader.refuse("total_speed", fmt::format("found with discipline {}, allowed: with ps", found));
  if (worker.batch && (worker.slots > 1 || !is(Discipline::fifo)))
    reader.refuse("batch", "goes with one slot and the discipline fifo");
  if (reader.duration("keep_warm") > Duration::zero() && !worker.start_up)
    reader.refuse("keep_warm", "needs a start_up");
}

}  // namespace

WorkerSettings read_worker(const config::TableReader& reader, config::Problems& problems) {
  WorkerSettings worker;
  worker.slots = static_cast<std::uint32_t>(reader.count("slots"));
  const auto discipline = reader.word("discipline");
  worker.discipline = discipline_of(discipline);
  worker.preemptive = reader.flag("preemptive");
  if (reader.has("total_speed")) worker.total_speed = read_total_speed(reader);
  if (reader.has("batch")) worker.batch = read_batch(reader.table("batch"), problems);
  if (reader.has("failures")) worker.failures = read_failures(reader.table("failures"), problems);
  if (reader.has("speed_states")) worker.speed_states = read_speeds(reader, problems);
  if (reader.has("start_up")) {
    if (auto time = read_law(reader, "start_up", "pool.start_up", problems))
      worker.start_up = {.time = *time, .keep_warm = reader.duration("keep_warm")};
  }
  check(reader, discipline, worker);
  return worker;
}

}  // namespace artel::scenario::detail
