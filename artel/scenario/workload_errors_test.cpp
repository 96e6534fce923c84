// Every mistake in [workload] that a user is likely to make, and the exact words that answer it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/scenario/broken_scenario.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

TEST(WorkloadErrors, Arrivals) {
  EXPECT_EQ(arrivals_errors("{ rate = 3 }\n"),
            "s.toml:3:12: workload.arrivals.kind is missing; expected poisson, constant, mmpp, "
            "timetable, renewal, sum, trace, closed "
            "(poisson: at random; constant: equal gaps; mmpp: bursts; timetable: at random, "
            "at a rate that goes by the clock; renewal: independent gaps of a law; sum: several "
            "sources; trace: as recorded; closed: users who think between requests)\n");
  EXPECT_EQ(
      arrivals_errors("{ kind = \"poison\", rate = 3 }\n"),
      "s.toml:3:21: workload.arrivals: unknown kind 'poison' (did you mean 'poisson'?); allowed: "
      "poisson, constant, mmpp, timetable, renewal, sum, trace, closed\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\" }\n"),
            "s.toml:3:12: workload.arrivals.rate is missing; expected a rate or a load\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"constant\", rate = 1, load = 0.5 }\n"),
            "s.toml:3:40: workload.arrivals.rate: does not go with load; give one of them\n");
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\", rate = nan }\n"),
            "s.toml:3:39: workload.arrivals.rate: found nan, allowed: a number above 0\n");
}

TEST(WorkloadErrors, LoadWithoutAnEnd) {
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
    return errors_of(ScenarioParts{.workload =
                                       "arrivals = { kind = \"poisson\", load = 2 }\n"
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

TEST(WorkloadErrors, Bursts) {
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

TEST(WorkloadErrors, Service) {
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
  EXPECT_EQ(service_errors("{ distribution = \"gamma\", shape = 500, scale = 4e8 }\n"),
            "s.toml:3:28: workload.service.distribution: the mean is 200000000000 s, allowed: up "
            "to 1000000000 s\n");
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

TEST(WorkloadErrors, Expressions) {
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

TEST(WorkloadErrors, PartsMayBeMoreThanWorkers) {
  EXPECT_EQ(arrivals_errors("{ kind = \"poisson\", rate = 0.8 }\nfork = 9\n"), "no error\n");
}

// ---- Traces

class ScenarioTrace : public BrokenScenario {
 protected:
  [[nodiscard]] std::string errors_with(const std::string& csv,
                                        const std::string& time = "time = \"at\"") const {
    write("t.csv", csv);
    write("s.toml", ScenarioParts{.workload = "arrivals = { kind = \"trace\" }\n"
                                              "service = { expression = \"0.001 * size\" }\n"
                                              "trace = { file = \"t.csv\", " +
                                              time + " }\n"}
                        .text());
    return errors("s.toml");
  }
};

TEST_F(ScenarioTrace, Sound) { EXPECT_EQ(errors_with("at,size\n1,2\n"), "no error\n"); }

TEST_F(ScenarioTrace, MissingFile) {
  write("s.toml", ScenarioParts{.workload = "arrivals = { kind = \"trace\" }\n"
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
  write("s.toml", ScenarioParts{.workload = "arrivals = { kind = \"trace\", load = 0.5 }\n"
                                            "service = { distribution = \"constant\", value = 1 }\n"
                                            "trace = { file = \"t.csv\", time = \"at\" }\n"}
                      .text());
  EXPECT_EQ(
      errors("s.toml"),
      "s.toml:2:37: workload.arrivals.load: cannot be reached: all rows of the trace arrive at "
      "once\n");
}

TEST(WorkloadErrors, TraceThatNobodyUses) {
  EXPECT_EQ(
      errors_of(
          ScenarioParts{.workload = ScenarioParts{}.workload + "trace = { file = \"t.csv\" }\n"}
              .text()),
      "s.toml:4:9: workload.trace: is not used: neither the arrivals nor the service come from "
      "it\n");
}

}  // namespace
}  // namespace artel::scenario
