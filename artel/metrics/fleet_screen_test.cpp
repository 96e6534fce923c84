#include "artel/metrics/fleet_screen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "artel/metrics/fleet_row.hpp"

namespace artel::metrics {
namespace {

using testing::ElementsAre;

FleetScreen some_screen() {
  FleetRow pool{.kind = "pool", .name = "films", .pool = {}};
  pool.workers = 8;
  pool.busy = 0.5;
  pool.queued = 3;
  pool.done = 12.25;
  pool.service_p99_s = 0.25;
  FleetRow worker{.kind = "worker", .name = "w\x1B[2J", .pool = "p"};
  worker.workers = 4;
  worker.busy = 0.9;
  worker.draining = true;
  return {.sources = {{.address = "a:1", .rows = {pool, worker}}}, .headline = "every 2 s"};
}

TEST(FleetScreen, IsATable) {
  EXPECT_THAT(
      screen_lines(some_screen()),
      ElementsAre(
          "artel top  every 2 s",
          "        name               workers  busy  running  queued  done/s  failed/s  mean  p50  "
          "   "
          "p99  p99 wait",
          "pool    films                    8   50%        -       3    12.2         -     -    -  "
          "250 ms         -",
          "worker  w?[2J (p) leaving        4   90%        -       -       -         -     -    -  "
          "     -         -"));
}

TEST(FleetScreen, SaysWhatIsWrong) {
  auto screen = some_screen();
  screen.sources[0].trouble = "Connection refused";
  EXPECT_EQ(screen_lines(screen)[1], "a:1: Connection refused");
  EXPECT_EQ(screen_lines(screen).size(), 5U);  // what was known last stays
}

TEST(FleetScreen, FitsIntoTheTerminal) {
  const auto screen = some_screen();
  for (std::size_t columns = 0; columns < 110; columns += 7) {
    for (std::size_t rows = 0; rows < 7; ++rows) {
      const auto lines = screen_lines(screen, columns, rows);
      EXPECT_LE(lines.size(), rows);
      for (const auto& line : lines) EXPECT_LE(line.size(), columns);
    }
  }
  EXPECT_EQ(screen_lines(screen, kAnySize, 3).back(), "... 2 lines more");
}

TEST(FleetScreen, IsPutInOrder) {
  auto screen = some_screen();
  const auto first = [&](RowOrder order) {
    screen.order = order;
    return screen_lines(screen)[2].substr(0, 4);
  };
  EXPECT_EQ(first(RowOrder::as_served), "pool");
  EXPECT_EQ(first(RowOrder::busy), "work");
  EXPECT_EQ(first(RowOrder::done), "pool");
  EXPECT_EQ(first(RowOrder::queued), "pool");
  EXPECT_EQ(first(RowOrder::name), "pool");
}

}  // namespace
}  // namespace artel::metrics
