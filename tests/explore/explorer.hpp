#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

#include "tests/explore/execution.hpp"

namespace artel::explore {

/// What was found.
struct Report {
  std::string failure;         ///< of the first execution that went wrong; empty: none did
  std::string trace;           ///< its steps
  std::size_t executions = 0;  ///< looked at
  std::size_t states = 0;      ///< met at choices between threads
  bool complete = false;       ///< all within the bounds

  [[nodiscard]] bool sound() const { return failure.empty() && complete; }
};
std::ostream& operator<<(std::ostream& out, const Report& report);

using Scenario = std::function<void(Execution&)>;

/// Runs the scenario in all ways within the bounds, until one goes wrong.
[[nodiscard]] Report explore(const Bounds& bounds, const Scenario& scenario);

}  // namespace artel::explore
