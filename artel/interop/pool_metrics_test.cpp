#include "artel/interop/pool_metrics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "artel/interop/metric.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_stats.hpp"

namespace artel::interop {
namespace {

using namespace std::chrono_literals;

// Of the metric with that label besides; -1: there is none.
double value_of(const std::vector<Metric>& metrics, const std::string& name,
                const std::pair<std::string, std::string>& with = {"pool", "films"}) {
  for (const auto& metric : metrics) {
    if (metric.name != "artel_pool_" + name) continue;
    for (const auto& label : metric.labels) {
      if (label == with) return metric.value;
    }
  }
  return -1;
}

TEST(PoolMetrics, TellOfAPool) {
  pool::Pool pool({.workers = 3});
  for (int i = 0; i < 20; ++i) pool.submit([] {}).get();
  auto failing = pool.submit([]() -> int { throw std::runtime_error("no"); });
  EXPECT_ANY_THROW(failing.get());
  ASSERT_TRUE(pool.wait_idle());
  const auto metrics = pool_metrics(pool.stats(), "films");
  EXPECT_EQ(value_of(metrics, "workers"), 3);
  EXPECT_GE(value_of(metrics, "tasks_running"), 0);  // a worker may not have noticed its end yet
  EXPECT_EQ(value_of(metrics, "tasks_queued"), 0);
  EXPECT_EQ(value_of(metrics, "tasks_accepted_total"), 21);
  EXPECT_EQ(value_of(metrics, "tasks_ended_total", {"outcome", "done"}), 20);
  EXPECT_EQ(value_of(metrics, "tasks_ended_total", {"outcome", "failed"}), 1);
  EXPECT_GT(value_of(metrics, "service_seconds_bucket", {"le", "+Inf"}), 0);
}

TEST(PoolMetrics, WorkersAreThoseThatTakeTasks) {
  pool::PoolStats stats;
  stats.workers.resize(3);
  stats.workers[1].open = true;
  EXPECT_EQ(value_of(pool_metrics(stats, "films"), "workers"), 1);
}

TEST(PoolMetrics, BucketsCountWhatIsAtMostThatLong) {
  pool::PoolStats stats;
  stats.total.service_ns.record(1'000'000, 3);       // 1 ms
  stats.total.service_ns.record(200'000'000, 2);     // 200 ms
  stats.total.service_ns.record(5'000'000'000'000);  // longer than all bounds
  stats.total.busy_time = 1500ms;
  const auto metrics = pool_metrics(stats, "films");
  const auto at_most = [&](const char* bound) {
    return value_of(metrics, "service_seconds_bucket", {"le", bound});
  };
  EXPECT_EQ(at_most("0.0005"), 0);
  EXPECT_EQ(at_most("0.001"), 3);
  EXPECT_EQ(at_most("0.1"), 3);
  EXPECT_EQ(at_most("0.25"), 5);
  EXPECT_EQ(at_most("1000"), 5);
  EXPECT_EQ(at_most("+Inf"), 6);
  EXPECT_EQ(value_of(metrics, "service_seconds_count"), 6);
  EXPECT_NEAR(value_of(metrics, "service_seconds_sum"), 5000.403, 1e-6);
  EXPECT_EQ(value_of(metrics, "busy_seconds_total"), 1.5);
  EXPECT_EQ(value_of(metrics, "wait_seconds_count"), 0);
}

}  // namespace
}  // namespace artel::interop
