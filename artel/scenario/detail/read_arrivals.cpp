#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario::detail {
namespace {

constexpr std::string_view kArrivals = "workload.arrivals";
constexpr std::string_view kSources = "workload.arrivals.sources";

constexpr double kBatchMax = 100'000;

std::optional<std::uint32_t> batch_size(const config::TomlValue& value) {
  const bool whole = value.kind == config::TomlValue::Kind::integer;
  if (!whole || !(value.number >= 1 && value.number <= kBatchMax)) return std::nullopt;
  return static_cast<std::uint32_t>(value.number);
}

// Nothing after a mistake.
std::optional<BatchSizes> read_batch_sizes(const config::TableReader& reader) {
  const auto& value = reader.raw("batch");
  BatchSizes sizes;
  const config::TomlValue* wrong = nullptr;
  if (value.kind == config::TomlValue::Kind::list && !value.items.empty()) {
    for (const auto& item : value.items) {
      if (const auto size = batch_size(item)) {
        sizes.push_back(*size);
      } else {
        wrong = &item;
      }
    }
  } else if (const auto size = batch_size(value)) {
    sizes.push_back(*size);
  } else {
    wrong = &value;
  }
  if (wrong == nullptr) return sizes;
  reader.refuse("batch", fmt::format("found {}, allowed: a whole number from 1 to {}, or a list of "
                                     "them",
                                     wrong->describe(), kBatchMax));
  return std::nullopt;
}

/// Reads [workload.arrivals], or one source of a sum; what it finds wrong goes to the problems.
class ArrivalsReader {
 public:
  ArrivalsReader(const PoolSettings& pool, const Workload& workload, config::Problems& problems)
      : pool_(pool), workload_(workload), problems_(problems) {}

  // `shown`: what messages call the table. Not to be used after a mistake.
  ArrivalSource read(const config::TomlValue& table, std::string_view shown) {
    const auto kind =
        config::TableReader::kind_of(scenario_schema(), table, kArrivals, "kind", problems_, shown);
    ArrivalSource source;
    if (!kind) return source;
    const config::TableReader reader(scenario_schema(), table, kArrivals, problems_,
                                     {.kind = *kind, .shown = shown});
    if (shown == kSources && (*kind == "trace" || *kind == "closed" || *kind == "sum")) {
      reader.refuse("kind", fmt::format("found {}, allowed in a sum: poisson, constant, mmpp, "
                                        "timetable, renewal",
                                        *kind));
      return source;
    }
    if (reader.has("batch")) {
      if (auto sizes = read_batch_sizes(reader)) source.batch = *std::move(sizes);
    }
    if (*kind == "mmpp") {
      read_mmpp(reader, source);
    } else if (*kind == "timetable") {
      read_timetable(reader, source);
    } else if (*kind == "renewal") {
      read_renewal(reader, source);
    } else if (*kind == "sum") {
      read_sum(reader, source);
    } else if (*kind == "trace") {
      read_replay(reader, source);
    } else if (*kind == "closed") {
      read_closed(reader, source);
    } else {
      read_even(reader, *kind, source);
    }
    return source;
  }

 private:
  void read_even(const config::TableReader& reader, std::string_view kind, ArrivalSource& source) {
    if (reader.has("rate") == reader.has("load")) {
      if (reader.has("rate")) {
        reader.refuse("rate", "does not go with load; give one of them");
      } else {
        reader.refuse_missing("rate", "a rate or a load");
      }
      return;
    }
    source.rate = reader.has("rate") ? reader.number("rate") : rate_for(reader);
    if (kind == "poisson") {
      source.arrivals = PoissonArrivals{source.rate};
    } else {
      source.arrivals = ConstantArrivals{source.rate};
    }
  }

  // The rate at which the pool has the load that was asked for.
  [[nodiscard]] double rate_for(const config::TableReader& reader) const {
    const double capacity = pool_.capacity(workload_.mean_service_s);
    const double work = workload_.mean_service_s * workload_.fork;
    const double load = reader.number("load");
    if (!(work > 0)) return load;  // reported already
    const double rate = load * capacity / work;
    constexpr double kRateMax = 1e9;
    if (!(rate <= kRateMax)) {
      reader.refuse("load", fmt::format("needs {:.3g} tasks per second, allowed: up to {:g}", rate,
                                        kRateMax));
    }
    return rate;
  }

  // If there is a load, all of that comes as many times as often as it asks for.
  void scale(const config::TableReader& reader, ArrivalSource& source) const {
    if (!reader.has("load")) return;
    const double rate = rate_for(reader);
    if (!problems_.empty()) return;
    make_faster(source.arrivals, rate / source.rate);
    source.rate = rate;
  }

  void read_mmpp(const config::TableReader& reader, ArrivalSource& source) {
    MmppArrivals arrivals;
    double tasks = 0;
    double seconds = 0;
    for (const auto& item : reader.items("states")) {
      const config::TableReader state(scenario_schema(), item, "workload.arrivals.states[]",
                                      problems_);
      arrivals.states.push_back({state.number("rate"), state.duration("mean_duration")});
      seconds += to_seconds(arrivals.states.back().mean_duration);
      tasks += arrivals.states.back().rate * to_seconds(arrivals.states.back().mean_duration);
    }
    if (!(tasks > 0)) {
      if (seconds > 0) reader.refuse("states", "no task ever arrives; expected a rate above 0");
      return;
    }
    source.rate = tasks / seconds;
    source.arrivals = std::move(arrivals);
    scale(reader, source);
  }

  void read_timetable(const config::TableReader& reader, ArrivalSource& source) {
    TimetableArrivals arrivals{.points = {}, .day = reader.duration("day")};
    Duration before{-1};
    for (const auto& item : reader.items("points")) {
      const config::TableReader point(scenario_schema(), item, "workload.arrivals.points[]",
                                      problems_);
      const auto at = point.duration("at");
      if (at <= before || at >= arrivals.day) {
        point.refuse("at", fmt::format("found {}, allowed: later than the one before, within the "
                                       "day of {}",
                                       format_duration(at), format_duration(arrivals.day)));
      }
      before = at;
      arrivals.points.push_back({at, point.number("rate")});
    }
    if (!problems_.empty()) return;
    const double tasks = arrivals.tasks_per_day();
    if (!(tasks > 0)) {
      reader.refuse("points", "no task ever arrives; expected a rate above 0");
      return;
    }
    source.rate = tasks / to_seconds(arrivals.day);
    source.arrivals = std::move(arrivals);
    scale(reader, source);
  }

  void read_renewal(const config::TableReader& reader, ArrivalSource& source) {
    if (!reader.has("gap")) return;
    auto gap = read_law(reader, "gap", "workload.arrivals.gap", problems_);
    if (!gap) return;
    constexpr double kGapMin = 1e-9;  // the simulation's clock ticks in nanoseconds
    if (!(gap->mean() >= kGapMin)) {
      reader.refuse("gap",
                    fmt::format("the mean is {} s, allowed: at least a nanosecond", gap->mean()));
      return;
    }
    source.rate = mean_batch(source.batch) / gap->mean();
    source.arrivals = RenewalArrivals{*std::move(gap)};
    scale(reader, source);
  }

  void read_sum(const config::TableReader& reader, ArrivalSource& source) {
    SummedArrivals sum;
    for (const auto& item : reader.items("sources")) {
      sum.sources.push_back(read(item, kSources));
      source.rate += sum.sources.back().rate;
    }
    constexpr std::size_t kSourcesMax = 1000;
    if (sum.sources.size() > kSourcesMax)
      reader.refuse("sources", fmt::format("found a list of {}, allowed: up to {}",
                                           sum.sources.size(), kSourcesMax));
    if (!problems_.empty()) return;
    source.arrivals = std::move(sum);
    scale(reader, source);
  }

  void read_replay(const config::TableReader& reader, ArrivalSource& source) {
    TraceArrivals arrivals{reader.number("scale")};
    if (workload_.trace) {
      const auto& rows = workload_.trace->arrivals;
      const double seconds = rows.empty() ? 0 : to_seconds(rows.back());
      const double recorded = seconds > 0 ? static_cast<double>(rows.size() - 1) / seconds : 0;
      if (reader.has("load") && recorded > 0) {
        if (reader.has("scale")) reader.refuse("scale", "does not go with load; give one of them");
        arrivals.scale = rate_for(reader) / recorded;
      } else if (reader.has("load")) {
        reader.refuse("load", "cannot be reached: all rows of the trace arrive at once");
      }
      source.rate = recorded * arrivals.scale;
    }
    source.arrivals = arrivals;
  }

  void read_closed(const config::TableReader& reader, ArrivalSource& source) {
    ClosedArrivals arrivals{.users = static_cast<std::uint32_t>(reader.count("users"))};
    if (!reader.has("think")) return;
    auto think = read_law(reader, "think", "workload.arrivals.think", problems_);
    if (!think) return;
    const double round = think->mean() + workload_.mean_service_s;
    if (round > 0) source.rate = arrivals.users / round;
    arrivals.think = *std::move(think);
    source.arrivals = std::move(arrivals);
  }

  const PoolSettings& pool_;
  const Workload& workload_;
  config::Problems& problems_;
};

}  // namespace

void read_arrivals(const config::TomlValue& table, const PoolSettings& pool, Workload& workload,
                   config::Problems& problems) {
  auto source = ArrivalsReader(pool, workload, problems).read(table, kArrivals);
  workload.arrivals = std::move(source.arrivals);
  workload.batch = std::move(source.batch);
  workload.rate = source.rate;
}

}  // namespace artel::scenario::detail
