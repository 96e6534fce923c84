#include "artel/metrics/fleet_growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "artel/metrics/metrics_page.hpp"
#include "artel/metrics/page_change.hpp"

namespace artel::metrics {
namespace {

std::uint32_t sum_of(const MetricsPage& page, std::string_view name) {
  double sum = 0;
  for (const auto& sample : page.named(name)) {
    if (sample.value > 0) sum += sample.value;
  }
  constexpr double kMost = 100'000;  // as scenarios have at most
  return static_cast<std::uint32_t>(std::min(kMost, std::round(sum)));
}

}  // namespace

std::optional<FleetGrowth> fleet_growth(const MetricsPage& before, const MetricsPage& now) {
  const PageChange change(before, now, 1);
  const auto done = change.growth("artel_pool_tasks_ended_total", {{"outcome", "done"}});
  const auto failed = change.growth("artel_pool_tasks_ended_total", {{"outcome", "failed"}});
  const auto service = change.growth("artel_pool_service_seconds_sum");
  if (done && failed && service)
    return FleetGrowth{*done + *failed, *service, sum_of(now, "artel_pool_workers")};
  const auto chunks = change.growth("artel_worker_chunks_done_total");
  const auto lost = change.growth("artel_worker_chunks_failed_total");
  const auto busy = change.growth("artel_worker_busy_seconds_total");
  if (chunks && busy)
    return FleetGrowth{*chunks + lost.value_or(0), *busy, sum_of(now, "artel_worker_threads")};
  return std::nullopt;
}

}  // namespace artel::metrics
