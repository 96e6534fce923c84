#include "artel/scenario/key_settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace artel::scenario {

KeySettings::KeySettings(std::uint32_t number, double zipf) : count(number), exponent(zipf) {
  if (zipf == 0) return;
  auto sums = std::make_shared<std::vector<double>>(number);
  double sum = 0;
  for (std::size_t k = 0; k < number; ++k) {
    sum += std::pow(static_cast<double>(k + 1), -zipf);
    (*sums)[k] = sum;
  }
  for (double& each : *sums) each /= sum;
  shares = std::move(sums);
}

std::uint64_t KeySettings::at(double uniform) const {
  if (!shares) return 1 + static_cast<std::uint64_t>(uniform * count);
  const auto found = std::upper_bound(shares->begin(), shares->end(), uniform);
  return std::min<std::uint64_t>(static_cast<std::uint64_t>(found - shares->begin()) + 1, count);
}

}  // namespace artel::scenario
