#include "artel/sim/model/disk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"
#include "artel/sim/model/operation_id.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

// 1000 bytes, reads 100 bytes/s, writes 50 bytes/s.
DiskOptions plain_disk() {
  return {.capacity = 1000, .read = {.bandwidth = 100}, .write = {.bandwidth = 50}};
}

/// Writes down what it hears of.
struct Witness : Component<DiskReadDone, DiskWriteDone> {
  struct Entry {
    std::string what;
    OperationId operation{};
    Duration at{};
    friend bool operator==(const Entry&, const Entry&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Entry& entry) {
      return out << entry.what << " of " << index(entry.operation) << " at " << entry.at.count()
                 << " ns";
    }
  };

  void on(const DiskReadDone& done) { note("read", done.operation, done.outcome); }
  void on(const DiskWriteDone& done) { note("write", done.operation, done.outcome); }
  void note(const std::string& what, OperationId operation, DiskOutcome outcome) {
    entries.push_back(
        {what + " " + std::string(describe(outcome)), operation, now().time_since_epoch()});
  }

  std::vector<Entry> entries;
};
struct DiskTest : testing::Test {
  void use(const DiskOptions& options) {
    disk = &simulation.add<Disk>("disk", options);
    witness = &simulation.add<Witness>("witness");
  }
  OperationId read(std::uint64_t bytes) { return disk->start_read(bytes, witness->id()); }
  OperationId write(std::uint64_t bytes) { return disk->start_write(bytes, witness->id()); }

  Simulation simulation;
  Disk* disk = nullptr;
  Witness* witness = nullptr;
};

// 100 and 300 bytes at 100 bytes/s: 50 each until the first ends at 100/50 = 2 s; the other has
// 300 - 100 = 200 left at 100: ends at 2 + 2 = 4 s.
TEST_F(DiskTest, ReadsShareTheBandwidth) {
  use(plain_disk());
  const OperationId first = read(100);
  const OperationId second = read(300);
  simulation.run();
  EXPECT_EQ(witness->entries,
            (std::vector<Witness::Entry>{{"read done", first, 2s}, {"read done", second, 4s}}));
}

// A read of 200 bytes alone at 100 bytes/s: 2 s; a write of 200 alone at 50 bytes/s: 4 s.
TEST_F(DiskTest, ReadsAndWritesDoNotDisturbEachOther) {
  use(plain_disk());
  const OperationId reading = read(200);
  const OperationId writing = write(200);
  simulation.run();
  EXPECT_EQ(witness->entries,
            (std::vector<Witness::Entry>{{"read done", reading, 2s}, {"write done", writing, 4s}}));
}

// Two reads of 150 bytes, 50 bytes/s each: 100 left of each after 1 s. None for 2 s, then 20
// bytes/s in total, 10 each: 10 s more. A write goes on at its own 50 bytes/s: 100 / 50 = 2 s.
TEST_F(DiskTest, TheBandwidthMayChangeAtRunTime) {
  use(plain_disk());
  const OperationId first = read(150);
  const OperationId second = read(150);
  const OperationId writing = write(100);
  simulation.run_until(Instant{1s});
  disk->set_read_bandwidth(0);
  simulation.run_until(Instant{3s});
  EXPECT_EQ(disk->left(first), 100);
  disk->set_read_bandwidth(20);
  simulation.run();
  EXPECT_EQ(witness->entries, (std::vector<Witness::Entry>{{"write done", writing, 2s},
                                                           {"read done", first, 13s},
                                                           {"read done", second, 13s}}));
}

// Efficiency 1/n: two reads get 100/2 in total, 25 bytes/s each. 50/25 = 2 s; the other has 50
// left at 100: 2.5 s.
TEST_F(DiskTest, BandwidthMayDegradeWithTheNumberOfOperations) {
  DiskOptions options = plain_disk();
  options.read.efficiency = [](std::size_t n) { return 1.0 / static_cast<double>(n); };
  use(options);
  const OperationId first = read(50);
  const OperationId second = read(100);
  simulation.run();
  EXPECT_EQ(witness->entries,
            (std::vector<Witness::Entry>{{"read done", first, 2s}, {"read done", second, 2500ms}}));
}

// A factor of 1/2 for more than 100 bytes: 200 bytes take 200/(100 · 1/2) = 4 s.
TEST_F(DiskTest, AFactorMayDependOnTheOperation) {
  DiskOptions options = plain_disk();
  options.read.factor = [](std::uint64_t bytes, random::Stream&) {
    return bytes > 100 ? 0.5 : 1.0;
  };
  use(options);
  const OperationId id = read(200);
  simulation.run();
  EXPECT_EQ(witness->entries, (std::vector<Witness::Entry>{{"read done", id, 4s}}));
}

// At most two at once: 100 and 100 at 50 bytes/s each end at 2 s. The third and fourth begin then,
// end at 4 s.
TEST_F(DiskTest, OperationsBeyondTheLimitWaitInOrder) {
  DiskOptions options = plain_disk();
  options.read.operations_max = 2;
  use(options);
  std::vector<Witness::Entry> expected;
  for (int i = 0; i < 4; ++i) expected.push_back({"read done", read(100), i < 2 ? 2s : 4s});
  simulation.run();
  EXPECT_EQ(witness->entries, expected);
}

// One at once. The second waits, and is cancelled at 0.5 s: the third begins at 1 s, not at 3 s.
TEST_F(DiskTest, OneThatWaitsCanBeCancelled) {
  DiskOptions options = plain_disk();
  options.read.operations_max = 1;
  use(options);
  const OperationId first = read(100);
  const OperationId second = read(200);
  const OperationId third = read(100);
  simulation.run_until(Instant{500ms});
  EXPECT_EQ(disk->left(first), 50.0);
  EXPECT_EQ(disk->left(second), 200.0);
  EXPECT_EQ(disk->cancel(second), 200.0);
  EXPECT_EQ(disk->cancel(second), std::nullopt);
  simulation.run();
  EXPECT_EQ(witness->entries,
            (std::vector<Witness::Entry>{{"read done", first, 1s}, {"read done", third, 2s}}));
}

// Cancelled at 1 s with 200 - 50 = 150 to go; the other has 100 - 50 = 50 left at 100: 1.5 s.
TEST_F(DiskTest, CancellingTellsWhatWasLeftAndSpeedsUpTheOthers) {
  use(plain_disk());
  const OperationId first = read(200);
  const OperationId second = read(100);
  simulation.run_until(Instant{1s});
  EXPECT_EQ(disk->cancel(first), 150.0);
  EXPECT_EQ(disk->left(first), std::nullopt);
  simulation.run();
  EXPECT_EQ(witness->entries, (std::vector<Witness::Entry>{{"read done", second, 1500ms}}));
}

TEST_F(DiskTest, SpaceIsTakenWhenAWriteIsSubmittedAndGivenBackByCancelAndFree) {
  DiskOptions options = plain_disk();
  options.used = 300;
  use(options);
  EXPECT_EQ(disk->available(), 700U);
  const OperationId first = write(600);
  EXPECT_EQ(disk->used(), 900U);
  const OperationId refused = write(200);
  EXPECT_TRUE(disk->cancel(first));
  EXPECT_EQ(disk->used(), 300U);
  const OperationId second = write(200);  // 4 s
  simulation.run();
  EXPECT_EQ(disk->used(), 500U);
  EXPECT_FALSE(disk->cancel(second));
  disk->free(500);
  EXPECT_EQ(disk->available(), 1000U);
  EXPECT_EQ(witness->entries, (std::vector<Witness::Entry>{{"write no space", refused, 0s},
                                                           {"write done", second, 4s}}));
}

TEST_F(DiskTest, MoreThanTheDiskHasIsRefused) {
  use(plain_disk());
  const OperationId reading = read(1001);
  const OperationId writing = write(1001);
  simulation.run();
  EXPECT_EQ(witness->entries,
            (std::vector<Witness::Entry>{{"read larger than the disk", reading, 0s},
                                         {"write larger than the disk", writing, 0s}}));
  EXPECT_EQ(disk->used(), 0U);
}

TEST_F(DiskTest, AnOperationCostsTwoEventsAndARefusalOne) {
  use(plain_disk());
  read(100);
  read(100);  // ends at the same instant
  write(100);
  simulation.run();
  EXPECT_EQ(simulation.event_count(), 6U);
  write(2000);
  simulation.run();
  EXPECT_EQ(simulation.event_count(), 7U);
}

// 0 bytes end at once, at zero cost.
TEST_F(DiskTest, NothingIsReadInNoTime) {
  use(plain_disk());
  const OperationId id = read(0);
  simulation.run();
  EXPECT_EQ(witness->entries, (std::vector<Witness::Entry>{{"read done", id, 0s}}));
}

TEST_F(DiskTest, WhatEndsForAComponentThatIsGoneIsDropped) {
  use(plain_disk());
  write(100);
  simulation.remove(witness->id());
  simulation.run();
  EXPECT_EQ(simulation.dropped_count(), 1U);
  EXPECT_EQ(disk->used(), 100U);
}

// --- Coroutines.

using Diary = std::vector<std::pair<Duration, DiskOutcome>>;

Task<> write_and_read(Context& self, Disk& disk, Diary& diary) {
  for (const std::uint64_t bytes : {100U, 1000U, 0U}) {
    const DiskOutcome outcome = co_await disk.write(bytes);
    diary.emplace_back(self.now().time_since_epoch(), outcome);
  }
  const DiskOutcome outcome = co_await disk.read(100);
  diary.emplace_back(self.now().time_since_epoch(), outcome);
}

// 100/50 = 2 s; no room for 1000 more; nothing in no time; 100/100 = 1 s.
TEST_F(DiskTest, TasksGiveTheOutcome) {
  use(plain_disk());
  Diary diary;
  witness->spawn(write_and_read(*witness, *disk, diary));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(diary, (Diary{{2s, DiskOutcome::done},
                          {2s, DiskOutcome::no_space},
                          {2s, DiskOutcome::done},
                          {3s, DiskOutcome::done}}));
  EXPECT_TRUE(witness->entries.empty());
}

Task<> read_for_a_second(Context& self, Disk& disk, std::vector<std::size_t>& winners) {
  const auto first = co_await any_of(disk.read(300), self.sleep(1s));
  winners.push_back(first.index());
  const auto second = co_await any_of(disk.read(10), self.sleep(1s));
  winners.push_back(second.index());
}

// The loser has given up its part: 10 bytes take 0.1 s then.
TEST_F(DiskTest, TheLoserOfAnyOfIsCancelled) {
  use(plain_disk());
  std::vector<std::size_t> winners;
  witness->spawn(read_for_a_second(*witness, *disk, winners));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(winners, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(simulation.now(), Instant{1100ms});
  EXPECT_EQ(simulation.blocks_in_use(), 2U);  // the two components
}

Task<> write_in_time(Context&, Disk& disk, Duration limit, std::optional<bool>& in_time) {
  const auto outcome = co_await with_timeout(disk.write(100), limit);
  in_time = outcome.has_value();
}

// A write of 100 bytes takes 2 s.
TEST_F(DiskTest, AWriteThatRunsOutOfTimeGivesItsSpaceBack) {
  use(plain_disk());
  std::optional<bool> in_time;
  witness->spawn(write_in_time(*witness, *disk, 1s, in_time));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(in_time, false);
  EXPECT_EQ(disk->used(), 0U);
  witness->spawn(write_in_time(*witness, *disk, 3s, in_time));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(in_time, true);
  EXPECT_EQ(disk->used(), 100U);
}

struct Stop {};
struct Stopper : Component<Stop> {
  explicit Stopper(Process<> process) : victim(std::move(process)) {}
  void on(const Stop&) { victim.cancel(); }
  Process<> victim;
};
Task<> read_once(Context&, Disk& disk, std::uint64_t bytes) {
  static_cast<void>(co_await disk.read(bytes));
}

// At 1 s the disk has sent its completion; before it is delivered, the process is cancelled: the
// component, which does not handle it, must not get it.
TEST_F(DiskTest, ACompletionOnItsWayToACancelledProcessIsTakenBack) {
  use(plain_disk());
  Context& reader = simulation.add_context("reader");
  const Process<> reading = reader.spawn(read_once(reader, *disk, 100));
  simulation.run_until(Instant{500ms});
  Stopper& stopper = simulation.add<Stopper>("stopper", reading);
  stopper.emit_self(Stop{}, 500ms);  // after the disk's own event of that instant
  simulation.run();
  EXPECT_EQ(reading.status(), ProcessStatus::cancelled);
  EXPECT_EQ(simulation.now(), Instant{1s});
}

TEST_F(DiskTest, ARefusalOnItsWayToACancelledProcessIsTakenBack) {
  use(plain_disk());
  Context& reader = simulation.add_context("reader");
  const Process<> reading = reader.spawn(read_once(reader, *disk, 5000));
  simulation.step();
  EXPECT_EQ(simulation.pending_count(), 1U);
  reading.cancel();
  EXPECT_EQ(simulation.run(), 0U);
}

TEST_F(DiskTest, AComponentThatIsRemovedGivesUpWhatItAwaits) {
  use(plain_disk());
  Context& reader = simulation.add_context("reader");
  reader.spawn(read_once(reader, *disk, 1000));
  const OperationId other = read(100);
  simulation.run_until(Instant{1s});
  simulation.remove(reader.id());
  simulation.run();  // 50 left of 100 at 100 bytes/s
  EXPECT_EQ(witness->entries, (std::vector<Witness::Entry>{{"read done", other, 1500ms}}));
  EXPECT_EQ(simulation.pending_count(), 0U);
}

TEST_F(DiskTest, WhoAwaitsADiskThatIsRemovedWaitsOnAndIsReported) {
  use(plain_disk());
  Context& reader = simulation.add_context("reader");
  reader.spawn(read_once(reader, *disk, 1000));
  simulation.run_until(Instant{1s});
  simulation.remove(disk->id());
  const auto finished = simulation.finish();
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().what, testing::HasSubstr("DiskReadDone from disk"));
}

}  // namespace
}  // namespace artel::sim
