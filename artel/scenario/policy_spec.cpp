#include "artel/scenario/policy_spec.hpp"

#include <algorithm>

#include "artel/dispatch/when_full.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::scenario {

bool takes_all(const PoolSettings& pool, const PolicySpec& policy) {
  if (!pool.admission.none()) return false;
  if (pool.when_full == dispatch::WhenFull::block || pool.common_bound == kUnbounded) return true;
  if (policy.queue_bound) return *policy.queue_bound == kUnbounded;
  return std::find(pool.queue_bounds.begin(), pool.queue_bounds.end(), kUnbounded) !=
         pool.queue_bounds.end();
}

}  // namespace artel::scenario
