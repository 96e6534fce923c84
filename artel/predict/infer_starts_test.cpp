#include "artel/predict/infer_starts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

constexpr double kMeanService = 0.05;

struct Recorded {
  trace::TaskTrace trace;  ///< as a log of responses has it
  std::vector<Instant> starts;
  double mean_service_s = 0;
};

// Poisson arrivals, exponential work, one queue: what a log of it would hold, to the millisecond
// if asked.
Recorded record(std::uint32_t workers, double load, int tasks, bool milliseconds = false) {
  random::Stream arrivals(Seed{7}, "arrivals");
  random::Stream work(Seed{7}, "work");
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (std::uint32_t w = 0; w < workers; ++w) free.push(0);
  Recorded recorded;
  recorded.trace.header.settings = {{"starts", "in response"}};
  const double rate = load * workers / kMeanService;
  double now = 0;
  for (int i = 0; i < tasks; ++i) {
    now -= std::log(1 - arrivals.uniform()) / rate;
    const double service = -std::log(1 - work.uniform()) * kMeanService;
    const double start = std::max(now, free.top());
    free.pop();
    free.push(start + service);
    trace::TaskRecord task;
    auto response = from_seconds(start + service - now);
    auto end = Instant{from_seconds(start + service)};
    if (milliseconds) {
      using std::chrono::milliseconds;
      response = std::chrono::floor<milliseconds>(response);
      end = Instant{std::chrono::floor<milliseconds>(end.time_since_epoch())};
    }
    task.submitted = task.bound = task.started = end - response;
    task.finished = end;
    recorded.trace.tasks.push_back(task);
    recorded.starts.push_back(Instant{from_seconds(start)});
    recorded.mean_service_s += service / tasks;
  }
  if (milliseconds) trace::sort_by_submission(recorded.trace.tasks);
  return recorded;
}

TEST(InferStarts, WithAllWorkersKnownTheStartsAreExact) {
  auto recorded = record(4, 0.9, 5000);
  const auto found = infer_starts(recorded.trace, 4).value_or(InferredStarts{});
  ASSERT_GT(found.workers, 0U);
  for (std::size_t i = 0; i < recorded.starts.size(); ++i) {
    const auto off = recorded.trace.tasks[i].started - recorded.starts[i];
    ASSERT_LE(std::abs(off.count()), 10) << i;  // rounding of seconds
  }
  EXPECT_EQ(found.out_of_order, 0);
  EXPECT_NEAR(found.mean_service_s, recorded.mean_service_s, 1e-6);
  EXPECT_EQ(recorded.trace.header.setting("starts"), "inferred");
  EXPECT_EQ(recorded.trace.header.setting("pool.workers"), "4");
}

TEST(InferStarts, EstimatesTheWorkers) {
  for (const std::uint32_t workers : {1U, 4U, 8U}) {
    auto recorded = record(workers, 0.85, 30'000, true);
    const auto found = infer_starts(recorded.trace).value_or(InferredStarts{});
    ASSERT_GT(found.workers, 0U);
    EXPECT_TRUE(found.waiting_seen) << workers;
    EXPECT_LE(found.workers_low, workers);
    EXPECT_GE(found.workers_high, workers);
    EXPECT_LE(found.workers_high - found.workers_low, 1U + workers / 8) << workers;
    EXPECT_NEAR(found.mean_service_s, recorded.mean_service_s, 0.04 * recorded.mean_service_s)
        << workers;
  }
}

TEST(InferStarts, WhereNothingWaitsResponseIsService) {
  auto recorded = record(64, 0.1, 5000);
  const auto found = infer_starts(recorded.trace).value_or(InferredStarts{});
  ASSERT_GT(found.workers, 0U);
  EXPECT_FALSE(found.waiting_seen);
  EXPECT_EQ(found.mean_service_s, found.mean_response_s);
  EXPECT_NE(found.text().front().find("no sign that tasks waited"), std::string::npos);
}

TEST(InferStarts, AWrongNumberIsSaidToBeWrong) {
  auto recorded = record(8, 0.85, 30'000);
  auto too_few = recorded.trace;
  const auto found = infer_starts(too_few, 4).value_or(InferredStarts{});
  ASSERT_GT(found.workers, 0U);
  EXPECT_GT(found.out_of_order, 0.01);
  const auto text = found.text();
  EXPECT_TRUE(std::ranges::any_of(text, [](const auto& line) {
    return line.find("4 workers do not fit the log") != std::string::npos;
  }));
  for (const auto& task : too_few.tasks) ASSERT_TRUE(plausible(task));
}

TEST(InferStarts, OtherTracesStayAsTheyAre) {
  auto recorded = record(4, 0.9, 500);
  auto known = recorded.trace;
  known.header.settings.clear();
  EXPECT_FALSE(infer_starts(known));
  EXPECT_EQ(known.tasks, recorded.trace.tasks);
  auto coarse = recorded.trace;
  coarse.header.settings.emplace("resolution", "1 s");
  EXPECT_FALSE(infer_starts(coarse));
  auto few = recorded.trace;
  few.tasks.resize(kTasksMin - 1);
  EXPECT_FALSE(infer_starts(few));
}

}  // namespace
}  // namespace artel::predict
