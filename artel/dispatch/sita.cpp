#include "artel/dispatch/sita.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "artel/error/contract.hpp"
#include "artel/unit/instant.hpp"

namespace artel::dispatch {

Sita Sita::equal_load(std::span<const Duration> sizes, std::size_t intervals) {
  ARTEL_REQUIRE(intervals >= 1 && !sizes.empty(), "cut-offs need sizes and intervals", intervals,
                sizes.size());
  std::vector<Duration> sorted(sizes.begin(), sizes.end());
  std::sort(sorted.begin(), sorted.end());
  double total = 0;
  for (const Duration size : sorted) total += to_seconds(size);

  Sita sita;
  double below = 0;  // work of the sizes before the next one
  for (const Duration size : sorted) {
    const std::size_t made = sita.cutoffs.size() + 1;
    if (made == intervals) break;
    // Cut before this size once the interval has its part, splitting ties never.
    const bool part_full =
        below >= total * static_cast<double>(made) / static_cast<double>(intervals);
    const Duration least = sita.cutoffs.empty() ? sorted.front() : sita.cutoffs.back();
    if (part_full && size > least) sita.cutoffs.push_back(size);
    below += to_seconds(size);
  }
  return sita;
}

}  // namespace artel::dispatch
