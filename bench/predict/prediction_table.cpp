#include "bench/predict/prediction_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "artel/predict/replay.hpp"

namespace artel::bench {
namespace {

void widen(double value, bool first, double& low, double& high) {
  low = first ? value : std::min(low, value);
  high = first ? value : std::max(high, value);
}

void keep_larger(double error, double& largest) {
  if (std::abs(error) > std::abs(largest)) largest = error;
}

}  // namespace

void PredictionTable::add(const std::string& workload, const predict::Prediction& prediction) {
  if (rows_.empty() || rows_.back().workload != workload) rows_.push_back({.workload = workload});
  auto& row = rows_.back();
  const bool first = row.runs++ == 0;
  widen(prediction.measured[predict::Figure::utilisation], first, row.busy_low, row.busy_high);
  for (std::size_t i = 0; i < kShown.size(); ++i) {
    const double measured = prediction.measured[kShown[i]];
    const auto& fitted = prediction.fitted_at(kShown[i]);
    auto& cell = row.cells[i];
    widen(1e3 * measured, first, cell.low, cell.high);
    keep_larger(100 * predict::relative_error(prediction.same_work[kShown[i]], measured),
                cell.same_work);
    keep_larger(100 * predict::relative_error(fitted.mean.center, measured), cell.fitted);
    if (measured < fitted.low || measured > fitted.high) ++cell.beyond_chance;
  }
}

std::string PredictionTable::text() const {
  if (rows_.empty()) return {};
  std::string text =
      "| load | busy | p50, ms | same | fitted | p99, ms | same | fitted | mean wait, ms | same | "
      "fitted |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& row : rows_) {
    text += fmt::format("| {} | {:.2f}–{:.2f} |", row.workload, row.busy_low, row.busy_high);
    for (const auto& cell : row.cells) {
      text += fmt::format(" {:.2f}–{:.2f} | {:+.1f}% | {:+.0f}% ({}) |", cell.low, cell.high,
                          cell.same_work, cell.fitted, cell.beyond_chance);
    }
    text += '\n';
  }
  return text;
}

}  // namespace artel::bench
