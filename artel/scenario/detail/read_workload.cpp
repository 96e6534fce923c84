#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/detail/trace_store.hpp"
#include "artel/scenario/key_settings.hpp"
#include "artel/scenario/load_workload_trace.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::scenario::detail {
namespace {

file::TimeFormat time_format(std::string_view word) {
  if (word == "iso") return file::TimeFormat::iso;
  if (word == "seconds" || word == "epoch") return file::TimeFormat::seconds;
  if (word == "epoch_ms") return file::TimeFormat::epoch_ms;
  if (word == "epoch_us") return file::TimeFormat::epoch_us;
  if (word == "epoch_ns") return file::TimeFormat::epoch_ns;
  return file::TimeFormat::automatic;
}

double mean_of(const std::vector<Duration>& services) {
  double sum = 0;
  for (const auto service : services) sum += to_seconds(service);
  return services.empty() ? 0 : sum / static_cast<double>(services.size());
}

/// Reads [workload]; what it finds wrong goes to the problems.
class WorkloadReader {
 public:
  WorkloadReader(const config::TomlValue& table, const PoolSettings& pool,
                 const std::filesystem::path& folder, TraceStore& traces,
                 config::Problems& problems)
      : reader_(scenario_schema(), table, "workload", problems),
        pool_(pool),
        folder_(folder),
        traces_(traces),
        problems_(problems) {}

  Workload read() {
    read_fork();
    workload_.hint_error = reader_.number("hint_error");
    if (reader_.has("arrivals")) {
      kind_ = config::TableReader::kind_of(scenario_schema(), reader_.table("arrivals"),
                                           "workload.arrivals", "kind", problems_)
                  .value_or("");
    }
    if (reader_.has("service")) service_ = read_service(reader_.table("service"), problems_);
    read_trace();
    finish_service();
    read_kinds();
    read_arrivals();
    return std::move(workload_);
  }

 private:
  void read_fork() {
    workload_.fork = static_cast<std::uint32_t>(reader_.count("fork"));
    if (!pool_.speeds.empty() && workload_.fork > pool_.speeds.size()) {
      reader_.refuse("fork", fmt::format("found {}, allowed: at most the number of workers, {}",
                                         workload_.fork, pool_.speeds.size()));
    }
  }

  void read_trace() {
    const bool replay = kind_ == "trace";
    const bool sizes = service_ && service_->expression;
    if (!reader_.has("trace")) {
      if (replay || sizes) {
        reader_.refuse_missing(
            "trace", fmt::format("{{ file = \"x.csv\", time = \"column\" }}: {} come from it",
                                 replay ? "the arrivals" : "the sizes"));
      }
      return;
    }
    const config::TableReader trace(scenario_schema(), reader_.table("trace"), "workload.trace",
                                    problems_);
    const auto file = trace.text("file");
    TraceSpec spec;
    spec.time_format = time_format(trace.word("time_format"));
    if (sizes) spec.service = service_->expression;
    if (replay && !trace.has("time")) {
      trace.refuse_missing("time", "the column with the time of arrival");
      return;
    }
    if (replay) spec.time_column = trace.text("time");
    if (service_ && !kind_.empty() && !replay && !sizes) {
      reader_.refuse("trace", "is not used: neither the arrivals nor the service come from it");
      return;
    }
    if (file.empty() || (!replay && !sizes)) return;
    auto loaded = traces_.load(folder_ / file, spec);
    if (loaded) {
      workload_.trace = std::move(*loaded);
    } else if (loaded.error().where.empty()) {
      problems_.add(trace.place("file"), "workload.trace.file: " + loaded.error().what,
                    loaded.error().code);
    } else {
      problems_.add(loaded.error());
    }
  }

  // Classes, patience and other callers' ways. Classes with a service of their own change the mean.
  void read_kinds() {
    if (reader_.has("classes")) {
      workload_.classes = read_classes(reader_, problems_);
      double mean = 0;
      for (const auto& one : workload_.classes)
        mean += one.share * (one.service ? one.service->mean() : workload_.mean_service_s);
      if (workload_.mean_service_s > 0 && mean > 0) workload_.mean_service_s = mean;
    }
    if (reader_.has("deadline")) workload_.deadline = reader_.duration("deadline");
    if (reader_.has("callers"))
      workload_.callers = read_callers(reader_.table("callers"), problems_);
    if (workload_.callers.redraw && std::holds_alternative<TraceService>(workload_.service))
      reader_.refuse("callers", "redraw does not go with services that are replayed row by row");
    if (!pool_.speeds.empty() && workload_.callers.copies > pool_.workers_max())
      reader_.refuse("callers", fmt::format("copies: found {}, allowed: at most the number of "
                                            "workers, {}",
                                            workload_.callers.copies, pool_.workers_max()));
    if (reader_.has("keys")) {
      const config::TableReader keys(scenario_schema(), reader_.table("keys"), "workload.keys",
                                     problems_);
      if (keys.has("count"))
        workload_.keys.emplace(static_cast<std::uint32_t>(keys.count("count")),
                               keys.number("exponent"));
    }
    if (reader_.has("patience"))
      workload_.patience = read_law(reader_, "patience", "workload.patience", problems_);
  }

  // Turns what is known of the service into Workload::service.
  void finish_service() {
    if (!service_) return;
    if (service_->distribution) {
      workload_.service = *service_->distribution;
      workload_.mean_service_s = service_->distribution->mean();
    } else if (workload_.trace) {
      workload_.mean_service_s = mean_of(workload_.trace->services);
      if (kind_ == "trace") {
        workload_.service = TraceService{};
      } else {
        draw_from_rows();
      }
    } else {
      return;
    }
    constexpr double kMeanMin = 1e-9;  // the simulation's clock ticks in nanoseconds
    if (!(workload_.mean_service_s >= kMeanMin)) {
      reader_.refuse("service", fmt::format("the mean is {} s, allowed: at least a nanosecond",
                                            workload_.mean_service_s));
    }
  }

  void draw_from_rows() {
    std::vector<double> seconds;
    for (const auto service : workload_.trace->services) seconds.push_back(to_seconds(service));
    auto rows = random::Distribution::empirical(std::move(seconds));
    if (rows) {
      workload_.mean_service_s = rows->mean();
      workload_.service = std::move(*rows);
    } else {
      reader_.refuse("service", rows.error().what);
    }
  }

  void read_arrivals() {
    if (kind_.empty()) return;
    const config::TableReader reader(scenario_schema(), reader_.table("arrivals"),
                                     "workload.arrivals", problems_, {.kind = kind_});
    if (kind_ == "mmpp") {
      read_mmpp(reader);
    } else if (kind_ == "timetable") {
      read_timetable(reader);
    } else if (kind_ == "trace") {
      read_replay(reader);
    } else if (kind_ == "closed") {
      read_closed(reader);
    } else {
      if (reader.has("rate") == reader.has("load")) {
        if (reader.has("rate")) {
          reader.refuse("rate", "does not go with load; give one of them");
        } else {
          reader.refuse_missing("rate", "a rate or a load");
        }
        return;
      }
      workload_.rate = reader.has("rate") ? reader.number("rate") : rate_for(reader);
      if (kind_ == "poisson") {
        workload_.arrivals = PoissonArrivals{workload_.rate};
      } else {
        workload_.arrivals = ConstantArrivals{workload_.rate};
      }
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

  void read_mmpp(const config::TableReader& reader) {
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
    workload_.rate = tasks / seconds;
    if (reader.has("load")) {
      const double rate = rate_for(reader);
      for (auto& state : arrivals.states) state.rate *= rate / workload_.rate;
      workload_.rate = rate;
    }
    workload_.arrivals = std::move(arrivals);
  }

  void read_timetable(const config::TableReader& reader) {
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
    workload_.rate = tasks / to_seconds(arrivals.day);
    if (reader.has("load")) {
      const double rate = rate_for(reader);
      for (auto& point : arrivals.points) point.rate *= rate / workload_.rate;
      workload_.rate = rate;
    }
    workload_.arrivals = std::move(arrivals);
  }

  void read_replay(const config::TableReader& reader) {
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
      workload_.rate = recorded * arrivals.scale;
    }
    workload_.arrivals = arrivals;
  }

  void read_closed(const config::TableReader& reader) {
    ClosedArrivals arrivals{.users = static_cast<std::uint32_t>(reader.count("users"))};
    if (!reader.has("think")) return;
    auto think = read_law(reader, "think", "workload.arrivals.think", problems_);
    if (!think) return;
    const double round = think->mean() + workload_.mean_service_s;
    if (round > 0) workload_.rate = arrivals.users / round;
    arrivals.think = *std::move(think);
    workload_.arrivals = std::move(arrivals);
  }

  config::TableReader reader_;
  const PoolSettings& pool_;
  const std::filesystem::path& folder_;
  TraceStore& traces_;
  config::Problems& problems_;
  Workload workload_;
  std::string kind_;  // of the arrivals; empty: not known
  std::optional<ServiceSpec> service_;
};

}  // namespace

Workload read_workload(const config::TomlValue& table, const PoolSettings& pool,
                       const std::filesystem::path& folder, TraceStore& traces,
                       config::Problems& problems) {
  return WorkloadReader(table, pool, folder, traces, problems).read();
}

}  // namespace artel::scenario::detail
