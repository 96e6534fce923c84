#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/scenario/detail/read_scenario.hpp"
#include "artel/scenario/detail/read_service.hpp"
#include "artel/scenario/detail/trace_store.hpp"
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

double mean_of(const std::vector<Duration>& times) {
  double sum = 0;
  for (const auto time : times) sum += to_seconds(time);
  return times.empty() ? 0 : sum / static_cast<double>(times.size());
}

/// Reads [workload]; what it finds wrong goes to the problems.
class WorkloadReader {
 public:
  WorkloadReader(const config::TomlValue& table, PoolSettings& pool, const PoolSettings& load_pool,
                 const std::filesystem::path& folder, TraceStore& traces,
                 config::Problems& problems)
      : reader_(scenario_schema(), table, "workload", problems),
        pool_(pool),
        load_pool_(load_pool),
        folder_(folder),
        traces_(traces),
        problems_(problems) {}

  Workload read() {
    workload_.fork = static_cast<std::uint32_t>(reader_.count("fork"));
    workload_.hint_error = reader_.number("hint_error");
    if (reader_.has("arrivals")) {
      kind_ = config::TableReader::kind_of(scenario_schema(), reader_.table("arrivals"),
                                           "workload.arrivals", "kind", problems_)
                  .value_or("");
    }
    if (reader_.has("service")) service_ = read_service(reader_.table("service"), problems_);
    read_names();
    read_trace();
    finish_service();
    read_kinds();
    if (!kind_.empty()) read_arrivals(reader_.table("arrivals"), load_pool_, workload_, problems_);
    return std::move(workload_);
  }

 private:
  // Of the classes, which the trace goes by.
  void read_names() {
    if (!reader_.has("classes")) return;
    const bool by_row = reader_.has("trace") && reader_.raw("trace").find("class") != nullptr;
    workload_.classes = read_classes(reader_, by_row, problems_);
  }

  // What rows say of the tasks' kinds.
  void read_kind_columns(const config::TableReader& trace, bool replay, TraceSpec& spec) {
    for (const auto* key : {"class", "patience"}) {
      if (trace.has(key) && !replay)
        trace.refuse(key, "is for tasks that are replayed row by row: trace arrivals");
    }
    if (trace.has("class")) {
      spec.class_column = trace.text("class");
      for (const auto& one : workload_.classes) spec.classes.push_back(one.name);
      if (spec.classes.empty()) trace.refuse("class", "needs workload.classes, whose names it has");
    }
    if (trace.has("patience")) {
      spec.patience_column = trace.text("patience");
      if (reader_.has("patience"))
        reader_.refuse("patience", "does not go with workload.trace.patience, which says it");
    }
  }

  void read_trace() {
    const bool replay = kind_ == "trace";
    const bool sizes = service_ && service_->expression;
    const bool joins = pool_.worker.batch && !pool_.worker.batch->join_rows.empty();
    if (joins && !replay)
      reader_.refuse("arrivals", "must be replayed: pool.batch.per_join goes by the trace's rows");
    if (pool_.worker.cache && !replay)
      reader_.refuse("arrivals", "must be replayed: pool.cache goes by the trace's rows");
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
    if (joins) spec.join = pool_.worker.batch->join_rows;
    read_kind_columns(trace, replay, spec);
    read_prefix_columns(trace, replay, spec);
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
      if (joins) pool_.worker.batch->mean_join_row_s = mean_of(workload_.trace->joins);
    } else if (loaded.error().where.empty()) {
      problems_.add(trace.place("file"), "workload.trace.file: " + loaded.error().what,
                    loaded.error().code);
    } else {
      problems_.add(loaded.error());
    }
  }

  void read_prefix_columns(const config::TableReader& trace, bool replay, TraceSpec& spec) {
    const auto& cache = pool_.worker.cache;
    if (trace.has("prefix")) spec.prefix = trace.text("prefix");
    if (trace.has("prefix_tokens")) spec.prefix_tokens = trace.text("prefix_tokens");
    spec.block_tokens = static_cast<std::uint32_t>(trace.count("block_tokens"));
    if (spec.prefix && !replay)
      trace.refuse("prefix", "is for tasks that are replayed row by row: trace arrivals");
    if (!spec.prefix && (spec.prefix_tokens || cache))
      trace.refuse_missing("prefix", cache ? "the column with the keys of blocks: pool.cache goes "
                                             "by it"
                                           : "the column that prefix_tokens belongs to");
    if (!cache || cache->saves.empty()) return;
    if (!spec.service && !spec.join)
      return reader_.refuse("service", "must be an expression: pool.cache.saves is a part of it");
    spec.saves = cache->saves;
  }

  // Classes, patience and other callers' ways. Classes with a service of their own change the mean.
  void read_kinds() {
    const auto* rows = workload_.trace.get();
    if (rows != nullptr) count_rows(*rows);
    if (!workload_.classes.empty()) {
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

  void count_rows(const WorkloadTrace& rows) {
    if (!rows.classes.empty()) {
      const double each = 1 / static_cast<double>(rows.classes.size());
      for (const auto number : rows.classes) workload_.classes[number].share += each;
    }
    if (rows.patience.empty()) return;
    std::vector<double> seconds;
    for (const auto patience : rows.patience)
      seconds.push_back(std::min(to_seconds(patience), to_seconds(kForever)));
    if (auto law = random::Distribution::empirical(std::move(seconds)))
      workload_.patience = *std::move(law);
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

  config::TableReader reader_;
  PoolSettings& pool_;
  const PoolSettings& load_pool_;
  const std::filesystem::path& folder_;
  TraceStore& traces_;
  config::Problems& problems_;
  Workload workload_;
  std::string kind_;  // of the arrivals; empty: not known
  std::optional<ServiceSpec> service_;
};

}  // namespace

Workload read_workload(const config::TomlValue& table, PoolSettings& pool,
                       const PoolSettings& load_pool, const std::filesystem::path& folder,
                       TraceStore& traces, config::Problems& problems) {
  return WorkloadReader(table, pool, load_pool, folder, traces, problems).read();
}

}  // namespace artel::scenario::detail
