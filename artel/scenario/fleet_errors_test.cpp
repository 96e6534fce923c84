// Workers and callers as they are: what goes together, and the exact words for what does not.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/scenario/broken_scenario.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

TEST(FleetErrors, Workers) {
  EXPECT_EQ(pool_errors("workers = 2\ndiscipline = \"lcfs\"\n"),
            "s.toml:6:14: pool: unknown discipline 'lcfs'; allowed: fifo, lifo, "
            "priority, sjf, edf, srpt, las, ps\n");
  EXPECT_EQ(
      pool_errors("workers = 2\npreemptive = true\n"),
      "s.toml:6:14: pool.preemptive: found with discipline fifo, allowed: with lifo, priority, "
      "sjf and edf (srpt always interrupts)\n");
  EXPECT_EQ(pool_errors("workers = 2\ndiscipline = \"ps\"\nslots = 4\n"),
            "s.toml:7:9: pool.slots: found 4 with discipline ps, which has no slots; allowed: "
            "total_speed with ps, or another discipline\n");
  EXPECT_EQ(pool_errors("workers = 2\ntotal_speed = [1, 2]\n"),
            "s.toml:6:15: pool.total_speed: found with discipline fifo, allowed: with ps\n");
  EXPECT_EQ(pool_errors("workers = 2\ndiscipline = \"ps\"\ntotal_speed = [1, 0]\n"),
            "s.toml:7:15: pool.total_speed: found 0, allowed: a list of numbers above 0 up to "
            "1000000\n");
  EXPECT_EQ(pool_errors("workers = 2\nkeep_warm = 5\n"),
            "s.toml:6:13: pool.keep_warm: needs a start_up\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nstart_up = true\n"),
      "s.toml:6:12: pool.start_up: found true, allowed: a duration of at least 0 (\"250ms\", or a "
      "number of seconds), or a table { distribution = …, … }\n");
  EXPECT_THAT(
      pool_errors("workers = 2\nstart_up = 5e9\n"),
      HasSubstr("found 5000000000, allowed: a duration of at least 0 up to 1000000000 (\""));
  EXPECT_EQ(pool_errors("workers = 2\nstart_up = { distribution = \"exponential\" }\n"),
            "s.toml:6:12: pool.start_up.mean is missing; expected a duration above 0 "
            "(mean service time)\n");
}

TEST(FleetErrors, BatchesAndFailures) {
  EXPECT_EQ(pool_errors("workers = 2\nbatch = { most = 8 }\nslots = 2\n"),
            "s.toml:6:9: pool.batch: goes with one slot and the discipline fifo\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nbatch = { most = 8, per_work = 0 }\n"),
      "s.toml:6:32: pool.batch.per_work: a batch would take no time; allowed: fixed, per_task "
      "or per_work above 0\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nfailures = { mtbf = \"1h\", mttr = \"5min\", task = \"go\" "
                  "}\n"),
      "s.toml:6:49: pool.failures: unknown task 'go'; allowed: resume, restart, lose, error\n");
}

TEST(FleetErrors, StepsOfBatches) {
  EXPECT_EQ(pool_errors(
                "workers = 2\nbatch = { most = 8, step = \"20ms\", memory = 60, fixed = \"10ms\", "
                "per_work = 0 }\n"),
            "no error\n");
  EXPECT_EQ(pool_errors("workers = 2\nbatch = { most = 8, memory = 60 }\n"),
            "s.toml:6:30: pool.batch.memory: needs a step\n");
  EXPECT_EQ(pool_errors("workers = 2\nbatch = { most = 8, step = 1, longest_wait = 1 }\n"),
            "s.toml:6:46: pool.batch.longest_wait: does not go with step: whoever waits joins the "
            "next one\n");
}

TEST(FleetErrors, WhatJoiningTakes) {
  const auto error = [](const std::string& per_join) {
    return pool_errors("workers = 2\nbatch = { most = 8, fixed = 1e-3, per_work = 0, per_join = " +
                       per_join + " }\n");
  };
  EXPECT_EQ(error("\"5ms\""), "no error\n");
  EXPECT_THAT(error("{ expression = \"2 * n\" }"),
              HasSubstr("workload.arrivals: must be replayed: pool.batch.per_join goes by the "
                        "trace's rows\n"));
  EXPECT_THAT(error("{ expression = \"2 *\" }"), HasSubstr("pool.batch.per_join.expression: "));
  EXPECT_THAT(error("{ distribution = \"exponential\" }"),
              HasSubstr("pool.batch.per_join.mean is missing"));
}

TEST(FleetErrors, SpeedsAndDeadlines) {
  EXPECT_EQ(pool_errors("workers = 2\nspeed_states = [{ speed = 0, mean_duration = 1 }]\n"),
            "s.toml:6:16: pool.speed_states: no speed is above 0\n");
  const auto next = [](const std::string& of_the_first, const std::string& of_the_second) {
    return pool_errors("workers = 20\nspeed_states = [{ speed = 1, mean_duration = 1" +
                       of_the_first + " },\n  { speed = 0.5, mean_duration = 1" + of_the_second +
                       " }, { speed = 0, mean_duration = 1 }]\n");
  };
  EXPECT_EQ(next(", next = [0, 0.25, 0.75]", ""), "no error\n");
  EXPECT_EQ(next(", next = [0, 0.3333333, 0.6666666]", ""), "no error\n");
  EXPECT_EQ(next(", next = [0, 0.7, 0.1, 0.2]", ""),
            "s.toml:6:56: pool.speed_states.next: found a list of 4, allowed: one for each state, "
            "3\n");
  EXPECT_EQ(next(", next = [0, 0.5, 0.25]", ""),
            "s.toml:6:56: pool.speed_states.next: found a sum of 0.75, allowed: a sum of 1\n");
  EXPECT_EQ(next("", ", next = [0, -0.5, 1.5]"),
            "s.toml:7:44: pool.speed_states.next: found -0.5, allowed: a list of numbers from 0 to "
            "1\n");
  EXPECT_EQ(next("", ", next = \"fast\""),
            "s.toml:7:44: pool.speed_states.next: found 'fast', allowed: a list [ … ]\n");
  EXPECT_EQ(next("", ", next = [1, 0, 0]"),
            "s.toml:6:16: pool.speed_states: state 2 never follows state 0, not even in the end; "
            "give next so that every state leads to every other (they count from 0)\n");
  EXPECT_EQ(next("", ", next = [0, 1, 0]"),
            "s.toml:6:16: pool.speed_states: state 2 never follows state 0, not even in the end; "
            "give next so that every state leads to every other (they count from 0)\n");
  std::string many = "workers = 2\nspeed_states = [{ speed = 1, mean_duration = 1, next = [1] }";
  for (int i = 0; i < 100; ++i) many += ", { speed = 1, mean_duration = 1 }";
  EXPECT_EQ(pool_errors(many + "]\n"),
            "s.toml:6:56: pool.speed_states.next: found 101 states, allowed: 100 at most\n");
  EXPECT_EQ(pool_errors("workers = 2\ndiscipline = \"edf\"\n"),
            "s.toml:6:14: pool.discipline: edf needs deadlines, of workload or of its classes\n");
}

TEST(FleetErrors, Timetables) {
  EXPECT_EQ(
      pool_errors("workers = 2\nspeed_timetable = { day = 60, points = [{ at = 0, speed = 1 }, "
                  "{ at = 60, speed = 2 }] }\n"),
      "s.toml:6:71: pool.speed_timetable.points.at: found 1.00 min, allowed: not before the "
      "one before, within the day of 1.00 min\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nspeed_timetable = { points = [{ at = 0, speed = 0, workers = 1 "
                  "}] }\n"),
      "s.toml:6:30: pool.speed_timetable.points: worker 1 always stands; expected a speed "
      "above 0\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nspeed_timetable = { points = [{ at = 0, speed = 1, workers = "
                  "[0, 2] }] }\n"),
      "s.toml:6:62: pool.speed_timetable.points.workers: found 2, allowed: numbers of workers, "
      "0 to 1\n");
  EXPECT_EQ(pool_errors("workers = 2\nspeed_states = [{ speed = 1, mean_duration = 1 }]\n"
                        "speed_timetable = { points = [{ at = 0, speed = 1 }] }\n"),
            "s.toml:7:19: pool.speed_timetable: does not go with speed_states; give one of them\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nfailures = { mttr = 1 }\n"),
      "s.toml:6:12: pool.failures.mtbf is missing; expected a duration above 0, or outages\n");
  EXPECT_EQ(pool_errors("workers = 2\nfailures = { mtbf = 1 }\n"),
            "s.toml:6:12: pool.failures.mttr is missing; expected a duration above 0: mtbf needs "
            "it\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nfailures = { outages = [{ at = 1, lasts = 1, workers = -1 }] }\n"),
      "s.toml:6:56: pool.failures.outages.workers: found -1, allowed: numbers of workers, 0 to "
      "1\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nfailures = { outages = [{ at = 1, lasts = 1 }] }\nscaling = { "
                  "policy = \"hpa\", max = 9 }\n"),
      "s.toml:7:11: pool.scaling: does not go with pool.failures.outages\n");
}

TEST(FleetErrors, Admission) {
  EXPECT_EQ(pool_errors("workers = 2\nadmission = { policy = \"red\", target = 1 }\n"),
            "s.toml:6:24: pool.admission: unknown policy 'red'; allowed: aimd, gradient, codel\n");
  EXPECT_EQ(pool_errors("workers = 2\nadmission = { policy = \"gradient\", smoothing = 0 }\n"),
            "s.toml:6:48: pool.admission.smoothing: found 0, allowed: a number above 0 up to 1\n");
  EXPECT_EQ(pool_errors("workers = 2\nadmission = { policy = \"gradient\", min = 8, max = 4 }\n"),
            "s.toml:6:42: pool.admission.min: found 8, allowed: at most max, 4\n");
  EXPECT_EQ(pool_errors("workers = 2\nadmission = { policy = \"gradient\" }\n"), "no error\n");
  EXPECT_EQ(pool_errors("workers = 2\nadmission = { policy = \"aimd\", target = 1, min = 4, max = "
                        "2 }\n"),
            "s.toml:6:50: pool.admission.min: found 4, allowed: at most max, 2\n");
  EXPECT_THAT(pool_errors("workers = 2\nadmission = { policy = \"codel\", target = 1, max = 2 }\n"),
              HasSubstr("unknown key of codel 'max'"));
}

TEST(FleetErrors, CodelNeedsACommonQueue) {
  const auto of = [](const std::string& pool, const std::string& policies) {
    const ScenarioParts parts{
        .pool = "workers = 2\nadmission = { policy = \"codel\", target = 1 }\n" + pool,
        .dispatch = "policies = [" + policies + "]\n"};
    return errors_of(parts.text());
  };
  EXPECT_EQ(of("", "\"random\", \"jsq\""),
            "s.toml:6:13: pool.admission: codel looks at the common queue, where no policy leaves "
            "a task; give pool.queue_bound, or the policy central\n");
  EXPECT_EQ(of("", "\"random\", \"central\""), "no error\n");
  EXPECT_EQ(of("queue_bound = 3\n", "\"random\""), "no error\n");
  EXPECT_EQ(of("queue_bound = [\"inf\", 1]\n", "\"random\""), "no error\n");
  EXPECT_EQ(of("", "{ name = \"random\", queue_bound = 2 }"), "no error\n");
  EXPECT_EQ(of("failures = { mtbf = 9, mttr = 1, detection = 1 }\n", "\"random\""), "no error\n")
      << "while all are known to be broken, tasks wait there";
}

TEST(FleetErrors, Ejection) {
  EXPECT_EQ(dispatch_errors("policies = [\"random\"]\nejection = { share = 1 }\n"),
            "s.toml:8:12: dispatch.ejection: nothing can fail at a worker; give "
            "workload.callers.timeout, or failures that lose tasks\n");
  const auto of_workers = [](int workers, const std::string& ejection) {
    const ScenarioParts parts{
        .pool = fmt::format("workers = {}\nfailures = {{ mtbf = 9, mttr = 1, task = \"lose\" }}\n",
                            workers),
        .dispatch = "policies = [\"random\"]\nejection = { " + ejection + " }\n"};
    return errors_of(parts.text());
  };
  EXPECT_EQ(of_workers(10, ""), "no error\n");
  EXPECT_EQ(of_workers(9, ""),
            "s.toml:9:12: dispatch.ejection.share: found 0.1 of 9 workers, which is never a whole "
            "one; allowed: 1/9 or more\n");
  EXPECT_EQ(of_workers(9, "share = 0.12"), "no error\n");
}

TEST(FleetErrors, WhatOnlyPlainWorkersDo) {
  EXPECT_EQ(pool_errors("workers = 2\nslots = 4\ntake_over = true\n"),
            "s.toml:7:13: pool.take_over: does not go with pool.slots; it is of workers that take "
            "one task at a time in order of arrival\n");
  EXPECT_EQ(pool_errors("workers = 2\ndiscipline = \"ps\"\ntask_overhead = \"1us\"\n"),
            "s.toml:7:17: pool.task_overhead: does not go with pool.discipline; it is of workers "
            "that take one task at a time in order of arrival\n");
  EXPECT_THAT(pool_errors("workers = 2\ndiscipline = \"priority\"\n"),
              HasSubstr("pool.discipline: priority needs workload.classes"));
}

TEST(FleetErrors, Scaling) {
  EXPECT_EQ(pool_errors("workers = 2\nscaling = { policy = \"hpa\", max = 9 }\n"), "no error\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nscaling = { policy = \"hpa\", min = 0, max = 9 }\n"),
      "s.toml:6:11: pool.scaling: hpa: limits: found a minimum of 0, allowed: 1 or more; keda "
      "goes down to none and comes back\n");
  EXPECT_EQ(pool_errors("workers = 2\nslow_start = { time = 9, speed = 0.5 }\n"),
            "s.toml:6:14: pool.slow_start: needs a start_up, or scaling: nobody starts\n");
  EXPECT_THAT(pool_errors("workers = 2\nscaling = { max = 9 }\n"),
              HasSubstr("pool.scaling.policy is missing"));
  EXPECT_THAT(pool_errors("workers = 2\nscaling = { policy = \"vpa\", max = 9 }\n"),
              HasSubstr("allowed: hpa, keda, knative, timetable, predictive"));
  EXPECT_THAT(pool_errors("workers = 2\nscaling = { policy = \"hpa\" }\n"),
              HasSubstr("pool.scaling.max is missing"));
  EXPECT_THAT(pool_errors("workers = 2\nscaling = { policy = \"hpa\", max = 9, lead = 3 }\n"),
              HasSubstr("lead"));
  EXPECT_THAT(pool_errors("workers = 2\nscaling = { policy = \"hpa\", min = 10, max = 9 }\n"),
              HasSubstr("pool.scaling.min: found 10, allowed: at most max, 9"));
  EXPECT_THAT(pool_errors("workers = 2\nscaling = { policy = \"hpa\", min = 3, max = 9 }\n"),
              HasSubstr("pool.scaling.max: pool.workers is 2, allowed: 3 to 9"));
  EXPECT_THAT(
      pool_errors("workers = 2\nspeeds = [1, 2]\nscaling = { policy = \"hpa\", max = 9 }\n"),
      HasSubstr("pool.scaling: needs workers that are all alike"));
  EXPECT_THAT(
      pool_errors("workers = 2\nscaling = { policy = \"timetable\", max = 9, entries = [{ from = "
                  "\"9h\", workers = 3 }, { from = \"8h\", workers = 2 }] }\n"),
      HasSubstr("timetable: entries: found 8.00 h, allowed: later and later within the day"));
  EXPECT_THAT(pool_errors("workers = 2\nscaling = { policy = \"hpa\", max = 9 }\ntask_overhead = "
                          "\"1ms\"\n"),
              HasSubstr("pool.task_overhead: does not go with pool.scaling"));
}

std::string speed_file_errors(const std::string& rows, const std::string& more = "") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "v.csv") << rows;
  const ScenarioParts parts{.pool = "workers = 2\nspeed_timetable = { file = \"v.csv\", day = 60" +
                                    more + " }\n"};
  return errors_of(parts.text(), (folder.path() / "s.toml").string());
}

TEST(FleetErrors, SpeedsFromAFile) {
  // All is well but the load: 6.4 for 1 + 55/60 workers, on average.
  EXPECT_THAT(speed_file_errors("time,speed,worker\n0,1,\n10,0.5,1\n20,1,1\n"),
              HasSubstr("s.toml:2:39: workload.arrivals: the load is 3.34 and"));
  EXPECT_THAT(speed_file_errors("time,sped\n0,1\n"), HasSubstr("did you mean 'sped'"));
  EXPECT_THAT(speed_file_errors("time,speed\n"), HasSubstr("no rows; expected a time and a speed"));
  EXPECT_THAT(
      speed_file_errors("time,speed\n10,1\n5,1\n"),
      HasSubstr("v.csv:3:1: column 'time': found 5.00 s; expected not before the row above, "
                "within the day of 1.00 min"));
  EXPECT_THAT(speed_file_errors("time,speed\n60,1\n"), HasSubstr("v.csv:2:1: column 'time'"));
  EXPECT_THAT(speed_file_errors("time,speed\n1,-1\n"),
              HasSubstr("v.csv:2:3: column 'speed': found '-1'; expected a number from 0 to"));
  EXPECT_THAT(speed_file_errors("time,speed,worker\n1,1,2\n"),
              HasSubstr("v.csv:2:5: column 'worker': found '2'; expected the number of a worker, 0 "
                        "to 1, or nothing"));
  EXPECT_THAT(speed_file_errors("time,speed,worker\n0,1,0\n0,0,1\n"),
              HasSubstr("pool.speed_timetable.file: worker 1 always stands"));
  EXPECT_THAT(speed_file_errors("time,speed\n0,1\n", ", points = [{ at = 0, speed = 1 }]"),
              HasSubstr("pool.speed_timetable.file: does not go with points"));
  EXPECT_THAT(pool_errors("workers = 2\nspeed_timetable = { day = 5 }\n"),
              HasSubstr("pool.speed_timetable.points is missing; expected a list of { at, speed }, "
                        "or file"));
  EXPECT_THAT(pool_errors("workers = 2\nspeed_timetable = { file = \"none.csv\" }\n"),
              HasSubstr("none.csv"));
}

}  // namespace
}  // namespace artel::scenario
