#include "artel/stat/detail/batch_means.hpp"

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "artel/core/require.hpp"

namespace artel::stat::detail {

std::vector<double> batch_means(std::span<const double> values, std::size_t size) {
  ARTEL_REQUIRE(size > 0, "a batch holds at least one value");
  std::vector<double> means(values.size() / size);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const auto batch = values.subspan(i * size, size);
    means[i] = std::accumulate(batch.begin(), batch.end(), 0.0) / static_cast<double>(size);
  }
  return means;
}

}  // namespace artel::stat::detail
