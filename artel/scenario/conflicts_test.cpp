#include "artel/scenario/conflicts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::scenario {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Scenario scaled() {
  Scenario scenario;
  scenario.pool.speeds = {1, 1};
  scenario.pool.queue_bounds = {3, 3};
  scenario.pool.scaling.emplace();
  return scenario;
}

TEST(Conflicts, NoneIfWorkersAreAlikeAndTheDispatcherKnowsThem) {
  EXPECT_THAT(conflicts(scaled()), IsEmpty());
}

TEST(Conflicts, SaysWhichKeysDoNotGoWithWorkersThatComeAndGo) {
  auto scenario = scaled();
  scenario.pool.speeds = {1, 2};
  scenario.pool.queue_bounds = {3, 4};
  scenario.dispatch.staleness = 1s;
  EXPECT_THAT(
      conflicts(scenario),
      ElementsAre(AllOf(Field(&Conflict::table, "dispatch"), Field(&Conflict::key, "staleness"),
                        Field(&Conflict::what, StartsWith("dispatch.staleness: "))),
                  Field(&Conflict::what,
                        "pool.scaling: needs workers that are all alike; these "
                        "differ in speed"),
                  Field(&Conflict::what,
                        "pool.scaling: needs workers that are all alike; these "
                        "differ in queue_bound")));
}

}  // namespace
}  // namespace artel::scenario
