#include "artel/metrics/fleet_growth.hpp"

#include <gtest/gtest.h>

#include <string>

#include "artel/metrics/metrics_page.hpp"

namespace artel::metrics {
namespace {

MetricsPage growing(const std::string& text) { return read_metrics_page(text, "page").page; }

TEST(FleetGrowth, IsOfAllWorkersTogether) {
  const auto page = [](const std::string& done) {
    std::string text;
    for (const char* id : {"a", "b"}) {
      const std::string labels = std::string("{worker=\"") + id + "\"} ";
      text += "artel_worker_threads" + labels + "4\nartel_worker_chunks_done_total" + labels +
              done + "\nartel_worker_busy_seconds_total" + labels + done + "\n";
    }
    return growing(text);
  };
  const auto growth = fleet_growth(page("10"), page("15")).value_or(FleetGrowth{});
  EXPECT_EQ(growth.tasks, 10);
  EXPECT_EQ(growth.busy_s, 10);
  EXPECT_EQ(growth.workers, 8U);
}

TEST(FleetGrowth, OfAPoolCountsWhatRan) {
  const auto page = [](const std::string& n) {
    return growing("artel_pool_workers 3\nartel_pool_service_seconds_sum " + n +
                   "\nartel_pool_tasks_ended_total{outcome=\"done\"} " + n +
                   "\nartel_pool_tasks_ended_total{outcome=\"failed\"} " + n +
                   "\nartel_pool_tasks_ended_total{outcome=\"cancelled\"} " + n + "\n");
  };
  const auto growth = fleet_growth(page("1"), page("3")).value_or(FleetGrowth{});
  EXPECT_EQ(growth.tasks, 4);
  EXPECT_EQ(growth.busy_s, 2);
  EXPECT_EQ(growth.workers, 3U);
}

TEST(FleetGrowth, OfOthersIsNothing) {
  EXPECT_FALSE(fleet_growth({}, {}));
  EXPECT_FALSE(fleet_growth(growing("go_threads 1\n"), growing("go_threads 1\n")));
}

}  // namespace
}  // namespace artel::metrics
