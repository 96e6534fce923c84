// [[stages]]: the exact words for what is wrong with them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/scenario/broken_scenario.hpp"

namespace artel::scenario {
namespace {

using ::testing::HasSubstr;

std::string stage_errors(const std::string& keys) {
  return rest_errors("[[stages]]\nname = \"b\"\nservice = \"10ms\"\n" + keys);
}

TEST(StageErrors, WhatIsMissingOrNotAllowed) {
  EXPECT_EQ(stage_errors("pool = { workers = 2 }\n"), "no error\n");
  EXPECT_THAT(rest_errors("[[stages]]\nname = \"b\"\npool = { workers = 2 }\n"),
              HasSubstr("stages.service is missing"));
  EXPECT_THAT(stage_errors("pool = { workers = 0 }\n"),
              HasSubstr("stages.pool.workers: found 0, allowed: a whole number from 1"));
  EXPECT_EQ(stage_errors("pool = { workers = 2 }\ncalls = 3\n"), "no error\n")
      << "calls may meet at a worker";
  EXPECT_THAT(stage_errors("pool = { workers = 2 }\nprobability = 2\n"),
              HasSubstr("stages.probability: found 2, allowed: a number above 0 up to 1"));
  EXPECT_THAT(stage_errors("pool = { workers = 2, scaling = { policy = \"hpa\", max = 4 } }\n"),
              HasSubstr("stages.pool: scaling is for the first pool only"));
  EXPECT_THAT(
      stage_errors("pool = { workers = 2 }\n[[stages]]\nname = \"b\"\nservice = 1\npool = { "
                   "workers = 9 }\n"),
      HasSubstr("stages.name: 'b' is there twice"));
  EXPECT_THAT(stage_errors("pool = { workers = 2 }\nslo = { p98_wait = 1 }\n"),
              HasSubstr("stages.slo: unknown key 'p98_wait'"));
}

TEST(StageErrors, KeysNeedWhatThoseOfTheFirstPoolNeed) {
  EXPECT_THAT(stage_errors("pool = { workers = 2, discipline = \"priority\" }\n"),
              HasSubstr("stages.pool.discipline: priority needs workload.classes"));
  EXPECT_THAT(stage_errors("pool = { workers = 2, discipline = \"edf\" }\n"),
              HasSubstr("stages.pool.discipline: edf needs deadlines"));
  const std::string codel = "admission = { policy = \"codel\", target = 1 }";
  EXPECT_THAT(stage_errors("pool = { workers = 2, " + codel + " }\n"),
              HasSubstr("stages.pool.admission: codel looks at the common queue"));
  EXPECT_EQ(stage_errors("pool = { workers = 2, queue_bound = 1, " + codel + " }\n"), "no error\n");
}

TEST(StageErrors, WhatCannotKeepUp) {
  EXPECT_THAT(rest_errors("[[stages]]\nname = \"b\"\nservice = \"1s\"\npool = { workers = 2 }\n"),
              HasSubstr("stages: the load of 'b' is 3.2 and its queues are unbounded"));
}

TEST(StageErrors, CallersWaitForTheLastStage) {
  const auto errors = [](const std::string& workload, const std::string& pool = "workers = 2") {
    return errors_of(ScenarioParts{.workload = ScenarioParts{}.workload + workload,
                                   .rest = "[[stages]]\nname = \"b\"\nservice = \"10ms\"\npool "
                                           "= { " +
                                           pool + " }\n"}
                         .text());
  };
  EXPECT_EQ(errors("callers = { timeout = 1 }\n"), "no error\n");
  EXPECT_THAT(errors("callers = { timeout = 1 }\nfork = 2\n"),
              HasSubstr("workload.callers: does not go with stages and workload.fork together"));
  EXPECT_THAT(errors("callers = { retries = 1 }\n"), HasSubstr("nothing can fail here"));
  EXPECT_EQ(errors("callers = { retries = 1 }\n", "workers = 2, common_bound = 0, queue_bound = 1"),
            "no error\n");
}

}  // namespace
}  // namespace artel::scenario
