#include "bench/backtest/load.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"

namespace artel::bench {

std::vector<double> lognormal_sizes(std::size_t count, double mean_s, std::uint64_t seed) {
  const auto law = *random::Distribution::lognormal({.mean = mean_s, .scv = 1});
  random::Stream dice(Seed{seed}, "sizes");
  std::vector<double> sizes;
  while (sizes.size() < count) sizes.push_back(law(dice));
  return sizes;
}

std::vector<double> shuffled(const std::vector<double>& sizes, std::size_t times,
                             std::uint64_t seed) {
  std::vector<double> all;
  for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), sizes.begin(), sizes.end());
  random::Stream dice(Seed{seed}, "order");
  for (std::size_t left = all.size(); left > 1; --left) {
    const auto other = static_cast<std::size_t>(dice.uniform() * static_cast<double>(left));
    std::swap(all[left - 1], all[other]);
  }
  return all;
}

Load poisson_load(const std::vector<double>& sizes, double rate, std::uint64_t seed) {
  random::Stream dice(Seed{seed}, "arrivals");
  Load load;
  double now = 0;
  for (const double size : sizes) {
    now -= std::log(1 - dice.uniform()) / rate;
    load.push_back({now, size});
  }
  return load;
}

std::vector<double> column_of(const std::string& path, char separator, std::size_t column) {
  std::ifstream in(path);
  std::vector<double> numbers;
  for (std::string line; std::getline(in, line);) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < column && begin != std::string::npos; ++i) {
      begin = line.find(separator, begin);
      if (begin != std::string::npos) ++begin;
    }
    if (begin == std::string::npos) continue;
    const auto cell = line.substr(begin, line.find(separator, begin) - begin);
    if (const auto number = parse_number<double>(cell)) numbers.push_back(*number);
  }
  return numbers;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace artel::bench
