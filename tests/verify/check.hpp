#pragma once

#include <cstdint>
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
  /// The same with kAgainTimes as many tasks, if it missed; empty: it is run again as it is.
  std::function<Finding(Seed seed)> run_longer{};
};

/// So many times the tasks has a row of known answers that is run again.
inline constexpr std::uint64_t kAgainTimes = 4;

/// Laws that hold on every sample path or in every setting: tests/verify/README.md lists them.
[[nodiscard]] std::vector<Check> invariant_checks(unsigned jobs);

/// Systems without a closed form, simulated elsewhere: same shape, within 3%.
[[nodiscard]] std::vector<Check> table_checks(unsigned jobs);

}  // namespace artel::verify
