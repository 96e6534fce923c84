// Whatever tasks are written, the same come back.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_csv_spec.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/trace/encode_trace.hpp"

namespace artel::trace {
namespace {

// Any tasks that a recorder may meet, in order of submission.
rc::Gen<std::vector<TaskRecord>> any_tasks() {
  const auto step =
      rc::gen::oneOf(rc::gen::just(std::int64_t{0}), rc::gen::inRange<std::int64_t>(0, 5'000),
                     rc::gen::inRange<std::int64_t>(0, 5'000'000'000'000));
  return rc::gen::map(
      rc::gen::container<std::vector<TaskRecord>>(rc::gen::exec([step] {
        TaskRecord task;
        task.submitted = Instant{Duration{*rc::gen::inRange<std::int64_t>(-1'000, 1'000'000'000)}};
        task.bound = task.submitted + Duration{*step};
        task.started = task.bound + Duration{*step};
        task.finished = task.started + Duration{*step};
        task.size = Duration{*step};
        if (*rc::gen::arbitrary<bool>()) task.patience = Duration{*step};
        task.worker =
            *rc::gen::element(WorkerId{0}, WorkerId{1}, WorkerId{4000}, TaskRecord::kNobody);
        task.outcome = static_cast<TaskOutcome>(*rc::gen::inRange<int>(0, kTaskOutcomes));
        task.priority = *rc::gen::inRange<std::uint8_t>(0, 4);
        task.queued_worker = *rc::gen::arbitrary<std::uint32_t>();
        task.queued_common = *rc::gen::arbitrary<std::uint32_t>();
        return task;
      })),
      [](std::vector<TaskRecord> tasks) {
        sort_by_submission(tasks);
        return tasks;
      });
}

RC_GTEST_PROP(TaskRoundTrip, ThroughATraceFile, ()) {
  TaskTrace written;
  written.tasks = *any_tasks();
  written.header.classes.resize(*rc::gen::inRange<std::size_t>(0, kTaskClassesMax + 1), "c");
  if (const auto classes = written.header.classes.size(); classes > 0) {
    for (auto& task : written.tasks)
      task.task_class = *rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(classes));
  }
  sort_by_submission(written.tasks);
  written.sizes = {{Instant{Duration{5}}, 2}, {Instant{Duration{500}}, 4000}};
  const auto read = read_trace(encode_trace(written), "x.trace");
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->tasks == written.tasks);
  RC_ASSERT(read->sizes == written.sizes);
  RC_ASSERT(read->damage.empty());
}

TEST(TaskRoundTrip, OfSizesAtOneInstantTheLastOneWrittenStaysLast) {
  TaskTrace written;
  for (std::uint32_t i = 0; i < 100; ++i) {
    written.sizes.push_back({.at = Instant{Duration{i % 2 == 0 ? 500 : 5}}, .workers = i});
  }
  const auto read = read_trace(encode_trace(written), "x.trace");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->sizes.size(), 100U);
  for (std::uint32_t i = 0; i < 50; ++i) {
    EXPECT_EQ(read->sizes[i].workers, 2 * i + 1);
    EXPECT_EQ(read->sizes[50 + i].workers, 2 * i);
  }
}

RC_GTEST_PROP(TaskRoundTrip, ThroughCsv, ()) {
  TaskTrace written;
  written.tasks = *any_tasks();
  const auto path = std::filesystem::temp_directory_path() /
                    ("artel-round-trip-" + std::to_string(getpid()) + ".csv");
  RC_ASSERT(write_task_csv(path, written).has_value());
  std::ifstream in(path);
  const auto read = read_task_csv(in, "x.csv");
  std::filesystem::remove(path);
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->tasks == written.tasks);
}

}  // namespace
}  // namespace artel::trace
