#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artel/predict/backtest.hpp"

namespace artel::bench {

/// One run of a workload: its rate, as the load of the smaller fleet, and its workers.
struct Setting {
  double load = 0;
  std::uint32_t workers = 0;

  /// "W4/0.65"
  [[nodiscard]] std::string name() const;
};

/// What was predicted beside what was measured, a line per pair of runs.
class ErrorTable {
 public:
  void add(const std::string& workload, const Setting& from, const Setting& on,
           const predict::Backtest& test);
  /// With, below each line that is off, why; and a line on how many workloads are right.
  [[nodiscard]] std::string text() const;

  /// A workload counts as predicted when no error of its p99 is larger.
  static constexpr double kAllowed = 0.1;

 private:
  struct Row {
    std::string workload;
    Setting from, on;
    predict::Backtest test;
  };
  std::vector<Row> rows_;
};

/// The largest error of p99, whatever its sign.
[[nodiscard]] double worst_p99(const std::vector<predict::Backtest>& tests);

}  // namespace artel::bench
