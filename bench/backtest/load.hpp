#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace artel::bench {

/// A task of a load, seconds.
struct Arrival {
  double at_s = 0;
  double size_s = 0;
};

/// Tasks in order of arrival.
using Load = std::vector<Arrival>;

/// So many lognormal sizes with this mean, whose standard deviation is the mean, too.
[[nodiscard]] std::vector<double> lognormal_sizes(std::size_t count, double mean_s,
                                                  std::uint64_t seed);

/// The sizes so many times over, in a random order.
[[nodiscard]] std::vector<double> shuffled(const std::vector<double>& sizes, std::size_t times,
                                           std::uint64_t seed);

/// A task of each size, in their order, as a Poisson process.
[[nodiscard]] Load poisson_load(const std::vector<double>& sizes, double rate, std::uint64_t seed);

/// The numbers of one column (the first is 0) of a file of lines; lines without a number there are
/// passed over. Empty when there is no such file.
[[nodiscard]] std::vector<double> column_of(const std::string& path, char separator,
                                            std::size_t column);

[[nodiscard]] double mean(const std::vector<double>& values);

}  // namespace artel::bench
