#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/interop/metric.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::interop {

/// Upper bounds of the buckets of times in pool_metrics(): 1, 2.5 and 5 of each power of ten.
inline constexpr std::array<std::pair<const char*, std::uint64_t>, 24> kMetricBucketsNs{
    {{"1e-06", 1'000},       {"2.5e-06", 2'500},       {"5e-06", 5'000},
     {"1e-05", 10'000},      {"2.5e-05", 25'000},      {"5e-05", 50'000},
     {"0.0001", 100'000},    {"0.00025", 250'000},     {"0.0005", 500'000},
     {"0.001", 1'000'000},   {"0.0025", 2'500'000},    {"0.005", 5'000'000},
     {"0.01", 10'000'000},   {"0.025", 25'000'000},    {"0.05", 50'000'000},
     {"0.1", 100'000'000},   {"0.25", 250'000'000},    {"0.5", 500'000'000},
     {"1", 1'000'000'000},   {"2.5", 2'500'000'000},   {"5", 5'000'000'000},
     {"10", 10'000'000'000}, {"100", 100'000'000'000}, {"1000", 1'000'000'000'000}}};

namespace detail {

// As a histogram of Prometheus, whose parts are counters.
inline void add_times(std::vector<Metric>& metrics, const std::string& name, const char* help,
                      const stat::Histogram& ns,
                      const std::vector<std::pair<std::string, std::string>>& labels) {
  std::array<std::uint64_t, kMetricBucketsNs.size()> counts{};
  ns.for_each([&](const stat::Histogram::Bucket& bucket) {
    for (std::size_t i = kMetricBucketsNs.size();
         i > 0 && bucket.low <= kMetricBucketsNs[i - 1].second; --i)
      counts[i - 1] += bucket.count;
  });
  const auto add = [&](const char* part, double value, const char* at_most) {
    auto with = labels;
    if (at_most != nullptr) with.emplace_back("le", at_most);
    metrics.push_back({name + part, help, MetricKind::counter, value, std::move(with)});
  };
  for (std::size_t i = 0; i < counts.size(); ++i)
    add("_bucket", static_cast<double>(counts[i]), kMetricBucketsNs[i].first);
  const auto all = static_cast<double>(ns.count());
  add("_bucket", all, "+Inf");
  add("_count", all, nullptr);
  add("_sum", ns.empty() ? 0 : ns.mean() * all / 1e9, nullptr);
}

}  // namespace detail

/// A pool's figures under the names that `artel top` and `artel watch` know, for a MetricsServer;
/// `name` tells pools of one program apart. docs/interop.md lists them.
///
///     auto server = interop::MetricsServer::start("127.0.0.1:9464", [&] {
///       return interop::pool_metrics(pool.stats(), "films");
///     });
///
/// Cost: what the pool's stats() take, and some microseconds.
[[nodiscard]] inline std::vector<Metric> pool_metrics(const pool::PoolStats& stats,
                                                      const std::string& name = "pool") {
  const std::vector<std::pair<std::string, std::string>> labels{{"pool", name}};
  std::vector<Metric> metrics;
  const auto add = [&](const char* of, const char* help, MetricKind kind, double value) {
    metrics.push_back({std::string("artel_pool_") + of, help, kind, value, labels});
  };
  using enum MetricKind;
  const auto open = std::ranges::count_if(stats.workers, &pool::WorkerStats::open);
  const auto busy = std::ranges::count_if(stats.workers, &pool::WorkerStats::busy);
  add("workers", "Workers that take tasks", gauge, static_cast<double>(open));
  add("tasks_running", "Tasks that are being worked on", gauge, static_cast<double>(busy));
  add("tasks_queued", "Tasks that wait", gauge,
      static_cast<double>(stats.total.queued + stats.queued_common));
  add("tasks_accepted_total", "Tasks that got in", counter, static_cast<double>(stats.accepted));
  add("tasks_refused_total", "Tasks that did not get in", counter,
      static_cast<double>(stats.refused));
  for (std::size_t i = 0; i < pool::kOutcomes; ++i) {
    const auto outcome = static_cast<pool::TaskOutcome>(i);
    auto with = labels;
    with.emplace_back("outcome", trace::name(outcome));
    metrics.push_back({"artel_pool_tasks_ended_total", "Tasks that have ended, by how", counter,
                       static_cast<double>(stats.total.outcomes.of(outcome)), std::move(with)});
  }
  add("busy_seconds_total", "Time that workers were not idle", counter,
      to_seconds(stats.total.busy_time));
  detail::add_times(metrics, "artel_pool_service_seconds", "From start to end",
                    stats.total.service_ns, labels);
  detail::add_times(metrics, "artel_pool_wait_seconds", "From submission to start",
                    stats.total.queue_delay_ns, labels);
  return metrics;
}

}  // namespace artel::interop
