// Every mistake in a scenario that a user is likely to make, and the exact words that answer it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"
#include "artel/scenario/override.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/study.hpp"

namespace artel::scenario {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string lines(const config::Errors& errors) {
  std::string text;
  for (const auto& error : errors) text += to_string(error) + "\n";
  return text;
}

std::string errors_of(std::string_view text, const std::string& file_name = "s.toml",
                      std::span<const Override> overrides = {}) {
  const auto parsed = parse_scenario(text, file_name, overrides);
  return parsed ? "no error\n" : lines(parsed.error());
}

// A sound scenario, one table per parameter.
struct Parts {
  std::string workload =
      "arrivals = { kind = \"poisson\", rate = 6.4 }\n"
      "service = { distribution = \"exponential\", mean = \"1 s\" }\n";
  std::string pool = "workers = 8\n";
  std::string dispatch = "policies = [\"random\"]\n";
  std::string rest = {};

  // [workload] is line 1, so its keys start in line 2.
  [[nodiscard]] std::string text() const {
    return "[workload]\n" + workload + "[pool]\n" + pool + "[dispatch]\n" + dispatch + rest;
  }
};

std::string workload_errors(const std::string& workload) {
  return errors_of(Parts{.workload = workload}.text());
}
std::string pool_errors(const std::string& pool) { return errors_of(Parts{.pool = pool}.text()); }
std::string dispatch_errors(const std::string& dispatch) {
  return errors_of(Parts{.dispatch = dispatch}.text());
}
std::string rest_errors(const std::string& rest) { return errors_of(Parts{.rest = rest}.text()); }
std::string arrivals_errors(const std::string& arrivals) {
  return workload_errors("service = { distribution = \"constant\", value = 1 }\narrivals = " +
                         arrivals);
}
std::string service_errors(const std::string& service) {
  return workload_errors("arrivals = { kind = \"poisson\", rate = 1 }\nservice = " + service);
}

TEST(ScenarioErrors, PartsAreSound) { EXPECT_EQ(errors_of(Parts{}.text()), "no error\n"); }

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

class ScenarioFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string errors(const std::string& name) const {
    const auto loaded = load_study(folder_ / name);
    std::string text = loaded ? "no error\n" : lines(loaded.error());
    const auto prefix = folder_.string() + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }

  fs::path folder_ = fs::path(::testing::TempDir()) /
                     (std::string("scenario_errors_") +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ScenarioFile, Missing) { EXPECT_EQ(errors("none.toml"), "'none.toml' does not exist\n"); }

TEST_F(ScenarioFile, Directory) {
  fs::create_directories(folder_ / "dir");
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
      "pool, dispatch, run, slo, sweep, plan\n");
  EXPECT_EQ(pool_errors("wrokers = 8\n"),
            "s.toml:5:1: pool: unknown key 'wrokers' (did you mean 'workers'?); allowed: workers, "
            "speeds, queue_bound, groups, common_bound, when_full, take_over, "
            "stealing, wake_up, task_overhead\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\", rate = 0.5, scale = 2 }\n"),
            "s.toml:3:44: workload.arrivals: unknown key of poisson 'scale'; allowed: kind, rate, "
            "load\n");
}

TEST(ScenarioErrors, MissingKeys) {
  EXPECT_EQ(
      pool_errors("take_over = true\n"),
      "s.toml:4:1: pool.workers is missing; expected a whole number from 1 to 100000, or groups\n");
}

TEST(ScenarioErrors, SeveralAreReportedTogether) {
  EXPECT_EQ(
      errors_of(Parts{.workload = "arrivals = { kind = \"poisson\", rate = -1 }\n"
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
  std::string text = Parts{}.text();
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

// ---- Workload

TEST(ScenarioErrors, Arrivals) {
  EXPECT_EQ(
      arrivals_errors("{ rate = 3 }\n"),
      "s.toml:3:12: workload.arrivals.kind is missing; expected poisson, constant, mmpp, trace "
      "(poisson: at random; constant: equal gaps; mmpp: bursts; trace: as recorded)\n");
  EXPECT_EQ(
      arrivals_errors("{ kind = \"poison\", rate = 3 }\n"),
      "s.toml:3:21: workload.arrivals: unknown kind 'poison' (did you mean 'poisson'?); allowed: "
      "poisson, constant, mmpp, trace\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\" }\n"),
            "s.toml:3:12: workload.arrivals.rate is missing; expected a rate or a load\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"constant\", rate = 1, load = 0.5 }\n"),
            "s.toml:3:40: workload.arrivals.rate: does not go with load; give one of them\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\", rate = nan }\n"),
            "s.toml:3:39: workload.arrivals.rate: found nan, allowed: a number above 0\n");
}

TEST(ScenarioErrors, LoadWithoutAnEnd) {
  const std::string hint =
      " and the queues are unbounded, so that they grow without end; allowed: a load below 1, "
      "bounded "
      "queues that reject (pool.queue_bound, pool.common_bound), or an end (run.tasks, "
      "run.duration)\n";
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\", load = 1 }\n"),
            "s.toml:3:39: workload.arrivals: the load is 1" + hint);
  EXPECT_EQ(arrivals_errors("{ kind = \"constant\", rate = 10 }\n"),
            "s.toml:3:40: workload.arrivals: the load is 1.25" + hint);
  const auto busy = [](const std::string& pool, const std::string& dispatch) {
    return errors_of(Parts{.workload = "arrivals = { kind = \"poisson\", load = 2 }\n"
                                       "service = { distribution = \"constant\", value = 1 }\n",
                           .pool = pool,
                           .dispatch = dispatch}
                         .text());
  };
  const auto bounded = std::string("workers = 8\nqueue_bound = 2\ncommon_bound = 5\n");
  EXPECT_EQ(busy(bounded, "policies = [\"random\"]\n"), "no error\n");
  EXPECT_EQ(busy(bounded + "when_full = \"block\"\n", "policies = [\"random\"]\n"),
            "s.toml:2:39: workload.arrivals: the load is 2" + hint);
  EXPECT_EQ(busy(bounded, "policies = [{ name = \"random\", queue_bound = \"inf\" }]\n"),
            "s.toml:2:39: workload.arrivals: the load is 2" + hint);
}

TEST(ScenarioErrors, Bursts) {
  EXPECT_EQ(arrivals_errors("{ kind = \"mmpp\" }\n"),
            "s.toml:3:12: workload.arrivals.states is missing; expected a list [ … ] (of the "
            "bursts; they "
            "follow one another, around)\n");
  EXPECT_EQ(
      arrivals_errors("{ kind = \"mmpp\", states = [] }\n"),
      "s.toml:3:38: workload.arrivals.states: found an empty list, allowed: at least one item\n");
  EXPECT_EQ(
      arrivals_errors("{ kind = \"mmpp\", states = [{ rate = 0, mean_duration = \"1s\" }] }\n"),
      "s.toml:3:38: workload.arrivals.states: no task ever arrives; expected a rate above 0\n");
  EXPECT_EQ(
      arrivals_errors("{ kind = \"mmpp\", states = [{ rate = 1, mean_duration = 0 }, 5] }\n"),
      "s.toml:3:67: workload.arrivals.states.mean_duration: found 0, allowed: a duration above 0 "
      "(\"250ms\", or a number of seconds)\n"
      "s.toml:3:72: workload.arrivals.states: found 5, allowed: a table\n");
}

TEST(ScenarioErrors, Service) {
  EXPECT_EQ(service_errors("{ distribution = \"exponental\", mean = 1 }\n"),
            "s.toml:3:28: workload.service: unknown distribution 'exponental' (did you mean "
            "'exponential'?); allowed: constant, uniform, exponential, erlang, hyperexponential, "
            "lognormal, weibull, bounded_pareto, gamma, empirical, mixture\n");
  EXPECT_EQ(service_errors("{ mean = 1 }\n"),
            "s.toml:3:11: workload.service.distribution is missing; expected constant, uniform, "
            "exponential, erlang, hyperexponential, lognormal, weibull, bounded_pareto, gamma, "
            "empirical, mixture (the law; or give expression)\n");
  EXPECT_EQ(
      service_errors("{ distribution = \"exponential\" }\n"),
      "s.toml:3:11: workload.service.mean is missing; expected a duration above 0 (mean service "
      "time)\n");
  EXPECT_EQ(service_errors("{ distribution = \"exponential\", mean = \"1 parsec\" }\n"),
            "s.toml:3:50: workload.service.mean: found '1 parsec', allowed: a duration above 0 "
            "(\"250ms\", or a number of seconds)\n");
  EXPECT_THAT(service_errors("{ distribution = \"hyperexponential\", mean = 1, scv = 0.5 }\n"),
              HasSubstr("s.toml:3:64: workload.service.scv: scv of hyperexponential: found 0.5"));
  EXPECT_EQ(service_errors("{ distribution = \"constant\", value = 0 }\n"),
            "s.toml:3:11: workload.service: the mean is 0 s, allowed: at least a nanosecond\n");
  EXPECT_EQ(
      service_errors("{ distribution = \"empirical\", values = [1, \"x\"] }\n"),
      "s.toml:3:54: workload.service.values: found 'x', allowed: a list of durations of at least 0 "
      "(\"250ms\", or a number of seconds)\n");
  EXPECT_EQ(
      service_errors(
          "{ distribution = \"mixture\", parts = [{ distribution = \"constant\", value = 1 "
          "}] }\n"),
      "s.toml:3:48: workload.service.probability is missing; expected a number above 0 up to 1 "
      "(they sum to 1)\n");
}

TEST(ScenarioErrors, Expressions) {
  const std::string trace = "trace = { file = \"t.csv\" }\n";
  EXPECT_EQ(
      service_errors("{ expression = \"1 +\" }\n" + trace),
      "s.toml:3:26: workload.service.expression: Unexpected end of expression at position 4\n");
  EXPECT_EQ(service_errors("{ expression = \"a\", distribution = \"constant\" }\n" + trace),
            "s.toml:3:46: workload.service.distribution: does not go with expression; give one of "
            "them\n");
  EXPECT_EQ(service_errors("{ expression = \"a\" }\n"),
            "s.toml:1:1: workload.trace is missing; expected { file = \"x.csv\", time = \"column\" "
            "}: the "
            "sizes come from it\n");
}

TEST(ScenarioErrors, ForkNeedsAsManyWorkers) {
  EXPECT_EQ(errors_of(Parts{.workload = Parts{}.workload + "fork = 9\n"}.text()),
            "s.toml:4:8: workload.fork: found 9, allowed: at most the number of workers, 8\n");
}

// ---- Traces

class ScenarioTrace : public ScenarioFile {
 protected:
  [[nodiscard]] std::string errors_with(const std::string& csv,
                                        const std::string& time = "time = \"at\"") const {
    write("t.csv", csv);
    write("s.toml", Parts{.workload = "arrivals = { kind = \"trace\" }\n"
                                      "service = { expression = \"0.001 * size\" }\n"
                                      "trace = { file = \"t.csv\", " +
                                      time + " }\n"}
                        .text());
    return errors("s.toml");
  }
};

TEST_F(ScenarioTrace, Sound) { EXPECT_EQ(errors_with("at,size\n1,2\n"), "no error\n"); }

TEST_F(ScenarioTrace, MissingFile) {
  write("s.toml", Parts{.workload = "arrivals = { kind = \"trace\" }\n"
                                    "service = { distribution = \"constant\", value = 1 }\n"
                                    "trace = { file = \"no.csv\", time = \"at\" }\n"}
                      .text());
  EXPECT_EQ(errors("s.toml"), "s.toml:4:18: workload.trace.file: 'no.csv' does not exist\n");
}

TEST_F(ScenarioTrace, MissingColumn) {
  EXPECT_EQ(errors_with("at,sise\n1,2\n"),
            "t.csv:1: unknown column 'size' (did you mean 'sise'?); allowed: at, sise\n");
  EXPECT_EQ(errors_with("at,size\n1,2\n", "time = \"time\""),
            "t.csv:1: unknown column 'time'; allowed: at, size\n");
}

TEST_F(ScenarioTrace, TextInANumber) {
  EXPECT_EQ(errors_with("at,size\n1,2\n2,many\n"),
            "t.csv:3:3: column 'size': found 'many'; expected a number\n");
}

TEST_F(ScenarioTrace, TimeGoingBackwards) {
  EXPECT_EQ(
      errors_with("at,size\n1,2\n0.5,2\n"),
      "t.csv:3:1: column 'at': '0.5' is 500 ms before the row above; sort the rows by time\n");
}

TEST_F(ScenarioTrace, NoRows) {
  EXPECT_EQ(errors_with("at,size\n"),
            "t.csv: the trace has a header and no rows; expected at least one\n");
  EXPECT_EQ(errors_with(""), "t.csv: the trace is empty; expected a line with column names\n");
}

TEST_F(ScenarioTrace, GigabyteOfGarbage) {
  EXPECT_EQ(errors_with("at,size\n1,2\n"), "no error\n");
  ASSERT_EQ(truncate((folder_ / "t.csv").c_str(), off_t{1} << 30), 0);
  EXPECT_EQ(errors("s.toml"),
            "s.toml:4:18: workload.trace.file: 't.csv' has 1073741824 bytes; at most 536870912 are "
            "read\n");
  ASSERT_EQ(truncate((folder_ / "t.csv").c_str(), off_t{1} << 28), 0);
  EXPECT_EQ(errors("s.toml"),
            "t.csv:3:1: found a zero byte; expected text in UTF-8 (is this a binary file?)\n");
}

TEST_F(ScenarioTrace, TimeColumnAndFormat) {
  EXPECT_EQ(
      errors_with("at,size\n1,2\n", "time_format = \"iso\""),
      "s.toml:4:9: workload.trace.time is missing; expected the column with the time of arrival\n");
  EXPECT_EQ(
      errors_with("at,size\n1,2\n", "time = \"at\", time_format = \"is\""),
      "s.toml:4:54: workload.trace: unknown time_format 'is' (did you mean 'iso'?); allowed: auto, "
      "iso, seconds, epoch, epoch_ms, epoch_us, epoch_ns\n");
}

TEST_F(ScenarioTrace, LoadNeedsTimeToPass) {
  write("t.csv", "at\n1\n1\n");
  write("s.toml", Parts{.workload = "arrivals = { kind = \"trace\", load = 0.5 }\n"
                                    "service = { distribution = \"constant\", value = 1 }\n"
                                    "trace = { file = \"t.csv\", time = \"at\" }\n"}
                      .text());
  EXPECT_EQ(
      errors("s.toml"),
      "s.toml:2:37: workload.arrivals.load: cannot be reached: all rows of the trace arrive at "
      "once\n");
}

TEST(ScenarioErrors, TraceThatNobodyUses) {
  EXPECT_EQ(
      errors_of(Parts{.workload = Parts{}.workload + "trace = { file = \"t.csv\" }\n"}.text()),
      "s.toml:4:9: workload.trace: is not used: neither the arrivals nor the service come from "
      "it\n");
}

// ---- Pool

TEST(ScenarioErrors, Pool) {
  EXPECT_EQ(pool_errors("workers = 8\nqueue_bound = 0\n"),
            "s.toml:6:15: pool.queue_bound: found 0, allowed: a whole number of at least 1, "
            "\"inf\", or a "
            "list of them\n");
  EXPECT_EQ(pool_errors("workers = 2\nspeeds = [1, 2, 3]\nqueue_bound = [1]\n"),
            "s.toml:6:10: pool.speeds: found a list of 3, allowed: one per worker, 2\n"
            "s.toml:7:15: pool.queue_bound: found a list of 1, allowed: one per worker, 2\n");
  EXPECT_EQ(
      pool_errors("workers = 2\nspeeds = [1, 0]\n"),
      "s.toml:6:14: pool.speeds: found 0, allowed: a number above 0 up to 1000000, or a list of "
      "them\n");
  EXPECT_EQ(pool_errors("workers = 2\ncommon_bound = -1\n"),
            "s.toml:6:16: pool.common_bound: found -1, allowed: a whole number of at least 0, or "
            "\"inf\"\n");
  EXPECT_EQ(pool_errors("workers = 2\nwhen_full = \"drop\"\n"),
            "s.toml:6:13: pool: unknown when_full 'drop'; allowed: reject, block\n");
  EXPECT_EQ(
      pool_errors("groups = [{ speed = 2 }]\nworkers = 2\n"),
      "s.toml:5:11: pool.groups.workers is missing; expected a whole number from 1 to 100000 (how "
      "many of this kind)\n"
      "s.toml:6:11: pool.workers: does not go with groups; each group has its own\n");
}

// ---- Dispatch

TEST(ScenarioErrors, Policies) {
  EXPECT_EQ(dispatch_errors("policies = []\n"),
            "s.toml:7:12: dispatch.policies: found an empty list, allowed: at least one item\n");
  EXPECT_EQ(dispatch_errors("policies = \"random\"\n"),
            "s.toml:7:12: dispatch.policies: found 'random', allowed: a list [ … ]\n");
  EXPECT_EQ(
      dispatch_errors("policies = [\"jsp\", 3]\n"),
      "s.toml:7:13: dispatch.policies: unknown policy 'jsp' (did you mean 'jsq'?); allowed: "
      "central, random, round_robin, weighted_round_robin, least_loaded, jsq, jiq, "
      "least_work_left, sita, closed_loop\n"
      "s.toml:7:20: dispatch.policies: found 3, allowed: a name, or a table { name = …, … }\n");
  EXPECT_EQ(
      dispatch_errors("policies = [{ name = \"jsq\", dd = 3 }]\n"),
      "s.toml:7:29: dispatch.policies: unknown key of jsq 'dd' (did you mean 'd'?); allowed: d, "
      "busyness, name, label, queue_bound, take_over\n");
  EXPECT_THAT(dispatch_errors("policies = [{ name = \"jsq\", d = 0 }]\n"),
              HasSubstr("s.toml:7:33: dispatch.policies: d of jsq: found 0"));
  EXPECT_EQ(
      dispatch_errors("policies = [{ d = 0 }]\n"),
      "s.toml:7:13: dispatch.policies.name is missing; expected text in quotes (see the list of "
      "policies below)\n"
      "s.toml:7:15: dispatch.policies: unknown key 'd'; allowed: name, label, queue_bound, "
      "take_over\n");
  EXPECT_EQ(
      dispatch_errors("policies = [\"random\", \"jiq\", \"random\"]\n"),
      "s.toml:7:30: dispatch.policies: 'random' is there twice; give one of them another label\n");
}

TEST(ScenarioErrors, Dispatchers) {
  EXPECT_EQ(dispatch_errors("policies = [\"random\"]\ndispatchers = 0\nstaleness = \"soon\"\n"),
            "s.toml:8:15: dispatch.dispatchers: found 0, allowed: a whole number from 1 to 1000\n"
            "s.toml:9:13: dispatch.staleness: found 'soon', allowed: a duration of at least 0 "
            "(\"250ms\", "
            "or a number of seconds)\n");
}

// ---- Run, objectives, sweep

TEST(ScenarioErrors, Run) {
  const std::string warm_up =
      ", allowed: \"auto\", a share from \"0%\" to \"90%\", or a duration with its unit "
      "(\"10s\")\n";
  EXPECT_EQ(rest_errors("[run]\nwarm_up = 0.2\n"), "s.toml:9:11: run.warm_up: found 0.2" + warm_up);
  EXPECT_EQ(rest_errors("[run]\nwarm_up = \"100%\"\n"),
            "s.toml:9:11: run.warm_up: found '100%'" + warm_up);
  EXPECT_EQ(rest_errors("[run]\nwarm_up = \"-1s\"\n"),
            "s.toml:9:11: run.warm_up: found '-1s'" + warm_up);
  EXPECT_EQ(
      rest_errors("[run]\nduration = \"10s\"\nwarm_up = \"10s\"\n"),
      "s.toml:10:11: run.warm_up: found 10.0 s, allowed: less than the run's duration, 10.0 s\n");
  EXPECT_EQ(
      rest_errors("[run]\nreplications_max = 5\n"),
      "s.toml:9:20: run.replications_max: needs a precision to aim at; without one, the number is "
      "replications\n");
  EXPECT_EQ(rest_errors("[run]\nprecision = 0.01\nreplications = 9\nreplications_max = 5\n"),
            "s.toml:11:20: run.replications_max: found 5, allowed: at least replications, 9\n");
  EXPECT_EQ(rest_errors("[run]\nseed = -1\nprecision = 0\n"),
            "s.toml:9:8: run.seed: found -1, allowed: a whole number of at least 0\n"
            "s.toml:10:13: run.precision: found 0, allowed: a number above 0 up to 1\n");
}

TEST(ScenarioErrors, Objectives) {
  EXPECT_EQ(
      rest_errors("[slo]\np99_response = 0\nrejected = 2\n"),
      "s.toml:9:16: slo.p99_response: found 0, allowed: a duration above 0 (\"250ms\", or a number "
      "of seconds)\n"
      "s.toml:10:12: slo.rejected: found 2, allowed: a number from 0 to 1\n");
  EXPECT_EQ(rest_errors("[slo]\np99_respons = 1\n"),
            "s.toml:9:1: slo: unknown key 'p99_respons' (did you mean 'p99_response'?); allowed: "
            "mean_response, p50_response, p90_response, p95_response, p99_response, p999_response, "
            "max_response, mean_wait, p50_wait, p90_wait, p95_wait, p99_wait, p999_wait, max_wait, "
            "rejected\n");
}

TEST(ScenarioErrors, Sweep) {
  EXPECT_EQ(rest_errors("sweep = 3\n"),
            "s.toml:8:1: dispatch: unknown key 'sweep'; allowed: policies, "
            "dispatchers, staleness, network_delay\n");
  EXPECT_EQ(
      rest_errors("[sweep]\n\"pool.workers\" = \"8..4\"\n\"run.seed\" = []\nx = [[1]]\n"),
      "s.toml:9:18: sweep of pool.workers: found '8..4': the first value is beyond the last; "
      "expected first..last, first..last:step, or a list a,b,c (8..32:4 is 8, 12, … 32)\n"
      "s.toml:10:14: sweep of run.seed: found a list of 0, allowed: \"16..48:4\", or a list of "
      "numbers or texts\n"
      "s.toml:11:6: sweep of x: found a list of 1, allowed: \"16..48:4\", or a list of numbers or "
      "texts\n");
}

TEST(ScenarioErrors, OverridesAreNamedAsTheyWereGiven) {
  const std::vector<Override> overrides{*parse_override("pool.workers=0"),
                                        *parse_override("run.tsks=3")};
  EXPECT_EQ(
      errors_of(Parts{}.text(), "s.toml", overrides),
      "--set pool.workers=0: pool.workers: found 0, allowed: a whole number from 1 to 100000\n"
      "--set run.tsks=3: run: unknown key 'tsks' (did you mean 'tasks'?); allowed: tasks, "
      "duration, "
      "replications, precision, replications_max, warm_up, seed\n");
}

}  // namespace
}  // namespace artel::scenario
