#pragma once

#include <functional>
#include <string>
#include <vector>

#include "artel/core/id.hpp"

namespace artel::verify {

/// What came out of one check.
struct Finding {
  double expected = 0;
  double got = 0;
  double half_width = 0;  ///< of the 99% confidence interval; 0: exact
  bool pass = false;
};

/// One comparison of the simulator with what is known.
struct Check {
  std::string group;
  std::string name;
  bool quick = false;  ///< takes a second or less: runs in the tests
  std::function<Finding(Seed seed)> run;
};

/// Laws that hold on every sample path or in every setting: tests/verify/README.md lists them.
[[nodiscard]] std::vector<Check> invariant_checks(unsigned jobs);

/// Systems without a closed form, simulated elsewhere: same shape, within 3%.
[[nodiscard]] std::vector<Check> table_checks(unsigned jobs);

}  // namespace artel::verify
