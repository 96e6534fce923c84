#include "artel/dispatch/worker_table.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;

Instant at(int ms) { return Instant{milliseconds(ms)}; }

/// Three workers with room for two.
WorkerTable three(const Policy& policy, SizeLimits limits = {}) {
  WorkerTable table(policy, limits, 1);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(table.join({.capacity = 2}, at(0)));
  return table;
}

std::vector<std::size_t> chosen(WorkerTable& table, int tasks) {
  std::vector<std::size_t> ids;
  for (int i = 0; i < tasks; ++i) {
    const auto worker = table.choose(table.draw({}));
    if (worker) ids.push_back(index(*worker));
  }
  return ids;
}

TEST(WorkerTable, NamesWorkersInTurn) {
  auto table = three(RoundRobin{});
  EXPECT_EQ(chosen(table, 4), (std::vector<std::size_t>{0, 1, 2, 0}));
}

TEST(WorkerTable, BoundTasksCount) {
  auto table = three(LeastLoaded{});
  table.bind(WorkerId{0}, {});
  table.bind(WorkerId{1}, {});
  EXPECT_EQ(chosen(table, 1), (std::vector<std::size_t>{2}));
  table.unbind(WorkerId{0}, {});
  EXPECT_EQ(chosen(table, 1), (std::vector<std::size_t>{0}));
}

TEST(WorkerTable, IsOpenAsLongAsSomebodyHasRoom) {
  WorkerTable table(LeastLoaded{}, {}, 1);
  EXPECT_FALSE(table.open());
  ASSERT_TRUE(table.join({.capacity = 1}, at(0)));
  EXPECT_TRUE(table.open());
  table.bind(WorkerId{0}, {});
  EXPECT_FALSE(table.open());
}

TEST(WorkerTable, CycleIsOfThoseWhoAreThere) {
  auto table = three(WeightedRoundRobin{});
  ASSERT_TRUE(table.leave(WorkerId{1}, at(1)));
  EXPECT_EQ(chosen(table, 4), (std::vector<std::size_t>{0, 2, 0, 2}));
}

TEST(WorkerTable, AMemberWithoutCapacityIsNotNamedAndKeepsWhatItHas) {
  auto table = three(RoundRobin{});
  table.bind(WorkerId{1}, {});
  table.set_capacity(WorkerId{1}, 0, at(5));
  EXPECT_EQ(chosen(table, 3), (std::vector<std::size_t>{0, 2, 0}));
  EXPECT_TRUE(table.members().working(WorkerId{1}));
  EXPECT_EQ(table.loads().load(WorkerId{1}).queued, 1U);
  table.unbind(WorkerId{1}, {});
  EXPECT_TRUE(table.members().working(WorkerId{1}));
  table.set_capacity(WorkerId{1}, 2, at(6));
  EXPECT_EQ(chosen(table, 3), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(WorkerTable, LeavingWorkerIsGoneWhenNothingIsBoundToIt) {
  auto table = three(LeastLoaded{});
  table.bind(WorkerId{0}, {});
  table.bind(WorkerId{0}, {});
  ASSERT_TRUE(table.leave(WorkerId{0}, at(1)));
  EXPECT_EQ(chosen(table, 1), (std::vector<std::size_t>{1}));
  table.start(WorkerId{0}, {});
  table.finish(WorkerId{0});
  EXPECT_TRUE(table.members().leaving(WorkerId{0}));
  table.unbind(WorkerId{0}, {});
  EXPECT_FALSE(table.members().leaving(WorkerId{0}));
  EXPECT_EQ(table.join({}, at(2)), WorkerId{0});
}

TEST(WorkerTable, IdleWorkerIsGoneAtOnce) {
  auto table = three(LeastLoaded{});
  ASSERT_TRUE(table.leave(WorkerId{2}, at(1)));
  EXPECT_EQ(table.join({}, at(1)), WorkerId{2});
}

TEST(WorkerTable, MinimumHoldsThoseWhoLeaveButNotThoseExpelled) {
  auto table = three(LeastLoaded{}, {.min = 3});
  EXPECT_FALSE(table.leave(WorkerId{0}, at(1)));
  table.expel(WorkerId{0}, at(1));
  EXPECT_EQ(table.members().size(), 2U);
  EXPECT_EQ(chosen(table, 1), (std::vector<std::size_t>{1}));
}

TEST(WorkerTable, SharesFollowTheMembersAtTheNextDraw) {
  auto table = three(ClosedLoop{});
  EXPECT_EQ(table.share(WorkerId{0}), 0);  // there was no draw yet
  table.renew();
  EXPECT_DOUBLE_EQ(table.share(WorkerId{0}), 1.0 / 3);
  ASSERT_TRUE(table.leave(WorkerId{2}, at(1)));
  static_cast<void>(table.draw({}));
  EXPECT_DOUBLE_EQ(table.share(WorkerId{0}), 0.5);
  EXPECT_EQ(table.share(WorkerId{2}), 0);
}

TEST(WorkerTable, ReportsMoveTheSharesAtTheNextPublication) {
  auto table = three(ClosedLoop{});
  table.renew();
  for (std::uint32_t i = 0; i < 3; ++i) {
    table.report({.worker = WorkerId{i},
                  .queued = i == 0 ? 100U : 0U,
                  .committed = 10,
                  .sent = at(50),
                  .back = at(100)});
  }
  EXPECT_DOUBLE_EQ(table.share(WorkerId{0}), 1.0 / 3);
  table.publish(at(100));
  EXPECT_LT(table.share(WorkerId{0}), 0.1);
}

TEST(WorkerTable, WithoutAClosedLoopThereIsNothingToPublish) {
  auto table = three(LeastLoaded{});
  EXPECT_EQ(table.closed_loop(), nullptr);
  table.report({});
  table.publish(at(1));
  EXPECT_EQ(table.share(WorkerId{0}), 0);
}

}  // namespace
}  // namespace artel::dispatch
