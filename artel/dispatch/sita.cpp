#include "artel/dispatch/sita.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::dispatch {

std::vector<Duration> Sita::equal_load(std::span<const Duration> sizes, std::size_t intervals) {
  ARTEL_REQUIRE(intervals >= 1 && !sizes.empty(), "cut-offs need sizes and intervals", intervals,
                sizes.size());
  std::vector<Duration> sorted(sizes.begin(), sizes.end());
  std::sort(sorted.begin(), sorted.end());
  double total = 0;
  for (const Duration size : sorted) total += to_seconds(size);
  const double part = total / static_cast<double>(intervals);

  std::vector<Duration> cutoffs;
  double below = 0;  // work of the sizes before this one
  for (const Duration size : sorted) {
    if (cutoffs.size() + 1 == intervals) break;
    const Duration start = cutoffs.empty() ? sorted.front() : cutoffs.back();
    const bool full = below >= part * static_cast<double>(cutoffs.size() + 1);
    if (full && size > start) cutoffs.push_back(size);  // equal sizes stay together
    below += to_seconds(size);
  }
  return cutoffs;
}

}  // namespace artel::dispatch
