#pragma once

#include <vector>

#include "tests/verify/check.hpp"

namespace artel::verify {

/// The published table of palantir/dialogue's client simulation: success within 2 points, mean
/// response within 5%, for thirteen of its scenarios and its three strategies.
[[nodiscard]] std::vector<Check> dialogue_checks();

}  // namespace artel::verify
