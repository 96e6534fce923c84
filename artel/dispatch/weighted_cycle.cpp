#include "artel/dispatch/weighted_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/detail/indexed_heap.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {
namespace {

/// Turns per cycle in exactly the ratio of the weights; empty if that takes too many.
std::vector<std::uint64_t> exact_turns(std::span<const double> weights, double least,
                                       std::uint64_t turns_max) {
  constexpr int kMultipleMax = 64;
  constexpr double kTolerance = 1e-6;
  for (int multiple = 1; multiple <= kMultipleMax; ++multiple) {
    std::vector<std::uint64_t> turns;
    std::uint64_t total = 0;
    for (const double weight : weights) {
      const double exact = weight / least * multiple;
      const double whole = std::round(exact);
      if (std::abs(exact - whole) > kTolerance * exact) break;
      if (whole > static_cast<double>(turns_max - total)) return {};
      turns.push_back(static_cast<std::uint64_t>(whole));
      total += turns.back();
    }
    if (turns.size() == weights.size()) return turns;
  }
  return {};
}

std::vector<std::uint64_t> rounded_turns(std::span<const double> weights, double total,
                                         std::uint64_t turns_max) {
  std::vector<std::uint64_t> turns;
  turns.reserve(weights.size());
  for (const double weight : weights) {
    const double share = weight / total * static_cast<double>(turns_max);
    turns.push_back(weight > 0 ? static_cast<std::uint64_t>(std::max(1.0, std::round(share))) : 0);
  }
  return turns;
}

/// The due time of a turn, (2k + 1) / (2 × turns), compared without rounding.
struct Due {
  std::uint64_t odd;    // 2k + 1
  std::uint64_t turns;  // of this worker in the cycle
  friend bool operator<(const Due& a, const Due& b) { return a.odd * b.turns < b.odd * a.turns; }
};

}  // namespace

WeightedCycle::WeightedCycle(std::span<const double> weights) {
  double least = 0;
  double total = 0;
  for (const double weight : weights) {
    ARTEL_REQUIRE(std::isfinite(weight) && weight >= 0, "weights are finite and not negative",
                  weight);
    if (weight > 0 && (least == 0 || weight < least)) least = weight;
    total += weight;
  }
  if (least == 0) return;
  const std::uint64_t turns_max = std::max<std::uint64_t>(kTurns, 16 * weights.size());
  auto turns = exact_turns(weights, least, turns_max);
  if (turns.empty()) turns = rounded_turns(weights, total, turns_max);

  detail::IndexedHeap<Due> due;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i] > 0) due.push(worker(i), Due{1, turns[i]});
  }
  turns_.resize(std::accumulate(turns.begin(), turns.end(), std::uint64_t{0}));
  for (WorkerId& turn : turns_) {
    turn = due.top().id;
    due.update(turn, Due{due.top().key.odd + 2, due.top().key.turns});
  }
}

}  // namespace artel::dispatch
