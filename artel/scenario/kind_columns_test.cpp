// Classes and patience, row by row: what is read, and the exact words for what does not go
// together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "artel/config/problems.hpp"
#include "artel/core/instant.hpp"
#include "artel/scenario/features.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "tests/scenario/broken_scenario.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct KindParts {
  std::string arrivals = "{ kind = \"trace\" }";
  std::string trace = "time = \"at\", class = \"kind\", patience = \"waits\"";
  std::string classes = "{ name = \"gold\", priority = 1 }, { name = \"tin\" }";
  std::string pool = "workers = 2\nstealing = \"after_common\"\n";
  std::string rows = "at,size,kind,waits\n0,5,tin,0.5\n1,3,gold,\n2,1,tin,2\n3,4, tin ,\n";
  std::string more;
};

config::Checked<Scenario> parse_kinds(const KindParts& parts, const TemporaryFolder& folder) {
  std::ofstream(folder.path() / "t.csv") << parts.rows;
  return parse_scenario("[workload]\narrivals = " + parts.arrivals +
                            "\nservice = { expression = \"size\" }\nclasses = [" + parts.classes +
                            "]\ntrace = { file = \"t.csv\", " + parts.trace + " }\n" + parts.more +
                            "[pool]\n" + parts.pool + "[dispatch]\npolicies = [\"random\"]\n",
                        (folder.path() / "s.toml").string());
}

std::string kinds_error(const KindParts& parts) {
  const TemporaryFolder folder;
  const auto parsed = parse_kinds(parts, folder);
  return parsed ? "no error\n" : texts_of(parsed.error());
}

TEST(KindColumns, SayWhoseClassATaskIsOfAndHowLongItWaits) {
  const TemporaryFolder folder;
  const auto scenario = parse_kinds({}, folder);
  ASSERT_TRUE(scenario) << texts_of(scenario.error());
  const auto& workload = scenario->workload;
  EXPECT_THAT(workload.trace->classes, ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(workload.trace->patience, ElementsAre(500ms, kForever, 2s, kForever));
  EXPECT_DOUBLE_EQ(workload.classes[0].share, 0.25);
  EXPECT_DOUBLE_EQ(workload.classes[1].share, 0.75);
  EXPECT_TRUE(workload.patience);
  EXPECT_TRUE(is_of_threads(*scenario));
  EXPECT_FALSE(is_plain(*scenario));
}

TEST(KindColumns, GoWithOtherWorkersToo) {
  const TemporaryFolder folder;
  const auto scenario = parse_kinds({.pool = "workers = 2\ndiscipline = \"priority\"\n"}, folder);
  ASSERT_TRUE(scenario) << texts_of(scenario.error());
  EXPECT_FALSE(is_of_threads(*scenario));
}

TEST(KindColumns, AreReportedWhereTheyAreWrong) {
  EXPECT_THAT(kinds_error({.classes = ""}),
              HasSubstr("workload.trace.class: needs workload.classes"));
  EXPECT_THAT(kinds_error({.classes = "{ name = \"gold\", share = 1 }, { name = \"tin\" }"}),
              HasSubstr("share: does not go with workload.trace.class"));
  EXPECT_THAT(kinds_error({.trace = "time = \"at\""}), HasSubstr("share is missing"));
  EXPECT_THAT(kinds_error({.trace = "time = \"at\", class = \"kinds\""}),
              HasSubstr("did you mean 'kind'"));
  EXPECT_THAT(kinds_error({.rows = "at,size,kind,waits\n0,5,tim,1\n"}),
              HasSubstr("t.csv:2:5: column 'kind': unknown class 'tim' (did you mean 'tin'?)"));
  EXPECT_THAT(kinds_error({.rows = "at,size,kind,waits\n0,5,tin,-1\n"}),
              HasSubstr("t.csv:2:9: column 'waits': found '-1'; expected 0 to"));
  EXPECT_THAT(kinds_error({.more = "patience = 3\n"}),
              HasSubstr("workload.patience: does not go with workload.trace.patience"));
  EXPECT_THAT(kinds_error({.arrivals = "{ kind = \"poisson\", rate = 1 }"}),
              HasSubstr("workload.trace.class: is for tasks that are replayed row by row"));
}

TEST(KindColumns, WhatThreadsDoNotHaveIsRefused) {
  EXPECT_THAT(kinds_error({.pool = "workers = 2\nstealing = \"after_common\"\nslots = 2\n"}),
              HasSubstr("pool.stealing: does not go with pool.slots"));
  EXPECT_THAT(kinds_error({.pool = "workers = 2\ntask_overhead = \"1us\"\n"}),
              HasSubstr("pool.task_overhead: does not go with workload.patience"));
}

}  // namespace
}  // namespace artel::scenario
