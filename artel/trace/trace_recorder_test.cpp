#include "artel/trace/trace_recorder.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::trace {
namespace {

using ::testing::HasSubstr;

class TraceRecorderTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "a.trace"; }

  [[nodiscard]] TaskTrace read() const {
    std::ifstream in(file(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    auto trace = read_trace(std::as_bytes(std::span(bytes)), "a.trace");
    EXPECT_TRUE(trace) << trace.error().what;
    return trace.value_or(TaskTrace{});
  }

  TemporaryFolder folder_;
};

TaskRecord task(std::int64_t number) {
  const Instant time{Duration{number}};
  return {.submitted = time, .bound = time, .started = time, .finished = time};
}

TEST_F(TraceRecorderTest, KeepsEveryTaskOfEveryThread) {
  constexpr std::int64_t kThreads = 6, kTasks = 20'000;  // more threads than lanes
  TraceRecorder recorder(4);
  ASSERT_TRUE(recorder.start(file(), {.settings = {{"policy", "random"}}},
                             {.flush_every = std::chrono::milliseconds(1)}));
  std::vector<std::thread> threads;
  for (std::int64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&recorder, t] {
      for (std::int64_t i = 0; i < kTasks; ++i) {
        recorder.record(static_cast<std::size_t>(t), task(i * kThreads + t));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const auto recording = recorder.stop(Instant{});
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->tasks + recording->dropped, kThreads * kTasks);
  EXPECT_EQ(recording->bytes, std::filesystem::file_size(file()));
  const TaskTrace trace = read();
  EXPECT_EQ(trace.tasks.size(), recording->tasks);
  EXPECT_EQ(trace.dropped, recording->dropped);
  EXPECT_TRUE(trace.complete);
  EXPECT_EQ(trace.header.setting("policy"), "random");
  std::set<Instant> seen;
  for (const TaskRecord& each : trace.tasks) EXPECT_TRUE(seen.insert(each.submitted).second);
}

TEST_F(TraceRecorderTest, RecordsAgainAndForgetsWhatComesInBetween) {
  TraceRecorder recorder(1);
  recorder.record(0, task(1));
  EXPECT_FALSE(recorder.progress());
  ASSERT_TRUE(recorder.start(file(), {}));
  EXPECT_TRUE(recorder.progress());
  recorder.record(0, task(2));
  ASSERT_TRUE(recorder.stop(Instant{}));
  EXPECT_EQ(read().tasks, std::vector{task(2)});
  recorder.record(0, task(3));
  ASSERT_TRUE(recorder.start(file(), {}));
  recorder.record(0, task(4));
  EXPECT_EQ(recorder.stop(Instant{})->tasks, 1U);
  EXPECT_EQ(read().tasks, std::vector{task(4)});
}

TEST_F(TraceRecorderTest, RefusesASecondRecordingAndAnEndWithoutABeginning) {
  TraceRecorder recorder(1);
  EXPECT_FALSE(recorder.stop(Instant{}));
  EXPECT_FALSE(recorder.start(folder_.path() / "none" / "a.trace", {}));
  EXPECT_FALSE(recorder.progress());
  ASSERT_TRUE(recorder.start(file(), {}));
  EXPECT_FALSE(recorder.start(file(), {}));
  EXPECT_TRUE(recorder.stop(Instant{}));
  EXPECT_FALSE(recorder.stop(Instant{}));
}

// /dev/full takes nothing: the second write already fails.
TEST_F(TraceRecorderTest, TellsAtOnceThatTheDiskIsFull) {
  TraceRecorder recorder(1);
  const auto started = recorder.start("/dev/full", {});
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().what, HasSubstr("No space left on device"));
  EXPECT_EQ(started.error().where, "/dev/full");
}

// From now on writes to the open file go to /dev/full.
void fill_disk_of(const std::filesystem::path& file) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) != file) continue;
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    ASSERT_GE(::dup2(full, std::stoi(entry.path().filename())), 0);
    ::close(full);
    return;
  }
  FAIL() << file << " is not open";
}

// NOLINTBEGIN(bugprone-unchecked-optional-access): a recording is going on
TEST_F(TraceRecorderTest, TellsMeanwhileAndAtTheEndThatTheDiskHasFilledUp) {
  TraceRecorder recorder(1);
  ASSERT_TRUE(recorder.start(file(), {}, {.flush_every = std::chrono::milliseconds(1)}));
  recorder.record(0, task(0));
  while (recorder.progress()->tasks == 0) std::this_thread::yield();
  EXPECT_FALSE(recorder.progress()->failure);
  fill_disk_of(file());
  recorder.record(0, task(1));
  while (!recorder.progress()->failure) std::this_thread::yield();
  const auto failure = *recorder.progress()->failure;
  EXPECT_THAT(failure.what, HasSubstr("No space left on device"));
  EXPECT_EQ(failure.where, file().string());
  recorder.record(0, task(2));
  while (recorder.progress()->dropped < 2) std::this_thread::yield();
  EXPECT_EQ(recorder.progress()->tasks, 1U);
  const auto recording = recorder.stop(Instant{});
  ASSERT_FALSE(recording);
  EXPECT_EQ(recording.error().what, failure.what);
  EXPECT_EQ(read().tasks, std::vector{task(0)});  // what was written before is sound
  // The next recording starts without the old failure.
  ASSERT_TRUE(recorder.start(file(), {}));
  EXPECT_FALSE(recorder.progress()->failure);
  EXPECT_TRUE(recorder.stop(Instant{}));
}

// A pipe that nobody reads is a disk that is too slow.
TEST_F(TraceRecorderTest, DropsAndCountsWhatTheDiskIsTooSlowFor) {
  const auto pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::atomic<bool> read_on = false;
  std::vector<std::byte> bytes;
  std::thread reader([&] {
    std::ifstream in(pipe, std::ios::binary);
    read_on.wait(false);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const auto all = std::as_bytes(std::span(text));
    bytes.assign(all.begin(), all.end());
  });
  TraceRecorder recorder(1);
  ASSERT_TRUE(recorder.start(pipe, {}, {.memory_bytes = 1}));
  std::int64_t recorded = 0;
  while (recorder.progress()->dropped == 0) recorder.record(0, task(recorded++));
  read_on = true;
  read_on.notify_one();
  const auto recording = recorder.stop(Instant{});
  reader.join();
  ASSERT_TRUE(recording);
  EXPECT_GT(recording->dropped, 0U);
  EXPECT_EQ(recording->tasks + recording->dropped, recorded);
  const auto trace = read_trace(bytes, "pipe");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->tasks.size(), recording->tasks);
  EXPECT_EQ(trace->dropped, recording->dropped);
}
// NOLINTEND(bugprone-unchecked-optional-access)

}  // namespace
}  // namespace artel::trace
