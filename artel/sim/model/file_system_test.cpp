#include "artel/sim/model/file_system.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

/// Writes down what it hears of.
struct Reader : Component<FileReadDone, FileWriteDone> {
  struct Entry {
    std::string what;
    OperationId operation{};
    std::uint64_t bytes = 0;
    Duration at{};
    friend bool operator==(const Entry&, const Entry&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Entry& entry) {
      return out << entry.what << " of " << entry.bytes << " bytes (" << index(entry.operation)
                 << ") at " << entry.at.count() << " ns";
    }
  };

  void on(const FileReadDone& done) { note("read", done.operation, done.bytes, done.outcome); }
  void on(const FileWriteDone& done) { note("write", done.operation, done.bytes, done.outcome); }
  void note(const std::string& what, OperationId id, std::uint64_t bytes, FileOutcome outcome) {
    entries.push_back(
        {what + " " + std::string(describe(outcome)), id, bytes, now().time_since_epoch()});
  }

  std::vector<Entry> entries;
};
using Entries = std::vector<Reader::Entry>;

// Two disks of 1000 bytes: reads 100 bytes/s, writes 50 bytes/s.
struct FileSystemTest : testing::Test {
  static DiskOptions plain_disk() {
    return {.capacity = 1000, .read = {.bandwidth = 100}, .write = {.bandwidth = 50}};
  }
  OperationId read(std::string_view path, std::uint64_t bytes = FileSystem::kAll) {
    return files.start_read(path, reader.id(), bytes);
  }
  OperationId write(std::string_view path, std::uint64_t bytes) {
    return files.start_write(path, bytes, reader.id());
  }

  Simulation simulation;
  Disk& root = simulation.add<Disk>("root disk", plain_disk());
  Disk& data = simulation.add<Disk>("data disk", plain_disk());
  FileSystem& files = simulation.add<FileSystem>("files");
  Reader& reader = simulation.add<Reader>("reader");
};

TEST_F(FileSystemTest, TheLongestMountPointOfWholeNamesWins) {
  EXPECT_EQ(files.disk_of("/data/a"), nullptr);
  EXPECT_EQ(files.mount("/data", data), FileOutcome::done);
  EXPECT_EQ(files.disk_of("/data/a"), &data);
  EXPECT_EQ(files.disk_of("/data/a/b"), &data);
  EXPECT_EQ(files.disk_of("/database"), nullptr);
  EXPECT_EQ(files.mount("/", root), FileOutcome::done);
  EXPECT_EQ(files.disk_of("/data/a"), &data);
  EXPECT_EQ(files.disk_of("/database"), &root);
  EXPECT_EQ(files.disk_of("/data"), &root);  // a file of this name, beside the mount point
  EXPECT_EQ(files.disk_of("data/a"), nullptr);
}

TEST_F(FileSystemTest, AMountPointAndADiskAreUsedOnce) {
  EXPECT_EQ(files.mount("/", root), FileOutcome::done);
  EXPECT_EQ(files.mount("/", data), FileOutcome::mount_exists);
  EXPECT_EQ(files.mount("/again", root), FileOutcome::mount_exists);
  EXPECT_EQ(files.unmount("/data"), FileOutcome::no_such_mount);
  EXPECT_EQ(files.unmount("/"), FileOutcome::done);
  EXPECT_EQ(files.unmount("/"), FileOutcome::no_such_mount);
}

TEST_F(FileSystemTest, FilesStayWithTheirDisk) {
  files.mount("/old", data);
  EXPECT_EQ(files.create("/old/a"), FileOutcome::done);
  EXPECT_EQ(files.unmount("/old"), FileOutcome::done);
  EXPECT_EQ(files.size("/old/a"), std::nullopt);
  files.mount("/new/place", data);
  EXPECT_EQ(files.size("/new/place/a"), 0U);
}

TEST_F(FileSystemTest, CreatesAndRemoves) {
  EXPECT_EQ(files.create("/a"), FileOutcome::no_such_mount);
  EXPECT_EQ(files.remove("/a"), FileOutcome::no_such_mount);
  files.mount("/", root);
  EXPECT_EQ(files.remove("/a"), FileOutcome::no_such_file);
  EXPECT_EQ(files.size("/a"), std::nullopt);
  EXPECT_EQ(files.create("/a"), FileOutcome::done);
  EXPECT_EQ(files.create("/a"), FileOutcome::file_exists);
  EXPECT_EQ(files.size("/a"), 0U);
  EXPECT_EQ(files.remove("/a"), FileOutcome::done);
  EXPECT_EQ(files.size("/a"), std::nullopt);
}

// 100 bytes at 50 bytes/s: 2 s, and 200 more: 4 s. All 300 at 100 bytes/s: 3 s; 50 of it: 0.5 s.
TEST_F(FileSystemTest, AWriteAppendsAndAReadTakesAllOrAPart) {
  files.mount("/", root);
  files.create("/a");
  const OperationId first = write("/a", 100);
  EXPECT_EQ(files.size("/a"), 0U);
  EXPECT_EQ(root.used(), 100U);
  simulation.run();
  EXPECT_EQ(files.size("/a"), 100U);
  const OperationId second = write("/a", 200);
  simulation.run();
  const OperationId third = read("/a");
  simulation.run();
  const OperationId fourth = read("/a", 50);
  simulation.run();
  EXPECT_EQ(reader.entries, (Entries{{"write done", first, 100, 2s},
                                     {"write done", second, 200, 6s},
                                     {"read done", third, 300, 9s},
                                     {"read done", fourth, 50, 9500ms}}));
  EXPECT_EQ(files.remove("/a"), FileOutcome::done);
  EXPECT_EQ(root.used(), 0U);
}

// Disks do not share: two reads of 100 bytes on two disks take 1 s each.
TEST_F(FileSystemTest, FilesOnDifferentDisksDoNotDisturbEachOther) {
  files.mount("/", root);
  files.mount("/data", data);
  for (const char* path : {"/a", "/data/a"}) {
    files.create(path);
    write(path, 100);
  }
  simulation.run();
  EXPECT_EQ(simulation.now(), Instant{2s});
  EXPECT_EQ(root.used(), 100U);
  EXPECT_EQ(data.used(), 100U);
  reader.entries.clear();
  const OperationId here = read("/a");
  const OperationId there = read("/data/a");
  simulation.run();
  EXPECT_EQ(reader.entries, (Entries{{"read done", here, 100, 3s}, {"read done", there, 100, 3s}}));
}

TEST_F(FileSystemTest, SaysWhyItCannot) {
  const OperationId no_mount = read("/a");
  simulation.run();
  files.mount("/", root);
  const OperationId no_file = read("/a");
  const OperationId no_file_to_write = write("/b", 1);
  files.create("/a");
  const OperationId past_end = read("/a", 1);
  const OperationId larger = write("/a", 1001);
  const OperationId fits = write("/a", 900);
  const OperationId no_space = write("/a", 101);
  simulation.run();
  EXPECT_EQ(reader.entries, (Entries{{"read no such mount", no_mount, FileSystem::kAll, 0s},
                                     {"read no such file", no_file, FileSystem::kAll, 0s},
                                     {"write no such file", no_file_to_write, 1, 0s},
                                     {"read past the end", past_end, 1, 0s},
                                     {"write larger than the disk", larger, 1001, 0s},
                                     {"write no space", no_space, 101, 0s},
                                     {"write done", fits, 900, 18s}}));
  EXPECT_EQ(files.size("/a"), 900U);
}

TEST_F(FileSystemTest, WhatIsInUseCannotBeRemoved) {
  files.mount("/", root);
  files.create("/a");
  write("/a", 100);
  EXPECT_EQ(files.remove("/a"), FileOutcome::busy);
  EXPECT_EQ(files.unmount("/"), FileOutcome::busy);
  simulation.run();
  read("/a");
  EXPECT_EQ(files.remove("/a"), FileOutcome::busy);
  simulation.run();
  EXPECT_EQ(files.remove("/a"), FileOutcome::done);
  EXPECT_EQ(files.unmount("/"), FileOutcome::done);
}

TEST_F(FileSystemTest, OfACancelledWriteNothingIsWritten) {
  files.mount("/", root);
  files.create("/a");
  const OperationId id = write("/a", 100);
  simulation.run_until(Instant{1s});
  EXPECT_TRUE(files.cancel(id));
  EXPECT_FALSE(files.cancel(id));
  simulation.run();
  EXPECT_EQ(files.size("/a"), 0U);
  EXPECT_EQ(root.used(), 0U);
  EXPECT_EQ(files.remove("/a"), FileOutcome::done);
  EXPECT_TRUE(reader.entries.empty());
}

TEST_F(FileSystemTest, AlsoIfTheDiskHasJustWrittenIt) {
  files.mount("/", root);
  files.create("/a");
  const OperationId id = write("/a", 100);
  simulation.step();  // the disk is done, the file system does not know yet
  EXPECT_EQ(simulation.now(), Instant{2s});
  EXPECT_TRUE(files.cancel(id));
  simulation.run();
  EXPECT_EQ(files.size("/a"), 0U);
  EXPECT_EQ(root.used(), 0U);
  EXPECT_TRUE(reader.entries.empty());
}

TEST_F(FileSystemTest, AnOperationCostsThreeEventsAndARefusalOne) {
  files.mount("/", root);
  files.create("/a");
  write("/a", 100);
  simulation.run();
  EXPECT_EQ(simulation.event_count(), 3U);
  read("/b");
  simulation.run();
  EXPECT_EQ(simulation.event_count(), 4U);
}

// --- Coroutines.

Task<> append(Context&, FileSystem& files, std::string path, std::uint64_t bytes,
              std::vector<FileOutcome>& outcomes) {
  outcomes.push_back(files.create(path));
  const FileOutcome written = co_await files.write(path, bytes);
  outcomes.push_back(written);
  const FileOutcome read = co_await files.read(path);
  outcomes.push_back(read);
  const FileOutcome too_much = co_await files.read(path, bytes + 1);
  outcomes.push_back(too_much);
}

TEST_F(FileSystemTest, TasksGiveTheOutcome) {
  files.mount("/", root);
  std::vector<FileOutcome> outcomes;
  reader.spawn(append(reader, files, "/a", 100, outcomes));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(outcomes, (std::vector{FileOutcome::done, FileOutcome::done, FileOutcome::done,
                                   FileOutcome::past_end}));
  EXPECT_EQ(simulation.now(), Instant{3s});
}

Task<> write_for_a_second(Context& self, FileSystem& files, std::optional<std::size_t>& winner) {
  const auto first = co_await any_of(files.write("/a", 100), self.sleep(1s));
  winner = first.index();
}

TEST_F(FileSystemTest, TheLoserOfAnyOfIsCancelled) {
  files.mount("/", root);
  files.create("/a");
  std::optional<std::size_t> winner;
  reader.spawn(write_for_a_second(reader, files, winner));
  ASSERT_TRUE(simulation.finish());
  EXPECT_EQ(winner, 1U);
  EXPECT_EQ(simulation.now(), Instant{1s});
  EXPECT_EQ(root.used(), 0U);
  EXPECT_EQ(files.remove("/a"), FileOutcome::done);
}

TEST_F(FileSystemTest, AComponentThatIsRemovedGivesUpWhatItAwaits) {
  files.mount("/", root);
  std::vector<FileOutcome> outcomes;
  Context& writer = simulation.add_context("writer");
  writer.spawn(append(writer, files, "/a", 100, outcomes));
  simulation.run_until(Instant{1s});
  simulation.remove(writer.id());
  EXPECT_EQ(simulation.run(), 0U);
  EXPECT_EQ(root.used(), 0U);
  EXPECT_EQ(files.remove("/a"), FileOutcome::done);
}

TEST_F(FileSystemTest, WhoAwaitsAFileSystemThatIsRemovedWaitsOn) {
  files.mount("/", root);
  std::vector<FileOutcome> outcomes;
  reader.spawn(append(reader, files, "/a", 100, outcomes));
  simulation.run_until(Instant{1s});
  simulation.remove(files.id());
  EXPECT_FALSE(simulation.finish());
}

// --- Both styles are the same model.

struct Go {
  std::uint64_t bytes = 0;
  std::uint32_t file = 0;
  std::uint32_t unused = 0;
};

/// Appends to a file, then reads all of it, then deletes it if nobody uses it, for each Go. Both
/// versions begin in a process, so that their events can be the same.
struct Editor : Component<Go, FileReadDone, FileWriteDone> {
  Editor(FileSystem& on_files, bool in_tasks) : files(&on_files), tasks(in_tasks) {}

  void on(const Go& go) {
    const std::string path = "/" + std::to_string(go.file);
    files->create(path);
    spawn(tasks ? edit(path, go.bytes) : begin(path, go.bytes));
  }
  Task<> edit(std::string path, std::uint64_t bytes) {
    const FileOutcome written = co_await files->write(path, bytes);
    if (written != FileOutcome::done) co_return;
    const FileOutcome read = co_await files->read(path);
    if (read == FileOutcome::done) files->remove(path);
  }
  Task<> begin(std::string path, std::uint64_t bytes) {
    const OperationId id = files->start_write(path, bytes, this->id());
    paths.emplace_back(id, path);
    co_return;
  }
  void on(const FileWriteDone& done) {
    const std::string path = take_path(done.operation);
    if (done.outcome != FileOutcome::done) return;
    paths.emplace_back(files->start_read(path, id()), path);
  }
  void on(const FileReadDone& done) {
    const std::string path = take_path(done.operation);
    if (done.outcome == FileOutcome::done) files->remove(path);
  }
  std::string take_path(OperationId id) {
    std::string path;
    std::erase_if(paths, [&](const auto& entry) {
      if (entry.first == id) path = entry.second;
      return entry.first == id;
    });
    return path;
  }

  FileSystem* files;
  bool tasks;
  std::vector<std::pair<OperationId, std::string>> paths;
};

RC_GTEST_PROP(FileSystemProperty, CallbacksAndTasksGiveTheSameFingerprint, ()) {
  std::vector<std::pair<Go, Duration>> submissions;
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
    submissions.push_back({Go{.bytes = *rc::gen::inRange<std::uint64_t>(0, 700),
                              .file = *rc::gen::inRange<std::uint32_t>(0, 3)},
                           std::chrono::milliseconds(*rc::gen::inRange(0, 20000))});
  }
  const auto run = [&](bool in_tasks) {
    Simulation simulation({.fingerprint = true});
    Disk& disk = simulation.add<Disk>("disk", FileSystemTest::plain_disk());
    FileSystem& files = simulation.add<FileSystem>("files");
    files.mount("/", disk);
    Editor& editor = simulation.add<Editor>("editor", files, in_tasks);
    for (const auto& [go, at] : submissions) editor.emit_self(go, at);
    simulation.run();
    std::uint64_t used = 0;
    for (const char* path : {"/0", "/1", "/2"}) used += files.size(path).value_or(0);
    RC_ASSERT(disk.used() == used);
    return std::pair{simulation.fingerprint().text(), simulation.event_count()};
  };
  RC_ASSERT(run(true) == run(false));
}

}  // namespace
}  // namespace artel::sim
