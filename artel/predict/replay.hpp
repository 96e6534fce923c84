#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/interval.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// What a run is compared by.
enum class Figure : std::uint8_t {
  mean_response,  ///< over all tasks, as are the quantiles
  p50_response,   ///< half of the tasks were answered sooner
  p95_response,   ///< 95% were
  p99_response,   ///< 99% were
  mean_wait,      ///< from submission to start
  p99_wait,       ///< from submission to start
  utilisation,    ///< share of the workers' time in service, first submission to last end
};
/// How many there are.
inline constexpr std::size_t kFigures = 7;

/// "mean_response", …: as reports name them.
[[nodiscard]] std::string_view name(Figure figure);

/// One run in figures: seconds, utilisation as a share. Tasks that never ran do not count.
struct RunFigures {
  std::array<double, kFigures> values{};  ///< by Figure
  [[nodiscard]] double operator[](Figure figure) const {
    return values[static_cast<std::size_t>(figure)];
  }
};

/// Quantiles are right to 0.05%. `response_ns`: response times are added there too. Requires: tasks
/// in order of submission.
[[nodiscard]] RunFigures figures_of(std::span<const trace::TaskRecord> tasks, std::size_t workers,
                                    stat::Histogram* response_ns = nullptr);
/// The same of as many workers as such a pool has at that time.
[[nodiscard]] RunFigures figures_of(std::span<const trace::TaskRecord> tasks,
                                    const scenario::PoolSettings& pool,
                                    stat::Histogram* response_ns = nullptr);

/// Of one figure, over the replications with the fitted workload.
struct FittedFigure {
  stat::Interval mean;  ///< 99% confidence
  double low = 0;       ///< one run like the recorded one lies in [low, high] …
  double high = 0;      ///< … with probability Prediction::range_level
};

/// One class of the trace's tasks, as measured and as predicted from the same work.
struct ClassPrediction {
  std::string name;
  std::uint64_t tasks = 0;  ///< that ran, as recorded
  RunFigures measured;      ///< as Prediction::measured
  RunFigures same_work;     ///< use of the workers is that by this class, while it was there
};

/// The same run as measured, and as predicted from its trace in two ways.
///
/// `same_work` takes over arrivals and service times from the trace, so that what it is off by is
/// the error of the pool's model. `fitted` draws both from what was fitted to them: what it is off
/// by in addition is the error of the workload's model, and chance.
struct Prediction {
  Calibration calibration;
  /// What the options have otherwise than the recorded run ("2 workers instead of 1"). Then this is
  /// what it would have been, and no figure's distance to the measured one an error.
  std::vector<std::string> changes;
  std::uint64_t tasks = 0;  ///< that ran, as recorded
  /// NaN what was not measured: waits and use if the trace does not know when tasks started,
  /// responses, too, if it does not know when they ended.
  RunFigures measured;
  RunFigures same_work;
  std::array<FittedFigure, kFigures> fitted{};
  /// Of the fitted workload; 0: not asked for, or the loop was closed, which no open process fits.
  std::size_t replications = 0;
  /// Of FittedFigure's ranges: the share of replications that fall into them.
  double range_level = 0;

  std::vector<ClassPrediction> classes;            ///< by number; empty: the trace has none
  stat::Histogram measured_ns{kReplayBits};        ///< response times
  stat::Histogram same_work_ns{kReplayBits};       ///< predicted
  stat::Histogram fitted_ns{kReplayBits};          ///< of all replications
  std::vector<trace::TaskRecord> same_work_tasks;  ///< the predicted run, task by task

  static constexpr unsigned kReplayBits = 10;  ///< of the histograms
  /// What the fitted workload says of a figure.
  [[nodiscard]] const FittedFigure& fitted_at(Figure figure) const {
    return fitted[static_cast<std::size_t>(figure)];
  }
};

/// (predicted - measured) / measured; NaN when nothing was measured.
[[nodiscard]] double relative_error(double predicted, double measured);

/// Hears how many of the runs are done; from any thread, one call at a time.
using RunProgress = std::function<void(std::size_t done, std::size_t total)>;

/// How replay() goes about it.
struct ReplayOptions {
  CalibrateOptions calibrate;
  /// Of the fitted workload; 0: none. 39 make a range that 19 of 20 runs fall into.
  std::size_t replications = 39;
  unsigned jobs = 1;     ///< threads; results do not depend on it
  std::stop_token stop;  ///< asked to stop: an Error (cancelled)
  RunProgress progress = {};
};

/// Calibrates, simulates, compares.
///
/// Cost:   about 1 us per task and replication, 100 bytes per task and thread.
/// Errors: those of calibrate(); `cancelled` when stopped.
[[nodiscard]] Result<Prediction> replay(const trace::TaskTrace& trace,
                                        const ReplayOptions& options = {});

}  // namespace artel::predict
