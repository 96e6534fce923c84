#include "tests/conformance/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "tests/conformance/happening.hpp"

namespace artel::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Happening worker_joins(unsigned id, unsigned capacity) {
  return {.what = What::joined, .worker = WorkerId{id}, .capacity = capacity};
}
Happening task(What what, unsigned number, unsigned worker = 0) {
  return {.what = what, .task = TaskId{number}, .worker = WorkerId{worker}};
}

std::vector<std::string> heard(const Setting& setting, std::initializer_list<Happening> all) {
  Ledger ledger(setting);
  for (const Happening& each : all) ledger.hear(each);
  return ledger.violations();
}

TEST(Ledger, KeepsQuietWhenAllIsWell) {
  EXPECT_THAT(heard({}, {worker_joins(0, 1), task(What::arrived, 0), task(What::bound, 0),
                         task(What::started, 0), task(What::arrived, 1), task(What::held, 1),
                         task(What::finished, 0), task(What::bound, 1), task(What::started, 1)}),
              IsEmpty());
}

TEST(Ledger, NoticesATaskBeyondCapacity) {
  EXPECT_THAT(heard({}, {worker_joins(0, 1), task(What::arrived, 0), task(What::bound, 0),
                         task(What::arrived, 1), task(What::bound, 1)}),
              ElementsAre(HasSubstr("happening 5: a worker has no more tasks than its capacity")));
}

TEST(Ledger, NoticesAHeldTaskWhileThereIsRoom) {
  EXPECT_THAT(heard({}, {worker_joins(0, 1), task(What::arrived, 0), task(What::held, 0)}),
              ElementsAre(HasSubstr("no task is held while a worker has room")));
}

TEST(Ledger, AllowsAHostThatBindsLateToHoldTasksUntilSomebodyHasNothing) {
  const Setting late{.binds_late = true};
  EXPECT_THAT(heard(late, {worker_joins(0, 2), task(What::arrived, 0), task(What::bound, 0),
                           task(What::started, 0), task(What::arrived, 1), task(What::held, 1)}),
              IsEmpty());
  EXPECT_THAT(heard(late, {worker_joins(0, 2), task(What::arrived, 0), task(What::held, 0)}),
              ElementsAre(HasSubstr("no task is held while a worker has room")));
}

TEST(Ledger, NoticesARejectionWithoutNeed) {
  EXPECT_THAT(heard({.common_capacity = 1}, {task(What::arrived, 0), task(What::rejected, 0)}),
              ElementsAre(HasSubstr("while the common queue has room")));
  EXPECT_THAT(heard({.common_capacity = 0},
                    {worker_joins(0, 1), task(What::arrived, 0), task(What::rejected, 0)}),
              ElementsAre(HasSubstr("while a worker has room")));
}

TEST(Ledger, NoticesOvertaking) {
  EXPECT_THAT(heard({}, {task(What::arrived, 0), task(What::held, 0), worker_joins(0, 2),
                         task(What::arrived, 1), task(What::bound, 1)}),
              ElementsAre(HasSubstr("overtakes")));
  EXPECT_THAT(heard({}, {task(What::arrived, 0), task(What::held, 0), task(What::arrived, 1),
                         task(What::held, 1), worker_joins(0, 2), task(What::bound, 1)}),
              ElementsAre(HasSubstr("first held")));
  EXPECT_THAT(heard({}, {worker_joins(0, 2), task(What::arrived, 0), task(What::bound, 0),
                         task(What::arrived, 1), task(What::bound, 1), task(What::started, 1)}),
              ElementsAre(HasSubstr("first task of its queue")));
}

TEST(Ledger, NoticesTheTakingOverOfATaskThatIsNotTheOldest) {
  EXPECT_THAT(
      heard({.take_over = true}, {worker_joins(0, 2), task(What::arrived, 0), task(What::bound, 0),
                                  task(What::arrived, 1), task(What::bound, 1), worker_joins(1, 2),
                                  task(What::bound, 1, 1)}),
      ElementsAre(HasSubstr("oldest of a queue")));
}

TEST(Ledger, NoticesWorkForALeavingWorker) {
  EXPECT_THAT(heard({}, {worker_joins(0, 2),
                         task(What::arrived, 0),
                         task(What::bound, 0),
                         {.what = What::leaving, .worker = WorkerId{0}},
                         task(What::arrived, 1),
                         task(What::bound, 1)}),
              ElementsAre(HasSubstr("a leaving worker gets nothing new")));
}

TEST(Ledger, NoticesALostTaskAndAFalseCount) {
  Ledger ledger({});
  ledger.hear(task(What::arrived, 0));
  ledger.hear({.what = What::settled, .counts = {.arrived = 1, .held = 1}});
  EXPECT_THAT(ledger.violations(),
              ElementsAre(HasSubstr("held, rejected or bound"), HasSubstr("lost or doubled"),
                          HasSubstr("counts as it tells")));
}

TEST(Ledger, NoticesATaskDoneTwice) {
  EXPECT_THAT(heard({}, {worker_joins(0, 2), task(What::arrived, 0), task(What::bound, 0),
                         task(What::started, 0), task(What::finished, 0), task(What::finished, 0)}),
              ElementsAre(HasSubstr("only the running task finishes")));
  EXPECT_THAT(heard({}, {worker_joins(0, 2), task(What::arrived, 0), task(What::bound, 0),
                         task(What::bound, 0)}),
              ElementsAre(HasSubstr("a bound task arrives")));
}

TEST(Ledger, NoticesIdlenessBesideWaitingTasks) {
  Ledger ledger({.take_over = true});
  for (const unsigned id : {0U, 1U}) ledger.hear(worker_joins(id, 2));
  for (const unsigned number : {0U, 1U}) {
    ledger.hear(task(What::arrived, number));
    ledger.hear(task(What::bound, number));
  }
  ledger.hear(task(What::started, 0));
  ledger.hear({.what = What::settled, .counts = {.arrived = 2, .waiting = 1, .running = 1}});
  EXPECT_THAT(ledger.violations(), ElementsAre(HasSubstr("nothing waits while a worker is idle")));
}

}  // namespace
}  // namespace artel::conformance
