#include "artel/metrics/fleet_row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "artel/metrics/metrics_page.hpp"

namespace artel::metrics {
namespace {

using testing::DoubleEq;
using testing::Optional;

MetricsPage page_with(const std::string& text) { return read_metrics_page(text, "page").page; }

std::string worker(const char* done, const char* busy, const char* failed = "1") {
  const std::string labels = "{pool=\"films\",worker=\"a1\"} ";
  return "artel_worker_threads" + labels + "4\nartel_worker_chunks_running" + labels +
         "3\nartel_worker_chunks_waiting" + labels + "2\nartel_worker_chunks_done_total" + labels +
         done + "\nartel_worker_chunks_failed_total" + labels + failed +
         "\nartel_worker_busy_seconds_total" + labels + busy + "\nartel_worker_draining" + labels +
         "1\n";
}

TEST(FleetRow, AWorkerOfACluster) {
  const auto before = page_with(worker("100", "50"));
  const auto now = page_with(worker("120", "56", "5"));
  const auto rows = fleet_rows(&before, now, 2);
  ASSERT_EQ(rows.size(), 1U);
  const auto& row = rows[0];
  EXPECT_EQ(row.kind, "worker");
  EXPECT_EQ(row.name, "a1");
  EXPECT_EQ(row.pool, "films");
  EXPECT_EQ(row.workers, 4);
  EXPECT_EQ(row.running, 3);
  EXPECT_EQ(row.queued, 2);
  EXPECT_EQ(row.done, 10);
  EXPECT_EQ(row.failed, 2);
  EXPECT_EQ(row.busy, 0.75);    // 3 of 4 threads
  EXPECT_EQ(row.mean_s, 0.25);  // 6 s for 24 chunks, 4 of which failed
  EXPECT_TRUE(row.draining);
  EXPECT_EQ(row.service_p99_s, std::nullopt);
}

TEST(FleetRow, OneLookTellsNoRates) {
  const auto rows = fleet_rows(nullptr, page_with(worker("100", "50")), 1);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].workers, 4);
  EXPECT_EQ(rows[0].done, std::nullopt);
  EXPECT_EQ(rows[0].busy, std::nullopt);
}

TEST(FleetRow, AMasterKnowsWhatIsOut) {
  const auto now = page_with(
      "artel_master_workers{pool=\"p\"} 3\nartel_master_worker_threads{pool=\"p\"} 12\n"
      "artel_master_chunks_issued_total{pool=\"p\"} 50\n"
      "artel_master_chunks_done_total{pool=\"p\"} 40\nartel_master_chunks_dead_total{pool=\"p\"} "
      "1\n");
  const auto rows = fleet_rows(nullptr, now, 1);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].kind, "master");
  EXPECT_EQ(rows[0].workers, 12);
  EXPECT_EQ(rows[0].running, 9);
}

TEST(FleetRow, APoolHasQuantiles) {
  const auto pool = [](int done, int short_ones) {
    const auto all = std::to_string(done);
    return page_with(
        "artel_pool_workers{pool=\"a\"} 8\nartel_pool_tasks_queued{pool=\"a\"} 5\n"
        "artel_pool_tasks_ended_total{outcome=\"done\",pool=\"a\"} " +
        all +
        "\n"
        "artel_pool_tasks_ended_total{outcome=\"failed\",pool=\"a\"} 7\n"
        "artel_pool_service_seconds_bucket{le=\"0.1\",pool=\"a\"} " +
        std::to_string(short_ones) +
        "\n"
        "artel_pool_service_seconds_bucket{le=\"0.2\",pool=\"a\"} " +
        all +
        "\n"
        "artel_pool_service_seconds_bucket{le=\"+Inf\",pool=\"a\"} " +
        all +
        "\n"
        "artel_pool_workers{pool=\"b\"} 2\n");
  };
  const auto before = pool(0, 0), now = pool(100, 60);
  const auto rows = fleet_rows(&before, now, 10);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "a");
  EXPECT_EQ(rows[0].done, 10);
  EXPECT_EQ(rows[0].failed, 0);
  EXPECT_THAT(rows[0].service_p50_s, Optional(DoubleEq(0.1 * 50 / 60)));
  EXPECT_THAT(rows[0].service_p99_s, Optional(DoubleEq(0.1 + 0.1 * 39 / 40)));
  EXPECT_EQ(rows[1].name, "b");
  EXPECT_EQ(rows[1].queued, std::nullopt);
}

TEST(FleetRow, OthersAreNotOfArtel) {
  EXPECT_TRUE(fleet_rows(nullptr, page_with("go_threads 8\nartel 3\n"), 1).empty());
}

}  // namespace
}  // namespace artel::metrics
