#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/predict/replay.hpp"

namespace artel::bench {

/// The table of docs/accuracy.md: a row per load, over all policies.
class PredictionTable {
 public:
  void add(const std::string& workload, const predict::Prediction& prediction);
  /// As Markdown; empty when nothing was added.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::array kShown{predict::Figure::p50_response, predict::Figure::p99_response,
                                     predict::Figure::mean_wait};

  /// Of one figure, over the policies.
  struct Cell {
    double low = 0, high = 0;       // measured, ms
    double same_work = 0;           // the error that is largest, whatever its sign, %
    double fitted = 0;              // …
    std::size_t beyond_chance = 0;  // runs outside the fitted workload's range
  };
  struct Row {
    std::string workload;
    std::size_t runs = 0;
    double busy_low = 0, busy_high = 0;
    std::array<Cell, kShown.size()> cells{};
  };
  std::vector<Row> rows_;
};

}  // namespace artel::bench
