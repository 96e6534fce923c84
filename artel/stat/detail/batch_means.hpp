#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace artel::stat::detail {

/// The mean of every `size` consecutive values; an incomplete last batch is left out.
///
/// Batches much longer than the correlation of the series are nearly independent, so that
/// mean_interval may take them for replications. Requires: size >= 1.
[[nodiscard]] std::vector<double> batch_means(std::span<const double> values, std::size_t size);

}  // namespace artel::stat::detail
