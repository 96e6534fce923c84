// Logs of events, several lines a task: read_log.hpp.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What `temporal workflow show --output json` prints, less what is of no use here, on one line: an
// activity that waits 1 s and takes 2.25 s, one that fails, one that is not over. %H is the hour.
constexpr std::string_view kHistory =
    R"({"events": [)"
    R"({"eventId": "1", "eventTime": "2026-05-01T%H:00:00Z", "eventType": "EVENT_TYPE_WORKFLOW_EXECUTION_STARTED", "workflowExecutionStartedEventAttributes": {"workflowType": {"name": "Order"}}},)"
    R"({"eventId": "5", "eventTime": "2026-05-01T%H:00:01Z", "eventType": "EVENT_TYPE_ACTIVITY_TASK_SCHEDULED", "activityTaskScheduledEventAttributes": {"activityId": "5", "activityType": {"name": "Charge"}, "taskQueue": {"name": "pay", "kind": "TASK_QUEUE_KIND_NORMAL"}}},)"
    R"({"eventId": "6", "eventTime": "2026-05-01T%H:00:01.500Z", "eventType": "EVENT_TYPE_ACTIVITY_TASK_SCHEDULED", "activityTaskScheduledEventAttributes": {"activityType": {"name": "Mail"}, "taskQueue": {"name": "post"}}},)"
    R"({"eventId": "7", "eventTime": "2026-05-01T%H:00:01.600Z", "eventType": "EVENT_TYPE_ACTIVITY_TASK_SCHEDULED", "activityTaskScheduledEventAttributes": {"activityType": {"name": "Never"}}},)"
    R"({"eventId": "8", "eventTime": "2026-05-01T%H:00:02.000000000Z", "eventType": "EVENT_TYPE_ACTIVITY_TASK_STARTED", "activityTaskStartedEventAttributes": {"scheduledEventId": "5", "identity": "1@h", "attempt": 1}},)"
    R"({"eventId": "9", "eventTime": "2026-05-01T%H:00:04.250Z", "eventType": "EVENT_TYPE_ACTIVITY_TASK_COMPLETED", "activityTaskCompletedEventAttributes": {"scheduledEventId": "5", "startedEventId": "8"}},)"
    R"({"eventId": "10", "eventTime": "2026-05-01T%H:00:03Z", "eventType": "EVENT_TYPE_ACTIVITY_TASK_STARTED", "activityTaskStartedEventAttributes": {"scheduledEventId": "6"}},)"
    R"({"eventId": "11", "eventTime": "2026-05-01T%H:00:05Z", "eventType": "EVENT_TYPE_ACTIVITY_TASK_FAILED", "activityTaskFailedEventAttributes": {"scheduledEventId": "6", "startedEventId": "10"}})"
    "]}\n";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string history(std::string_view hour) { return replaced(std::string(kHistory), "%H", hour); }

// As older servers and tctl call them.
std::string with_short_names(std::string text) {
  for (const auto* const word : {"Scheduled", "Started", "Completed", "Failed"}) {
    std::string loud(word);
    for (auto& c : loud) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    text = replaced(std::move(text), "EVENT_TYPE_ACTIVITY_TASK_" + loud,
                    std::string("ActivityTask") + word);
  }
  return text;
}

struct ReadHistory {
  LogReading reading;
  std::vector<trace::TaskRecord> tasks;
};

ReadHistory read_history(const std::string& text, const LogOptions& options = {}) {
  std::istringstream in(text);
  ReadHistory all;
  const auto reading =
      read_log(in, "h.json", options, [&](const auto& task) { all.tasks.push_back(task); });
  EXPECT_TRUE(reading) << to_string(reading.error());
  all.reading = reading.value_or(LogReading{});
  return all;
}

std::vector<std::string> names_of(const LogReading& reading) {
  std::vector<std::string> names;
  for (const auto& one : reading.classes) {
    if (one.tasks > 0) names.push_back(one.name);
  }
  return names;
}

TEST(TemporalHistory, EventsAreJoinedByActivity) {
  for (const auto& text : {history("10"), with_short_names(history("10"))}) {
    const auto log = read_history(text);
    EXPECT_THAT(log.reading.title, HasSubstr("Temporal workflow history"));
    ASSERT_EQ(log.tasks.size(), 2U);
    EXPECT_EQ(log.tasks[0].queue_delay(), 1s);
    EXPECT_EQ(log.tasks[0].service(), 2250ms);
    EXPECT_EQ(log.tasks[0].outcome, trace::TaskOutcome::done);
    EXPECT_EQ(log.tasks[1].queue_delay(), 1500ms);
    EXPECT_EQ(log.tasks[1].service(), 2s);
    EXPECT_EQ(log.tasks[1].outcome, trace::TaskOutcome::failed);
    EXPECT_THAT(log.reading.notes(), Contains(HasSubstr("the last try only")));
  }
}

TEST(TemporalHistory, EqualNumbersInOtherHistoriesAreOtherActivities) {
  // In the first one the activity 7 is not over; in the second one it is.
  auto second = history("11");
  second = replaced(std::move(second), R"("scheduledEventId": "6")", R"("scheduledEventId": "7")");
  const auto log = read_history(history("10") + second);
  ASSERT_EQ(log.tasks.size(), 4U);
  EXPECT_EQ(log.tasks[3].queue_delay(), 1400ms) << "and not an hour and more";
}

TEST(TemporalHistory, ActivitiesAndTaskQueuesNameClasses) {
  EXPECT_THAT(names_of(read_history(history("10"), {.class_by = "activity"}).reading),
              ElementsAre("Charge", "Mail"));
  EXPECT_THAT(names_of(read_history(history("10"), {.class_by = "queue"}).reading),
              ElementsAre("pay", "post"));
}

}  // namespace
}  // namespace artel::logs
