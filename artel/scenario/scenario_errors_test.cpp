// Every mistake in a scenario that a user is likely to make, and the exact words that answer it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/override.hpp"
#include "tests/scenario/broken_scenario.hpp"

namespace artel::scenario {
namespace {

using ScenarioFile = BrokenScenario;

TEST(ScenarioErrors, PartsAreSound) { EXPECT_EQ(errors_of(ScenarioParts{}.text()), "no error\n"); }

// ---- The file itself

TEST(ScenarioErrors, EmptyFile) {
  const std::string expected =
      "s.toml: the scenario is empty; expected [workload], [pool] and [dispatch]\n";
  EXPECT_EQ(errors_of(""), expected);
  EXPECT_EQ(errors_of("\n# only a comment\n"), expected);
}

TEST(ScenarioErrors, SyntaxError) {
  EXPECT_EQ(errors_of("[workload]\narrivals = { kind = \"poisson\", rate = 1\n"),
            "s.toml:2:40: not TOML: inline table: expected key or closing '}', saw '\\n'\n");
}

TEST_F(ScenarioFile, Missing) { EXPECT_EQ(errors("none.toml"), "'none.toml' does not exist\n"); }

TEST_F(ScenarioFile, Directory) {
  std::filesystem::create_directories(folder_ / "dir");
  EXPECT_EQ(errors("dir"), "'dir' is a directory; expected a file\n");
}

TEST_F(ScenarioFile, TooLarge) {
  write("big.toml", "");
  ASSERT_EQ(truncate((folder_ / "big.toml").c_str(), 2 << 20), 0);
  EXPECT_EQ(errors("big.toml"), "'big.toml' has 2097152 bytes; at most 1048576 are read\n");
}

TEST_F(ScenarioFile, Binary) {
  write("binary.toml", std::string("\0\x7f"
                                   "ELF",
                                   5));
  EXPECT_NE(errors("binary.toml").find("binary.toml:1:1: not TOML"), std::string::npos);
}

// ---- Keys

TEST(ScenarioErrors, MisspeltKeys) {
  EXPECT_EQ(
      errors_of("[worklod]\n"),
      "s.toml:1:1: pool is missing; expected a table { … } (the workers and their queues)\n"
      "s.toml:1:1: dispatch is missing; expected a table { … } (the policies to compare, and what "
      "they can know)\n"
      "s.toml:1:2: unknown key 'worklod' (did you mean 'workload'?); allowed: name, workload, "
      "pool, stages, dispatch, run, slo, sweep, plan\n");
  EXPECT_EQ(pool_errors("wrokers = 8\n"),
            "s.toml:5:1: pool: unknown key 'wrokers' (did you mean 'workers'?); allowed: workers, "
            "speeds, queue_bound, groups, common_bound, when_full, take_over, "
            "stealing, wake_up, task_overhead, "
            "slots, discipline, preemptive, total_speed, batch, cache, failures, speed_states, "
            "speed_timetable, "
            "admission, start_up, keep_warm, slow_start, "
            "scaling\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\", rate = 0.5, scale = 2 }\n"),
            "s.toml:3:44: workload.arrivals: unknown key of poisson 'scale'; allowed: kind, rate, "
            "load, batch\n");
}

TEST(ScenarioErrors, MissingKeys) {
  EXPECT_EQ(
      pool_errors("take_over = true\n"),
      "s.toml:4:1: pool.workers is missing; expected a whole number from 1 to 100000, or groups\n");
}

TEST(ScenarioErrors, SeveralAreReportedTogether) {
  EXPECT_EQ(
      errors_of(ScenarioParts{.workload =
                                  "arrivals = { kind = \"poisson\", rate = -1 }\n"
                                  "service = { distribution = \"exponential\", mean = \"-1 s\" }\n",
                              .pool = "workers = 0\n",
                              .rest = "[run]\ntasks = 0.5\n"}
                    .text()),
      "s.toml:2:39: workload.arrivals.rate: found -1, allowed: a number above 0\n"
      "s.toml:3:50: workload.service.mean: found '-1 s', allowed: a duration above 0 (\"250ms\", "
      "or "
      "a number of seconds)\n"
      "s.toml:5:11: pool.workers: found 0, allowed: a whole number from 1 to 100000\n"
      "s.toml:9:9: run.tasks: found 0.5, allowed: a whole number of at least 1\n");
}

TEST(ScenarioErrors, ManyAreCut) {
  std::string text = ScenarioParts{}.text();
  for (int i = 0; i < 30; ++i) text += "z" + std::to_string(i) + " = 1\n";
  const auto parsed = parse_scenario(text, "s.toml");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().size(), 21U);
  EXPECT_EQ(to_string(parsed.error().back()), "s.toml: and 10 more");
}

TEST(ScenarioErrors, WrongTypes) {
  EXPECT_EQ(pool_errors("workers = \"8\"\n"),
            "s.toml:5:11: pool.workers: found '8', allowed: a whole number from 1 to 100000\n");
  EXPECT_EQ(pool_errors("workers = 8\ntake_over = true\nstealing = 'after_common'\n"),
            "s.toml:7:12: pool.stealing: does not go with take_over; give one of them\n");
  EXPECT_EQ(pool_errors("workers = 8\ntake_over = 1\n"),
            "s.toml:6:13: pool.take_over: found 1, allowed: true or false\n");
  EXPECT_EQ(errors_of("name = 3\npool = 8\nworkload = []\ndispatch = \"jsq\"\n"),
            "s.toml:1:8: name: found 3, allowed: text in quotes\n"
            "s.toml:2:8: pool: found 8, allowed: a table\n"
            "s.toml:3:12: workload: found a list of 0, allowed: a table\n"
            "s.toml:4:12: dispatch: found 'jsq', allowed: a table\n");
  EXPECT_EQ(service_errors("\"exponential\"\n"),
            "s.toml:3:11: workload.service: found 'exponential', allowed: a table { distribution = "
            "…, … }\n");
  EXPECT_EQ(service_errors("{ distribution = \"exponential\", mean = 2024-01-01 }\n"),
            "s.toml:3:50: workload.service.mean: found a date or time, allowed: a duration above 0 "
            "(\"250ms\", or a number of seconds)\n");
}

TEST(ScenarioErrors, OverridesAreNamedAsTheyWereGiven) {
  const std::vector<Override> overrides{*parse_override("pool.workers=0"),
                                        *parse_override("run.tsks=3")};
  EXPECT_EQ(
      errors_of(ScenarioParts{}.text(), "s.toml", overrides),
      "--set pool.workers=0: pool.workers: found 0, allowed: a whole number from 1 to 100000\n"
      "--set run.tsks=3: run: unknown key 'tsks' (did you mean 'tasks'?); allowed: tasks, "
      "duration, "
      "replications, precision, precision_of, replications_max, warm_up, seed\n");
}

TEST(ScenarioErrors, MoreTasksThanTimeHolds) {
  const std::string slow =
      "arrivals = { kind = \"poisson\", rate = 1e-6 }\n"
      "service = { distribution = \"constant\", value = \"10d\" }\n";
  EXPECT_EQ(errors_of(ScenarioParts{.workload = slow, .rest = "[run]\ntasks = 10_000\n"}.text()),
            "s.toml:9:9: run.tasks: 10000 tasks take some 317 years; allowed: as many as take 200 "
            "years, or a run.duration\n");
  EXPECT_EQ(workload_errors(slow),
            "s.toml:2:12: run.tasks: 100000 tasks take some 3.17e+03 years; allowed: as many as "
            "take 200 years, or a run.duration\n");
  EXPECT_EQ(errors_of(ScenarioParts{.workload = slow, .rest = "[run]\ntasks = 6000\n"}.text()),
            "no error\n");
  const std::string crowd =
      "arrivals = { kind = \"closed\", users = 100, think = 1 }\n"
      "service = { distribution = \"constant\", value = \"100d\" }\n";
  EXPECT_EQ(errors_of(ScenarioParts{.workload = crowd, .rest = "[run]\ntasks = 10_000\n"}.text()),
            "s.toml:9:9: run.tasks: 10000 tasks take some 342 years; allowed: as many as take 200 "
            "years, or a run.duration\n");
}

}  // namespace
}  // namespace artel::scenario
