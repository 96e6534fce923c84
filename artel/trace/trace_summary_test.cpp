#include "artel/trace/trace_summary.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/read_job_log.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/write_task_timeline.hpp"

namespace artel::trace {
namespace {

using std::chrono::milliseconds;

Instant at(int ms) { return Instant{milliseconds(ms)}; }

// Two workers, 100 ms: worker 0 busy for 60, worker 1 for 40 of them; one task expired.
TaskTrace summed_trace() {
  TaskTrace trace;
  trace.tasks = {
      {.submitted = at(0),
       .bound = at(0),
       .started = at(0),
       .finished = at(60),
       .worker = WorkerId{0}},
      {.submitted = at(0),
       .bound = at(10),
       .started = at(60),
       .finished = at(100),
       .worker = WorkerId{1},
       .outcome = TaskOutcome::failed},
      {.submitted = at(5),
       .bound = at(5),
       .started = at(20),
       .finished = at(20),
       .outcome = TaskOutcome::expired},
  };
  return trace;
}

TEST(TraceSummary, CountsTasksTimesAndWorkers) {
  const auto summary = summarise(summed_trace());
  EXPECT_EQ(summary.of(TaskOutcome::done), 1U);
  EXPECT_EQ(summary.of(TaskOutcome::failed), 1U);
  EXPECT_EQ(summary.of(TaskOutcome::expired), 1U);
  EXPECT_EQ(summary.length, milliseconds(100));
  EXPECT_DOUBLE_EQ(summary.submitted_per_s, 30);
  EXPECT_DOUBLE_EQ(summary.finished_per_s, 20);
  EXPECT_DOUBLE_EQ(summary.response_ns.mean(), 80e6);
  EXPECT_DOUBLE_EQ(summary.queue_delay_ns.mean(), 30e6);
  EXPECT_DOUBLE_EQ(summary.service_ns.mean(), 50e6);
  ASSERT_EQ(summary.workers.size(), 2U);
  EXPECT_DOUBLE_EQ(summary.workers[0].share, 0.6);
  EXPECT_DOUBLE_EQ(summary.workers[1].share, 0.4);
}

TEST(TraceSummary, OfNothingIsZero) {
  const auto summary = summarise({});
  EXPECT_EQ(summary.length, Duration::zero());
  EXPECT_TRUE(summary.workers.empty());
}

TEST(TaskTimeline, HasSlicesWaitingAndCounters) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("artel-timeline-" + std::to_string(getpid()) + ".json");
  ASSERT_TRUE(write_task_timeline(path, summed_trace()));
  std::ifstream in(path);
  const auto json = nlohmann::json::parse(in);
  std::filesystem::remove(path);
  int slices = 0;
  int waits = 0;
  double most_waiting = 0;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] == "X") ++slices;
    if (event["ph"] == "b") ++waits;
    if (event["ph"] == "C" && event["name"] == "waiting tasks") {
      most_waiting = std::max(most_waiting, event["args"].begin()->get<double>());
    }
  }
  EXPECT_EQ(slices, 2);
  EXPECT_EQ(waits, 2);
  EXPECT_EQ(most_waiting, 2);
}

TEST(JobLog, JobsGetTheLowestSlotThatIsFree) {
  std::istringstream in(
      "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
      "1\t:\t100.000\t     2.000\t0\t0\t0\t0\ta\n"
      "2\t:\t100.500\t     0.500\t0\t0\t0\t9\tb\tc\n"
      "3\t:\t101.000\t     0.250\t0\t0\t0\t0\td\n");
  const auto trace = read_job_log(in, "jobs");
  ASSERT_TRUE(trace) << trace.error().what;
  ASSERT_EQ(trace->tasks.size(), 3U);
  EXPECT_EQ(trace->tasks[0].worker, WorkerId{0});
  EXPECT_EQ(trace->tasks[1].worker, WorkerId{1});
  EXPECT_EQ(trace->tasks[1].outcome, TaskOutcome::failed);
  EXPECT_EQ(trace->tasks[2].worker, WorkerId{1});
  EXPECT_EQ(trace->tasks[2].service(), milliseconds(250));
  EXPECT_EQ(trace->header.loop, Loop::closed);
}

}  // namespace
}  // namespace artel::trace
