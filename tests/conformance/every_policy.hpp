#pragma once

#include <string>
#include <vector>

#include "artel/dispatch/policy.hpp"

namespace artel::conformance {

/// One of each policy there is, with every measure, and a user's own. The closed loops send beacons
/// every 20 ns, for hosts in virtual time.
[[nodiscard]] std::vector<dispatch::Policy> every_policy();

/// Those of them that a pool takes: it knows nothing of caches.
[[nodiscard]] std::vector<dispatch::Policy> every_policy_of_pools();

/// The policy's name in letters that a test's name may have.
[[nodiscard]] std::string identifier(const dispatch::Policy& policy);

}  // namespace artel::conformance
