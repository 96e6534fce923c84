#include "bench/backtest/error_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "artel/predict/backtest.hpp"
#include "artel/predict/replay.hpp"

namespace artel::bench {

using predict::Figure;

std::string Setting::name() const { return fmt::format("W{}/{:.2f}", workers, load); }

void ErrorTable::add(const std::string& workload, const Setting& from, const Setting& on,
                     const predict::Backtest& test) {
  rows_.push_back({workload, from, on, test});
}

std::string ErrorTable::text() const {
  std::string text = fmt::format("{:<12} {:<9} {:<9} {:>6}", "workload", "from", "on", "tasks");
  for (const char* figure : {"p50, ms", "p95, ms", "p99, ms"})
    text += fmt::format(" | {:>9} {:>9} {:>7}", figure, "predicted", "error");
  text += '\n';
  std::map<std::string, double> worst;
  for (const auto& row : rows_) {
    text += fmt::format("{:<12} {:<9} {:<9} {:>6}", row.workload, row.from.name(), row.on.name(),
                        row.test.predicted_tasks);
    for (const auto figure : {Figure::p50_response, Figure::p95_response, Figure::p99_response}) {
      text += fmt::format(" | {:>9.1f} {:>9.1f} {:>+6.1f}%", 1e3 * row.test.measured[figure],
                          1e3 * row.test.predicted[figure], 100 * row.test.error(figure));
    }
    text += '\n';
    for (const auto& reason : row.test.reasons())
      text += fmt::format("             off: {}\n", reason);
    auto& most = worst[row.workload];
    most = std::max(most, std::abs(row.test.error(Figure::p99_response)));
  }
  const auto right = std::ranges::count_if(
      worst, [](const auto& workload) { return workload.second <= kAllowed; });
  return text + fmt::format("p99 within {:.0f}% in every run: {} of {} workloads\n", 100 * kAllowed,
                            right, worst.size());
}

double worst_p99(const std::vector<predict::Backtest>& tests) {
  double worst = 0;
  for (const auto& test : tests)
    worst = std::max(worst, std::abs(test.error(Figure::p99_response)));
  return worst;
}

}  // namespace artel::bench
