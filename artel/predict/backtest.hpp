#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// How backtest() goes about it.
struct BacktestOptions {
  CalibrateOptions calibrate;
  double fitted_share = 0.5;     ///< of the tasks: the first ones; the rest is predicted
  std::size_t replications = 9;  ///< of the rest; fewer of a long trace
  /// That served the rest; nothing: as many as served the part that is fitted to.
  std::optional<std::uint32_t> workers_of_rest = {};
  unsigned jobs = 1;     ///< threads; results do not depend on it
  std::stop_token stop;  ///< asked to stop: an Error (cancelled)
};

/// A trace whose first part predicted the rest.
struct Backtest {
  std::uint64_t fitted_tasks = 0, predicted_tasks = 0;  ///< how the trace was divided
  std::uint32_t workers = 0;                            ///< that the pool had, in the rest
  RunFigures measured;                                  ///< of the rest; NaN what was not measured
  RunFigures predicted;                                 ///< means of the replications …
  RunFigures low, high;                                 ///< … and between which they lie
  /// Of both parts: what the prediction takes to be equal.
  double fitted_service_s = 0, service_s = 0;
  double fitted_rate = 0, rate = 0;  ///< arrivals per second
  /// Correlation of a task's log(service), less the mean of its hour of the day, with that of the
  /// task before it; draws have none.
  double service_runs = 0;
  /// Of the variance of log(service) the share that the hour of the day explains, beyond chance: 0
  /// unless the rest has several hours. `long_hour` is where work takes longest, `longer` how many
  /// times as long as on average.
  double service_hours = 0;
  int long_hour = 0;
  double longer = 1;
  bool starts_inferred = false;  ///< the trace does not say when tasks started: see infer_starts()

  /// (predicted - measured) / measured; NaN where nothing was measured.
  [[nodiscard]] double error(Figure figure) const;
  /// Which assumptions broke, if p50, p95 or p99 of the response is off by more than kNoticeable.
  [[nodiscard]] std::vector<std::string> reasons() const;

  static constexpr double kNoticeable = 0.1;
};

/// Fits the law of service, and the workers if the trace does not say how many there were, on the
/// first part of a trace; then predicts the rest, of which it is told only when tasks came.
///
/// Cost:   about 1 us per task and replication.
/// Errors: those of calibrate(); nothing was measured; the loop is closed; fewer than kTasksMin
///         tasks in a part; `cancelled` when stopped.
[[nodiscard]] Result<Backtest> backtest(const trace::TaskTrace& trace,
                                        const BacktestOptions& options = {});

/// The same with two recordings of the same kind of work: what is fitted to `first` predicts
/// `rest`, which may have come at another rate, to other workers (options.workers_of_rest).
[[nodiscard]] Result<Backtest> backtest(trace::TaskTrace first, trace::TaskTrace rest,
                                        const BacktestOptions& options);

}  // namespace artel::predict
