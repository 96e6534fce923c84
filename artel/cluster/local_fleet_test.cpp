#include "artel/cluster/local_fleet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "artel/cluster/detail/new_worker_id.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// A worker of this machine; `running`: how long each chunk in hand does, 0 waits for a thread.
WorkerReport here(std::int64_t pid, std::uint64_t done, Duration busy,
                  const std::vector<Duration>& running) {
  WorkerReport report{.worker = "w" + std::to_string(pid),
                      .host = detail::host_name(),
                      .pid = pid,
                      .done = done,
                      .busy = busy};
  for (const Duration time : running) report.held.push_back({.job = "job", .running = time});
  return report;
}

PoolStatus status_of(const std::vector<WorkerReport>& reports) {
  PoolStatus status{.pool = "p", .workers = {}, .queued = 5, .arrived = 90};
  for (const auto& report : reports) status.workers.push_back({.report = report});
  return status;
}

TEST(LocalFleet, CountsItsOwnWorkersAloneAndWhatWaitsInThePool) {
  LocalFleet fleet;
  auto elsewhere = here(1, 100, 100s, {1s, 1s});
  elsewhere.worker = "elsewhere";
  elsewhere.host = "another-machine";
  const auto figures = fleet.look(
      status_of({elsewhere, here(1, 3, 6s, {2s, 0s}), here(2, 1, 1s, {}), here(3, 50, 9s, {1s})}),
      {1, 2});
  EXPECT_EQ(figures.queued, 5U);
  EXPECT_EQ(figures.arrived, 90U);
  EXPECT_EQ(figures.in_hand, 2U);
  EXPECT_EQ(figures.running, 1U);
  EXPECT_EQ(figures.measured, 4U);
  EXPECT_EQ(figures.service, Duration{7s});
  EXPECT_EQ(figures.busy, Duration{9s});
  EXPECT_THAT(figures.answered, ElementsAre(Pair(1, 2U), Pair(2, 0U)));
}

TEST(LocalFleet, ABusyWorkerIsBusyBeforeItsChunkEnds) {
  LocalFleet fleet;
  EXPECT_EQ(fleet.look(status_of({here(1, 0, 0s, {4s})}), {1}).busy, Duration{4s});
  const auto later = fleet.look(status_of({here(1, 0, 0s, {6s})}), {1});
  EXPECT_EQ(later.busy, Duration{6s});
  EXPECT_EQ(later.service, Duration{});
  const auto ended = fleet.look(status_of({here(1, 1, 7s, {1s})}), {1});
  EXPECT_EQ(ended.busy, Duration{8s}) << "what was counted while it ran is not counted again";
  EXPECT_EQ(ended.service, Duration{7s});
  EXPECT_EQ(ended.measured, 1U);
}

TEST(LocalFleet, CountsGoOnWhenWorkersComeAndGo) {
  LocalFleet fleet;
  static_cast<void>(fleet.look(status_of({here(1, 10, 10s, {})}), {1}));
  const auto next = fleet.look(status_of({here(2, 4, 3s, {})}), {2});
  EXPECT_EQ(next.measured, 14U);
  EXPECT_EQ(next.busy, Duration{13s});
  // Another worker in a process of the same number.
  auto again = here(1, 1, 1s, {});
  again.worker = "new";
  EXPECT_EQ(fleet.look(status_of({again}), {1, 2}).measured, 15U);
}

TEST(LocalFleet, WhoDoesNotAnswerIsAsHeWas) {
  LocalFleet fleet;
  static_cast<void>(fleet.look(status_of({here(1, 10, 10s, {1s, 0s})}), {1}));
  const auto silent = fleet.look(status_of({}), {1});
  EXPECT_EQ(silent.in_hand, 2U);
  EXPECT_EQ(silent.running, 1U);
  EXPECT_EQ(silent.measured, 10U);
  EXPECT_THAT(silent.answered, IsEmpty());
  EXPECT_EQ(fleet.look(status_of({}), {}).in_hand, 0U) << "nor is he there any more";
}

}  // namespace
}  // namespace artel::cluster
