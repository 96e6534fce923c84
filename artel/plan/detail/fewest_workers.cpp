#include "artel/plan/detail/fewest_workers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::plan::detail {
namespace {

struct Kind {
  double speed;
  std::uint32_t queue_bound;
  double share;  // of all workers
  std::uint32_t have = 0;
};

std::vector<Kind> kinds_of(const scenario::PoolSettings& pool) {
  std::vector<Kind> kinds;
  const double share = 1.0 / static_cast<double>(pool.speeds.size());
  for (std::size_t w = 0; w < pool.speeds.size(); ++w) {
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
      return kind.speed == pool.speeds[w] && kind.queue_bound == pool.queue_bounds[w];
    });
    if (known != kinds.end()) {
      known->share += share;
    } else {
      kinds.push_back({pool.speeds[w], pool.queue_bounds[w], share});
    }
  }
  return kinds;
}

}  // namespace

scenario::PoolSettings resized(const scenario::PoolSettings& pool, std::uint32_t workers) {
  ARTEL_REQUIRE(workers >= 1 && !pool.speeds.empty(), "a pool has workers", workers);
  auto kinds = kinds_of(pool);
  auto result = pool;
  result.scaling.reset();
  result.speeds.clear();
  result.queue_bounds.clear();
  for (std::uint32_t w = 0; w < workers; ++w) {
    const auto wanting = [&](const Kind& kind) { return kind.share * (w + 1) - kind.have; };
    auto& next = *std::max_element(kinds.begin(), kinds.end(), [&](const Kind& a, const Kind& b) {
      return wanting(a) < wanting(b);
    });
    ++next.have;
    result.speeds.push_back(next.speed);
    result.queue_bounds.push_back(next.queue_bound);
  }
  return result;
}

std::optional<std::uint32_t> queue_bound_of(const scenario::PoolSettings& pool,
                                            const scenario::PolicySpec& policy) {
  if (policy.queue_bound) return policy.queue_bound;
  const auto& bounds = pool.queue_bounds;
  const bool equal =
      std::adjacent_find(bounds.begin(), bounds.end(), std::not_equal_to<>{}) == bounds.end();
  return equal ? std::optional(bounds.front()) : std::nullopt;
}

std::optional<std::uint32_t> fewest_workers(const scenario::Scenario& scenario,
                                            const scenario::PolicySpec& policy, std::uint32_t max) {
  const auto& workload = scenario.workload;
  const bool ends = std::holds_alternative<scenario::TraceArrivals>(workload.arrivals) ||
                    scenario::timetable_of(workload.arrivals) != nullptr ||
                    std::holds_alternative<scenario::ClosedArrivals>(workload.arrivals);
  const double needed = ends || !scenario::takes_all(scenario.pool, policy) || workload.sheds()
                            ? 0
                            : workload.rate * workload.mean_service_s * workload.fork;
  const auto largest = resized(scenario.pool, max);
  const double each = largest.worker.capacity(workload.mean_service_s);
  const auto& ejection = scenario.dispatch.ejection;
  double capacity = 0;
  for (std::uint32_t w = 1; w <= max; ++w) {
    capacity += largest.speeds[w - 1] * each;
    if (ejection && ejection->most_left_out(w) == 0) continue;
    if (w >= workload.callers.copies && capacity > needed) return w;
  }
  return std::nullopt;
}

}  // namespace artel::plan::detail
