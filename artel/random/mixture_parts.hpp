#pragma once

#include <vector>

#include "artel/random/distribution.hpp"
#include "artel/random/law.hpp"

namespace artel::random::law {

/// What the copies of one Mixture share: part i is drawn when upper[i-1] <= u < upper[i].
struct Mixture::Parts {
  std::vector<double> probability;
  std::vector<double> upper;  ///< running sums of `probability`; the last counts as 1
  std::vector<Distribution> of;
};

}  // namespace artel::random::law
