#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/detail/read_speed_file.hpp"
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

// A law, or a formula for each row of the trace.
void read_per_join(const config::TableReader& reader, BatchSettings& batch,
                   config::Problems& problems) {
  constexpr std::string_view kShown = "pool.batch.per_join";
  const auto& value = reader.raw("per_join");
  if (value.kind == config::TomlValue::Kind::table && value.find("expression") != nullptr) {
    if (const auto formula = read_service(value, problems, kShown))
      batch.join_rows = formula->expression.value_or("");
  } else if (auto law = read_law(reader, "per_join", kShown, problems)) {
    batch.per_join = *std::move(law);
  }
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
  if (reader.has("per_join")) read_per_join(reader, batch, problems);
  if (reader.has("step")) batch.step = reader.duration("step");
  if (reader.has("memory")) batch.memory = reader.duration("memory");
  if (reader.has("memory") && !reader.has("step")) reader.refuse("memory", "needs a step");
  if (reader.has("longest_wait") && reader.has("step"))
    reader.refuse("longest_wait", "does not go with step: whoever waits joins the next one");
  if (!(batch.fixed.mean() > 0) && batch.per_task == 0 && batch.per_work == 0)
    reader.refuse("per_work",
                  "a batch would take no time; allowed: fixed, per_task or per_work "
                  "above 0");
  return batch;
}

CacheSettings read_cache(const config::TomlValue& table, config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "pool.cache", problems);
  CacheSettings cache{.blocks = reader.bound("blocks")};
  if (!reader.has("saves")) return cache;
  const auto& value = reader.raw("saves");
  if (value.kind != config::TomlValue::Kind::table || value.find("expression") == nullptr) {
    reader.refuse("saves", fmt::format("found {}, allowed: {{ expression = \"0.1ms * tokens\" }}, "
                                       "over the trace's columns",
                                       value.describe()));
  } else if (const auto formula = read_service(value, problems, "pool.cache.saves")) {
    cache.saves = formula->expression.value_or("");
  }
  return cache;
}

// The numbers of workers, of a pool of so many; empty: all.
std::vector<std::uint32_t> read_numbers(const config::TableReader& reader, std::size_t workers) {
  std::vector<std::uint32_t> numbers;
  if (!reader.has("workers")) return numbers;
  const auto& value = reader.raw("workers");
  const bool several = value.kind == config::TomlValue::Kind::list && !value.items.empty();
  const auto items = several ? std::span(value.items) : std::span(&value, 1);
  for (const auto& item : items) {
    const bool number = item.kind == config::TomlValue::Kind::integer && item.integer >= 0 &&
                        static_cast<std::size_t>(item.integer) < workers;
    if (!number) {
      reader.refuse("workers", fmt::format("found {}, allowed: numbers of workers, 0 to {}",
                                           item.describe(), workers - 1));
      break;
    }
    numbers.push_back(static_cast<std::uint32_t>(item.integer));
  }
  return numbers;
}

FailureSettings read_failures(const config::TomlValue& table, std::size_t workers,
                              config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "pool.failures", problems);
  FailureSettings failures;
  if (reader.has("mtbf")) failures.mtbf = reader.duration("mtbf");
  if (reader.has("mttr")) failures.mttr = reader.duration("mttr");
  if (!reader.has("mtbf") && (reader.has("mttr") || !reader.has("outages")))
    reader.refuse_missing("mtbf", "a duration above 0, or outages");
  if (reader.has("mtbf") && !reader.has("mttr"))
    reader.refuse_missing("mttr", "a duration above 0: mtbf needs it");
  if (reader.has("outages")) {
    for (const auto& item : reader.items("outages")) {
      const config::TableReader one(scenario_schema(), item, "pool.failures.outages[]", problems);
      failures.outages.push_back({.at = Instant{one.duration("at")},
                                  .lasts = one.duration("lasts"),
                                  .workers = read_numbers(one, workers)});
      if (one.has("drain")) failures.outages.back().drain = one.duration("drain");
    }
  }
  if (reader.has("detection")) failures.detection = reader.duration("detection");
  const auto task = reader.word("task");
  if (task == "restart") failures.task = FailureSettings::TaskFate::restart;
  if (task == "lose") failures.task = FailureSettings::TaskFate::lose;
  if (task == "error") failures.task = FailureSettings::TaskFate::error;
  return failures;
}

// How likely each of so many states follows; empty: not given, or refused.
std::vector<double> read_next(const config::TableReader& reader, std::size_t states) {
  std::vector<double> next;
  if (!reader.has("next")) return next;
  constexpr std::size_t kStatesMax = 100;
  constexpr double kRounding = 1e-6;  // of numbers that people write
  double sum = 0;
  for (const auto& item : reader.items("next")) {
    const bool number = item.kind == config::TomlValue::Kind::integer ||
                        item.kind == config::TomlValue::Kind::number;
    if (!number || !(item.number >= 0) || item.number > 1) {
      reader.refuse(
          "next", fmt::format("found {}, allowed: a list of numbers from 0 to 1", item.describe()));
      return {};
    }
    next.push_back(item.number);
    sum += item.number;
  }
  if (next.empty()) return next;
  if (states > kStatesMax) {
    reader.refuse("next", fmt::format("found {} states, allowed: {} at most", states, kStatesMax));
  } else if (next.size() != states) {
    reader.refuse("next", fmt::format("found a list of {}, allowed: one for each state, {}",
                                      next.size(), states));
  } else if (std::abs(sum - 1) > kRounding) {
    reader.refuse("next", fmt::format("found a sum of {}, allowed: a sum of 1", sum));
  } else {
    for (double& probability : next) probability /= sum;
    return next;
  }
  return {};
}

std::vector<SpeedState> read_speeds(const config::TableReader& pool, config::Problems& problems) {
  std::vector<SpeedState> states;
  double fastest = 0;
  const auto items = pool.items("speed_states");
  const auto before = problems.size();
  for (const auto& item : items) {
    const config::TableReader reader(scenario_schema(), item, "pool.speed_states[]", problems);
    states.push_back({reader.number("speed"), reader.duration("mean_duration"),
                      read_next(reader, items.size())});
    fastest = std::max(fastest, states.back().speed);
  }
  if (!(fastest > 0)) pool.refuse("speed_states", "no speed is above 0");
  if (problems.size() > before) return states;
  if (const auto pair = unreached(states)) {
    pool.refuse("speed_states",
                fmt::format("state {} never follows state {}, not even in the end; give next so "
                            "that every state leads to every other (they count from 0)",
                            pair->state, pair->from));
  }
  return states;
}

void read_speed_points(const config::TableReader& reader, const std::filesystem::path& folder,
                       std::size_t workers, SpeedTimetable& timetable, config::Problems& problems) {
  if (!reader.has("points") && !reader.has("file"))
    return reader.refuse_missing("points", "a list of { at, speed }, or file");
  if (reader.has("file")) {
    if (reader.has("points"))
      return reader.refuse("file", "does not go with points; give one of them");
    auto points = read_speed_file(folder / reader.text("file"), timetable.day, workers);
    if (points) {
      timetable.points = *std::move(points);
    } else if (points.error().where.empty()) {
      problems.add(reader.place("file"), "pool.speed_timetable.file: " + points.error().what,
                   points.error().code);
    } else {
      problems.add(points.error());
    }
    return;
  }
  Duration before{};
  for (const auto& item : reader.items("points")) {
    const config::TableReader point(scenario_schema(), item, "pool.speed_timetable.points[]",
                                    problems);
    const auto at = point.duration("at");
    if (at < before || at >= timetable.day) {
      point.refuse("at", fmt::format("found {}, allowed: not before the one before, within the day "
                                     "of {}",
                                     format_duration(at), format_duration(timetable.day)));
    }
    before = at;
    timetable.points.push_back(
        {.at = at, .speed = point.number("speed"), .workers = read_numbers(point, workers)});
  }
}

SpeedTimetable read_speed_timetable(const config::TomlValue& table,
                                    const std::filesystem::path& folder, std::size_t workers,
                                    config::Problems& problems) {
  const config::TableReader reader(scenario_schema(), table, "pool.speed_timetable", problems);
  SpeedTimetable timetable{.points = {}, .day = reader.duration("day")};
  read_speed_points(reader, folder, workers, timetable, problems);
  const std::size_t kinds = timetable.alike() ? 1 : workers;
  for (std::uint32_t w = 0; problems.empty() && w < kinds; ++w) {
    if (timetable.mean(w) > 0) continue;
    reader.refuse(reader.has("file") ? "file" : "points",
                  fmt::format("worker {} always stands; expected a speed above 0", w));
    break;
  }
  return timetable;
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
  if (worker.speed_timetable && !worker.speed_states.empty())
    reader.refuse("speed_timetable", "does not go with speed_states; give one of them");
  if (reader.duration("keep_warm") > Duration::zero() && !worker.start_up)
    reader.refuse("keep_warm", "needs a start_up");
}

}  // namespace

WorkerSettings read_worker(const config::TableReader& reader, const std::filesystem::path& folder,
                           std::size_t workers, config::Problems& problems) {
  WorkerSettings worker;
  worker.slots = static_cast<std::uint32_t>(reader.count("slots"));
  const auto discipline = reader.word("discipline");
  worker.discipline = discipline_of(discipline);
  worker.preemptive = reader.flag("preemptive");
  if (reader.has("total_speed")) worker.total_speed = read_total_speed(reader);
  if (reader.has("batch")) worker.batch = read_batch(reader.table("batch"), problems);
  if (reader.has("cache")) worker.cache = read_cache(reader.table("cache"), problems);
  if (reader.has("failures"))
    worker.failures = read_failures(reader.table("failures"), workers, problems);
  if (reader.has("speed_states")) worker.speed_states = read_speeds(reader, problems);
  if (reader.has("speed_timetable"))
    worker.speed_timetable =
        read_speed_timetable(reader.table("speed_timetable"), folder, workers, problems);
  if (reader.has("start_up")) {
    if (auto time = read_law(reader, "start_up", "pool.start_up", problems))
      worker.start_up = {.time = *time, .keep_warm = reader.duration("keep_warm")};
  }
  if (reader.has("slow_start")) {
    const config::TableReader slow(scenario_schema(), reader.table("slow_start"), "pool.slow_start",
                                   problems);
    worker.slow_start = SlowStart{slow.duration("time"), slow.number("speed")};
    if (!worker.start_up && !reader.has("scaling"))
      reader.refuse("slow_start", "needs a start_up, or scaling: nobody starts");
  }
  check(reader, discipline, worker);
  return worker;
}

}  // namespace artel::scenario::detail
