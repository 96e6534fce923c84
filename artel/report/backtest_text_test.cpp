#include "artel/report/backtest_text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::json;

// A task every `gap` seconds, of 1 and 3 seconds by turns, by four workers that share them or,
// if `unequal`, have tasks of one kind each.
trace::TaskTrace recorded(int tasks, double gap, bool unequal = false) {
  trace::TaskTrace trace;
  trace.header.settings = {{"pool.workers", "4"}, {"policy", "central"}};
  for (int i = 0; i < tasks; ++i) {
    const Instant at{from_seconds(gap * i)};
    trace.tasks.push_back(
        {.submitted = at,
         .bound = at,
         .started = at,
         .finished = at + std::chrono::seconds(i % 2 == 0 ? 1 : 3),
         .worker = WorkerId{static_cast<std::uint32_t>((unequal ? i : i / 2) % 4)}});
  }
  return trace;
}

Json fleet_of(const trace::TaskTrace& trace) {
  const auto calibration = predict::calibrate(trace);
  EXPECT_TRUE(calibration) << to_string(calibration.error());
  return Json::parse(fleet_json(trace, *calibration));
}

TEST(FleetJson, SaysWhatThereIs) {
  const auto fleet = fleet_of(recorded(1000, 2));
  EXPECT_EQ(fleet["tasks"], 1000);
  EXPECT_EQ(fleet["length"], 1998);
  EXPECT_EQ(fleet["workers"], 4);
  EXPECT_EQ(fleet["policy"], "central");
  EXPECT_NEAR(fleet["rate"].get<double>(), 0.5, 1e-3);
  EXPECT_NEAR(fleet["gap_scv"].get<double>(), 0, 1e-9);
  EXPECT_NEAR(fleet["service"]["mean"].get<double>(), 2, 1e-9);
  EXPECT_NEAR(fleet["service"]["scv"].get<double>(), 0.25, 1e-3);
  EXPECT_NEAR(fleet["utilisation"].get<double>(), 0.25, 1e-3);
}

TEST(FleetJson, AShortRecordingHasItsLoadInEqualParts) {
  const auto load = fleet_of(recorded(1000, 2))["load"];
  EXPECT_EQ(load["by"], "time");
  ASSERT_EQ(load["rows"].size(), 48U);
  for (const auto& row : load["rows"]) {
    EXPECT_NEAR(row["rate"].get<double>(), 0.5, 0.04);
    EXPECT_NEAR(row["work"].get<double>(), 2, 0.15);
    EXPECT_NEAR(row["utilisation"].get<double>(), 0.25, 0.03);
  }
}

TEST(FleetJson, ALongRecordingHasItsLoadByHour) {
  auto trace = recorded(40'000, 2);  // 22 hours and some
  EXPECT_EQ(fleet_of(trace)["load"]["by"], "hour of the recording");
  trace.header.wall = std::chrono::hours(3);
  const auto load = fleet_of(trace)["load"];
  EXPECT_EQ(load["by"], "hour of the day (UTC)");
  EXPECT_EQ(load["rows"].size(), 23U);
  std::size_t seen = 0;
  for (const auto& row : load["rows"])
    if (row["from"] == 3) seen += row["rate"] == 0.5 ? 1 : 0;
  EXPECT_EQ(seen, 1U);
}

// A task of 36 s every minute of two days and a half, but for the second night.
TEST(FleetText, LoadByHourIsThatOfTheTimeThatWasRecorded) {
  using namespace std::chrono_literals;
  trace::TaskTrace trace;
  trace.header.wall = Duration{};
  for (auto at = Duration(22h + 30min); at <= Duration(82h); at += 1min) {
    if (at >= Duration(48h) && at < Duration(54h)) continue;
    const Instant came{at};
    trace.tasks.push_back({.submitted = came,
                           .bound = came,
                           .started = came,
                           .finished = came + 36s,
                           .worker = WorkerId{0}});
  }
  const auto calibration = predict::calibrate(trace);
  ASSERT_TRUE(calibration);
  const auto text = fleet_text(trace, *calibration);
  const auto has = [](const std::string& where, const char* what) {
    return where.find(what) != std::string::npos;
  };
  EXPECT_TRUE(has(text, "hour (UTC)  tasks/s    work   busy\n")) << text;
  // Half of the first hour was recorded, and one night of three was quiet.
  EXPECT_TRUE(has(text, "        22  0.01667  36.0 s  60.0%\n")) << text;
  EXPECT_TRUE(has(text, "        03  0.01111  36.0 s  40.0%\n")) << text;
  trace.header.settings["zone"] = "unknown";
  EXPECT_TRUE(has(fleet_text(trace, *calibration), "hour (as logged)"));
}

TEST(FleetJson, TheFittedLawOfWorkLiesOnTheRecordedOne) {
  const auto laws = fleet_of(recorded(5000, 2))["service_times"];
  ASSERT_EQ(laws.size(), 2U);
  EXPECT_EQ(laws[0]["policy"], "recorded");
  EXPECT_EQ(laws[1]["policy"], "fitted");
  for (const auto& law : laws) {
    const auto seconds = law["seconds"].get<std::vector<double>>();
    EXPECT_NEAR(seconds.front(), 1, 0.01);
    EXPECT_NEAR(seconds.back(), 3, 0.01);
  }
}

TEST(FleetJson, TheLawsAgreeWhereWorkersAreNotEquallyFast) {
  const auto laws = fleet_of(recorded(5000, 2, true))["service_times"];
  for (const char* end : {"/seconds/0", "/seconds/20"}) {
    const Json::json_pointer at(end);
    EXPECT_NEAR(laws[0][at].get<double>(), laws[1][at].get<double>(), 0.01);
  }
}

}  // namespace
}  // namespace artel::report
