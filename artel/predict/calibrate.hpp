#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/predict/arrival_fit.hpp"
#include "artel/predict/contention_fit.hpp"
#include "artel/predict/overhead_fit.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// What calibrate() is told besides the trace.
struct CalibrateOptions {
  std::string name = "calibrated";       ///< of the scenarios
  std::optional<std::uint32_t> workers;  ///< instead of what the trace says
  std::string policy;                    ///< instead of what the trace says: "jsq(d=2)", "central"
  Seed seed{1};                          ///< of the scenarios' runs
};

/// What a recorded run says about the next one: the same pool and policy under the same work, as a
/// scenario, and under work drawn from what was fitted to it, as another.
struct Calibration {
  /// The recorded arrivals, each with its recorded service time; one replication tells all.
  scenario::Scenario recorded;
  /// Arrivals from the fitted process, service times from the quantiles of the recorded ones;
  /// as many tasks, replications independent of each other.
  scenario::Scenario fitted;

  ArrivalFit arrivals;
  ServiceFit service;
  /// Of the scenarios' classes, by number: which class of the trace each is of (0 if that has none:
  /// they are priorities) …
  std::vector<std::uint16_t> classes{};
  /// … and what its work is, if the trace has classes and enough tasks of this one.
  std::vector<std::optional<ServiceFit>> class_service{};
  OverheadFit overhead;
  ContentionFit contention;                                    ///< of tasks at work at once
  std::vector<Duration> patience;                              ///< quantiles of tasks' deadlines
  SpeedFit speeds;                                             ///< of the workers
  std::array<std::uint64_t, trace::kTaskOutcomes> outcomes{};  ///< of all tasks of the trace
  std::uint64_t dropped = 0;                                   ///< by the recorder
  trace::Loop loop{};
  std::string source;              ///< "artel pool", "job log", "csv"
  std::string policy;              ///< as the trace has it; empty: it has none
  std::vector<std::string> notes;  ///< what the scenarios leave out or take for granted
};

/// Turns a trace into scenarios.
///
/// Tasks that were cancelled before they ran are left out; those that expired and, where a full
/// pool refuses, those that were refused arrive too, with the service time of the task before them.
/// Priorities become classes, deadlines patience, sizes of the pool a timetable. A pool whose
/// queues are bounded "by about 100 us of measured work" gets that bound at the mean service time.
/// Cost:   O(n log n) of the tasks; about 100 bytes per task while it works.
/// Errors: fewer than two tasks ran; all arrived at once; the policy is unknown; the number of
///         workers is beyond what a scenario allows.
[[nodiscard]] Result<Calibration> calibrate(const trace::TaskTrace& trace,
                                            const CalibrateOptions& options = {});

/// Which of the scenarios to write.
enum class WorkloadSource : std::uint8_t { recorded, fitted };

/// The scenario as a TOML file whose comments say where each number came from. The recorded one
/// reads its tasks from `tasks_file`, beside it.
[[nodiscard]] std::string calibration_toml(const Calibration& calibration, WorkloadSource source,
                                           std::string_view tasks_file);

/// Writes the scenario to `path` and, for the recorded workload, its tasks beside it: those of
/// `web.toml` to `web.tasks.csv`. Each file appears whole or not at all.
/// Errors: io; invalid, when the file of the tasks exists and was not written with the scenario at
///         `path`. Nothing is written then.
[[nodiscard]] Result<void> write_calibration(const std::filesystem::path& path,
                                             const Calibration& calibration, WorkloadSource source);

}  // namespace artel::predict
