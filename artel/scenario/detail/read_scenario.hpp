#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/table_reader.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/scenario/caller_settings.hpp"
#include "artel/scenario/detail/trace_store.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/overload.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/run_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/stage_settings.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"

/// The parts of parse_scenario, one per table of the file. Each reports mistakes and goes on; what
/// it returns after one is not to be used.
namespace artel::scenario::detail {

/// The whole file; `file_name` is for messages, and its folder is where trace files are looked up.
/// A load becomes a rate in `load_pool`; nullptr: in the file's own.
[[nodiscard]] config::Checked<Scenario> read_scenario(const config::TomlValue& root,
                                                      const std::string& file_name,
                                                      TraceStore& traces,
                                                      Overload overload = Overload::refuse,
                                                      const PoolSettings* load_pool = nullptr);

/// `shown`: what messages call the table; `folder`: where its files are looked up.
[[nodiscard]] PoolSettings read_pool(const config::TomlValue& table,
                                     const std::filesystem::path& folder,
                                     config::Problems& problems, std::string_view shown = "pool");

/// The stages after the pool, of a file that has some.
[[nodiscard]] std::vector<StageSettings> read_stages(const config::TableReader& root,
                                                     const std::filesystem::path& folder,
                                                     config::Problems& problems);

/// The keys of [pool] that say how each worker serves; there are so many, numbered from 0.
[[nodiscard]] WorkerSettings read_worker(const config::TableReader& pool,
                                         const std::filesystem::path& folder, std::size_t workers,
                                         config::Problems& problems);

/// [pool.scaling], of a pool of which all else is known.
[[nodiscard]] std::optional<ScalingSettings> read_scaling(const config::TableReader& pool,
                                                          const PoolSettings& settings,
                                                          config::Problems& problems);

/// [workload.callers].
[[nodiscard]] CallerSettings read_callers(const config::TomlValue& table,
                                          config::Problems& problems);

/// The classes of [workload], which has some; `by_row`: the rows of a trace say whose share is
/// what.
[[nodiscard]] std::vector<TaskClass> read_classes(const config::TableReader& workload, bool by_row,
                                                  config::Problems& problems);

/// [workload.arrivals], into a workload of which the service and the trace are known; the pool
/// turns a load into a rate.
void read_arrivals(const config::TomlValue& table, const PoolSettings& pool, Workload& workload,
                   config::Problems& problems);

/// Trace files are looked up from `folder`. `load_pool` turns a load into a rate; `pool` takes what
/// the trace says of its batches.
[[nodiscard]] Workload read_workload(const config::TomlValue& table, PoolSettings& pool,
                                     const PoolSettings& load_pool,
                                     const std::filesystem::path& folder, TraceStore& traces,
                                     config::Problems& problems);

/// Files of plugins are looked up from `folder`.
[[nodiscard]] DispatchSettings read_dispatch(const config::TomlValue& table,
                                             const std::filesystem::path& folder,
                                             config::Problems& problems);

/// A replay ends with its trace, a timetable after a day; everything else gets a default number of
/// tasks.
[[nodiscard]] RunSettings read_run(const config::TomlValue& table, const Workload& workload,
                                   config::Problems& problems);

[[nodiscard]] std::vector<Objective> read_slo(const config::TomlValue& table,
                                              config::Problems& problems);
/// Those of the items of a list, like [[stages]], each of which has a `name` and may have an `slo`;
/// they are the groups from `first` on. `shown`: what messages call the table.
[[nodiscard]] std::vector<Objective> read_group_slos(const config::TomlValue& list,
                                                     std::size_t first, std::string_view shown,
                                                     config::Problems& problems);

/// The price in [plan], per worker and hour.
[[nodiscard]] std::optional<double> read_price(const config::TomlValue& table,
                                               config::Problems& problems);

[[nodiscard]] std::vector<SweepAxis> read_sweep(const config::TomlValue& table,
                                                std::string_view file_name,
                                                config::Problems& problems);

}  // namespace artel::scenario::detail
