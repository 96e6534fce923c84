#include "artel/stat/mser5.hpp"

#include <cstddef>
#include <limits>
#include <span>

#include "artel/stat/detail/batch_means.hpp"

namespace artel::stat {
namespace {

constexpr std::size_t kBatch = 5;

}  // namespace

std::size_t mser5(std::span<const double> values) {
  const auto batches = detail::batch_means(values, kBatch);
  const std::size_t drop_max = batches.size() / 2;
  std::size_t best = 0;
  double best_error = std::numeric_limits<double>::infinity();
  double mean = 0;
  double squares = 0;  // Welford over the batches that stay, the last one first
  for (std::size_t drop = batches.size(); drop-- > 0;) {
    const auto count = static_cast<double>(batches.size() - drop);
    const double offset = batches[drop] - mean;
    mean += offset / count;
    squares += offset * (batches[drop] - mean);
    const double error = squares / (count * count);
    if (drop <= drop_max && error <= best_error) {
      best = drop;
      best_error = error;
    }
  }
  return best * kBatch;
}

}  // namespace artel::stat
