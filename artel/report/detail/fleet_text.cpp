#include "artel/report/detail/fleet_text.hpp"

#include <fmt/core.h>

#include <string>

#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::report::detail {
namespace {

std::string text(const scenario::PoolSettings& pool, const char* workers) {
  if (!pool.scaling) return fmt::format("{}{}", pool.speeds.size(), workers);
  const auto& [policy, limits, start_up, delay] = *pool.scaling;
  return fmt::format("{} to {}{} ({})", limits.min, limits.max, workers, scaling::name(policy));
}

}  // namespace

std::string size_text(const scenario::PoolSettings& pool) { return text(pool, ""); }

std::string fleet_text(const scenario::PoolSettings& pool) {
  return text(pool, pool.workers_max() == 1 ? " worker" : " workers");
}

}  // namespace artel::report::detail
