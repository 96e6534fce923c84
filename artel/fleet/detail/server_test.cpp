// What each kind of server does with a handful of jobs, worked out by hand.

#include "artel/fleet/detail/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/fleet/detail/make_server.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;
using scenario::Discipline;
using ::testing::DoubleEq;
using ::testing::ElementsAre;

struct Coming {
  double at = 0;
  double work = 1;
  std::int32_t priority = 0;
  double join = 0;
};

struct Times {
  double start = 0;
  double end = 0;
};

// A server whose worker works at speed 1, driven from job to job.
class Driven {
 public:
  explicit Driven(const scenario::WorkerSettings& settings)
      : server(make_server(settings, random::Stream(Seed{1}, "batches"))) {}

  void enter(const Coming& job) {
    run_to(job.at);
    server->enter({.id = jobs_++, .priority = job.priority, .work = job.work, .join = job.join},
                  instant(), news);
    take_news();
  }

  void run_to(double time) {
    while (true) {
      const double change = now_ + server->until_change();
      const auto wakes = server->wakes_at();
      const double wake = wakes ? to_seconds(*wakes - Instant{}) : kNever;
      const double next = std::min(change, wake);
      if (next > time || next == kNever) break;
      server->advance(next - now_);
      now_ = next;
      change <= wake ? server->change(instant(), news) : server->wake(instant(), news);
      take_news();
    }
    if (time == kNever) return;
    server->advance(time - now_);
    now_ = time;
  }

  // What became of jobs 0, 1, …
  std::vector<double> ends() {
    run_to(kNever);
    std::vector<double> ends;
    for (std::uint32_t id = 0; id < jobs_; ++id) ends.push_back(times[id].end);
    return ends;
  }

  void take_news() {
    for (const auto id : std::exchange(news.started, {})) times[id].start = now_;
    for (const auto id : std::exchange(news.ended, {})) times[id].end = now_;
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();
  std::unique_ptr<Server> server;
  ServerNews news;
  std::map<std::uint32_t, Times> times;

 private:
  [[nodiscard]] Instant instant() const { return Instant{from_seconds(now_)}; }
  double now_ = 0;
  std::uint32_t jobs_ = 0;
};

std::vector<double> ends(const scenario::WorkerSettings& settings,
                         const std::vector<Coming>& jobs) {
  Driven driven(settings);
  for (const auto& job : jobs) driven.enter(job);
  return driven.ends();
}

// A long job, and while it is served a middling one and a short one.
std::vector<Coming> three_jobs() { return {{0, 4}, {1, 2}, {2, 1}}; }

TEST(Server, EdfServesWhoseDeadlineIsNext) {
  Driven driven({.discipline = Discipline::edf});
  const auto enter = [&](std::uint32_t id, double deadline) {
    driven.server->enter({.id = id, .work = 1, .deadline = deadline}, Instant{}, driven.news);
    driven.take_news();
  };
  enter(0, 9);
  enter(1, 8);
  enter(2, 3);
  enter(3, 8);
  driven.run_to(Driven::kNever);
  EXPECT_EQ(driven.times[0].end, 1);  // it had begun
  EXPECT_EQ(driven.times[2].end, 2);
  EXPECT_EQ(driven.times[1].end, 3);
  EXPECT_EQ(driven.times[3].end, 4);
}

// Two jobs in service, or in turns, and one that waits where there are slots; the first is taken.
TEST(Server, WhatIsCancelledLeavesItsPlaceToOthers) {
  for (const auto discipline :
       {Discipline::fifo, Discipline::srpt, Discipline::ps, Discipline::las}) {
    const bool slots = discipline == Discipline::fifo || discipline == Discipline::srpt;
    Driven driven({.slots = slots ? 2U : 1U, .discipline = discipline});
    for (int i = 0; i < 3; ++i) driven.enter({0, 3});
    driven.run_to(1);
    EXPECT_TRUE(driven.server->cancel(0, Instant{1s}, driven.news));
    EXPECT_FALSE(driven.server->cancel(0, Instant{1s}, driven.news));
    driven.take_news();
    const auto ends = driven.ends();
    // Shared: 1/3 s done of each, so 2 · 8/3 s are left. Slots: 2 s of the second, all of the
    // third.
    EXPECT_NEAR(std::max(ends[1], ends[2]), slots ? 4 : 1 + 2 * 8.0 / 3, 1e-9);
    EXPECT_EQ(ends[0], 0);
  }
}

TEST(Server, ABatchCannotBeCancelledOnceItHasStarted) {
  scenario::WorkerSettings settings;
  settings.batch = scenario::BatchSettings{.most = 1};
  Driven driven(settings);
  driven.enter({0, 2});
  driven.enter({0, 2});
  EXPECT_FALSE(driven.server->cancel(0, Instant{}, driven.news));
  EXPECT_TRUE(driven.server->cancel(1, Instant{}, driven.news));
  EXPECT_EQ(driven.ends()[0], 2);
}

TEST(Server, FifoServesInOrderOfArrival) {
  EXPECT_THAT(ends({}, three_jobs()), ElementsAre(4, 6, 7));
}

TEST(Server, SlotsServeThatManyAtFullSpeed) {
  EXPECT_THAT(ends({.slots = 2}, three_jobs()), ElementsAre(4, 3, 4));
}

TEST(Server, LifoServesTheLastFirst) {
  EXPECT_THAT(ends({.discipline = Discipline::lifo}, three_jobs()), ElementsAre(4, 7, 5));
  EXPECT_THAT(ends({.discipline = Discipline::lifo, .preemptive = true}, three_jobs()),
              ElementsAre(7, 4, 3));
}

TEST(Server, ShortestFirstLooksAtTheWholeJobAndSrptAtWhatIsLeft) {
  const std::vector<Coming> jobs{{0, 4}, {1, 3.5}, {1, 2}};
  EXPECT_THAT(ends({.discipline = Discipline::sjf}, jobs), ElementsAre(4, 9.5, 6));
  EXPECT_THAT(ends({.discipline = Discipline::sjf, .preemptive = true}, jobs),
              ElementsAre(9.5, 6.5, 3));
  EXPECT_THAT(ends({.discipline = Discipline::srpt}, jobs), ElementsAre(6, 9.5, 3));
}

TEST(Server, TheUrgentGoFirstAndInterruptIfTheyMay) {
  const std::vector<Coming> jobs{{0, 4, 0}, {1, 1, 0}, {2, 1, 5}, {2.5, 1, 5}};
  EXPECT_THAT(ends({.discipline = Discipline::priority}, jobs), ElementsAre(4, 7, 5, 6));
  EXPECT_THAT(ends({.discipline = Discipline::priority, .preemptive = true}, jobs),
              ElementsAre(6, 7, 3, 4));
}

TEST(Server, TheLeastUrgentOfSeveralIsInterrupted) {
  const std::vector<Coming> jobs{{0, 4, 2}, {0, 4, 1}, {1, 1, 3}};
  EXPECT_THAT(ends({.slots = 2, .discipline = Discipline::priority, .preemptive = true}, jobs),
              ElementsAre(4, 5, 2));
}

TEST(Server, SharingGivesAllTheSameSpeed) {
  EXPECT_THAT(ends({.discipline = Discipline::ps}, {{0, 2}, {1, 2}, {1, 0.5}}),
              ElementsAre(DoubleEq(3.5), DoubleEq(4.5), DoubleEq(2.5)));
  EXPECT_THAT(ends({.discipline = Discipline::ps, .total_speed = {1, 2}}, {{0, 2}, {1, 2}, {1, 2}}),
              ElementsAre(DoubleEq(2.5), DoubleEq(3.5), DoubleEq(3.5)));
}

TEST(Server, LeastAttainedServiceServesTheNewUntilItIsLevel) {
  // The second has the worker for itself until it has had 2, too; then they share.
  EXPECT_THAT(ends({.discipline = Discipline::las}, {{0, 3}, {2, 5}, {2, 1}}),
              ElementsAre(DoubleEq(7), DoubleEq(9), DoubleEq(4)));
}

TEST(Server, WhatIsInServiceCanBeginAnew) {
  for (const auto discipline : {Discipline::fifo, Discipline::ps, Discipline::las}) {
    Driven driven({.discipline = discipline});
    driven.enter({0, 4});
    driven.run_to(3);
    driven.server->restart();
    EXPECT_THAT(driven.ends(), ElementsAre(7)) << static_cast<int>(discipline);
  }
}

TEST(Server, WhatIsInServiceCanBeLost) {
  for (const auto discipline : {Discipline::fifo, Discipline::ps, Discipline::las}) {
    Driven driven({.discipline = discipline});
    driven.enter({0, 4});
    driven.run_to(3);
    driven.server->lose(Instant{3s}, driven.news);
    driven.take_news();
    driven.enter({5, 1});
    EXPECT_THAT(driven.ends(), ElementsAre(3, 6)) << static_cast<int>(discipline);
  }
}

TEST(Server, WhoWaitsCanBeTakenBack) {
  Driven driven({.discipline = Discipline::sjf});
  for (const auto& job : three_jobs()) driven.enter(job);
  EXPECT_FALSE(driven.server->withdraw(0)) << "in service";
  EXPECT_TRUE(driven.server->withdraw(2));
  EXPECT_FALSE(driven.server->withdraw(2));
  EXPECT_THAT(driven.ends(), ElementsAre(4, 6, 0));
}

TEST(Server, WhoWasInterruptedDoesNotGoAway) {
  Driven driven({.discipline = Discipline::lifo, .preemptive = true});
  driven.enter({0, 4});
  driven.enter({1, 4});
  EXPECT_FALSE(driven.server->withdraw(0));
}

TEST(Server, WhatComesWhileItStandsWaitsInItsOrder) {
  for (const auto discipline :
       {Discipline::sjf, Discipline::srpt, Discipline::ps, Discipline::las}) {
    Driven driven({.discipline = discipline});
    driven.server->stop();
    for (const double work : {3.0, 2.0, 1.0}) driven.enter({0, work});
    EXPECT_TRUE(driven.times.empty()) << "nothing has begun";
    EXPECT_EQ(driven.server->busy(), 0U);
    EXPECT_TRUE(driven.server->withdraw(1));
    driven.server->go(Instant{}, driven.news);
    driven.take_news();
    EXPECT_EQ(driven.ends()[0], 4);
    EXPECT_EQ(driven.times[2].end, driven.times[0].start > 0 ? 1 : 2);  // shared: half as fast
  }
}

TEST(Server, WhatIsInServiceStaysThereThoughWhoComesGoesFirst) {
  Driven driven({.discipline = Discipline::lifo, .preemptive = true});
  driven.enter({0, 2});
  driven.server->stop();
  driven.enter({0, 1});
  EXPECT_FALSE(driven.server->withdraw(0));
  driven.server->go(Instant{}, driven.news);
  driven.take_news();
  EXPECT_THAT(driven.ends(), ElementsAre(3, 1));
}

TEST(Server, EqualsAreServedInOrderOfArrivalHoweverDigitsAreRounded) {
  // 0.3 + 0.1 - 0.3 is more than 0.1, so that the first of two looked longer than the second.
  const auto found = ends({.discipline = Discipline::srpt}, {{0, 5}, {0.3, 0.1}, {0.3, 0.1}});
  EXPECT_LT(found[1], found[2]);
  EXPECT_DOUBLE_EQ(found[0], 5.2);
}

TEST(Server, ThoseWhoAreLevelAndThroughEndTogether) {
  Driven driven({.discipline = Discipline::las});
  driven.enter({0, 1});
  driven.enter({0, 1});
  driven.server->advance(driven.server->until_change());
  driven.server->change(Instant{2s}, driven.news);
  EXPECT_EQ(driven.news.ended.size(), 2U);  // before anybody comes who would be served first
}

scenario::WorkerSettings batches(Duration longest_wait) {
  scenario::WorkerSettings settings;
  settings.batch = scenario::BatchSettings{.most = 2,
                                           .longest_wait = longest_wait,
                                           .fixed = *random::Distribution::constant(1),
                                           .per_task = 0.5,
                                           .per_work = 2};
  return settings;
}

TEST(Server, ABatchStartsAndEndsTogether) {
  // 1 + 0.5 + 2 × 0.25 for the first alone, then 1 + 2 × 0.5 + 2 × (0.5 + 0.25) for two.
  EXPECT_THAT(ends(batches({}), {{0, 0.25}, {1, 0.5}, {1, 0.25}, {1, 1}}),
              ElementsAre(2, 5.5, 5.5, 9));
}

TEST(Server, ABatchWaitsUntilItIsFullOrLongEnough) {
  Driven driven(batches(3s));
  driven.enter({0, 0});
  driven.enter({1, 0});  // full
  driven.enter({10, 0});
  EXPECT_THAT(driven.ends(), ElementsAre(3, 3, 14.5));
  EXPECT_EQ(driven.times[1].start, 1);
  EXPECT_EQ(driven.times[2].start, 13);
}

TEST(Server, BusyCountsPlaces) {
  Driven slots({.slots = 3});
  slots.enter({0, 5});
  slots.enter({0, 5});
  EXPECT_EQ(slots.server->busy(), 2U);
  Driven sharing({.discipline = Discipline::ps});
  sharing.enter({0, 5});
  sharing.enter({0, 5});
  EXPECT_EQ(sharing.server->busy(), 1U);
}

// A step takes 1 s and 1 s more per job, and each gets 1 s of service in it.
scenario::WorkerSettings steps_of_a_second(Duration memory, double join = 0) {
  scenario::WorkerSettings settings;
  settings.batch = scenario::BatchSettings{.most = 2,
                                           .fixed = *random::Distribution::constant(1),
                                           .per_task = 1,
                                           .per_work = 0,
                                           .per_join = *random::Distribution::constant(join),
                                           .step = 1s,
                                           .memory = memory};
  return settings;
}

TEST(Server, JobsJoinAndLeaveBetweenSteps) {
  Driven driven(steps_of_a_second(kForever));
  driven.enter({0, 2});
  driven.enter({1, 1});
  driven.enter({1.5, 0.5});
  // The first alone until 2, with the second until 5; then the third alone.
  EXPECT_THAT(driven.ends(), ElementsAre(5, 5, 7));
  EXPECT_EQ(driven.times[1].start, 2);
  EXPECT_EQ(driven.times[2].start, 5);
}

TEST(Server, AStepHasRoomForWhatTheMemoryHolds) {
  const std::vector<Coming> jobs{{0, 2}, {1, 1}, {1, 1}};
  EXPECT_THAT(ends(steps_of_a_second(2500ms), jobs), ElementsAre(4, 7, 7));
  EXPECT_THAT(ends(steps_of_a_second(1s), jobs), ElementsAre(4, 6, 8));  // each alone
}

TEST(Server, WhoJoinsLengthensOneStep) {
  const std::vector<Coming> jobs{{.at = 0, .work = 2, .join = 5},
                                 {.at = 1, .work = 2, .join = 0.5}};
  // 2 + 5 s for the first alone, 3 + 0.5 s for both, 2 s for the second.
  EXPECT_THAT(ends(steps_of_a_second(kForever), jobs), ElementsAre(10.5, 12.5));
  EXPECT_THAT(ends(steps_of_a_second(kForever, 0.5), jobs), ElementsAre(11.5, 13.5));
}

TEST(Server, WhoBeginsAnewJoinsAnew) {
  Driven driven(steps_of_a_second(kForever));
  driven.enter({.at = 0, .work = 2, .join = 5});
  driven.run_to(8);  // in its second step
  driven.server->restart();
  EXPECT_THAT(driven.ends(), ElementsAre(8 + 7 + 2));
}

TEST(Server, ABatchTakesLongerByAllThatJoinIt) {
  scenario::WorkerSettings settings;
  settings.batch = scenario::BatchSettings{.most = 2,
                                           .fixed = *random::Distribution::constant(1),
                                           .per_work = 0,
                                           .per_join = *random::Distribution::constant(0.25)};
  EXPECT_THAT(ends(settings, {{.at = 0, .join = 1}, {.at = 1, .join = 2}, {.at = 1.5, .join = 3}}),
              ElementsAre(2.25, 8.75, 8.75));
}

TEST(Server, ABrokenStepBeginsAnewOrIsLost) {
  Driven driven(steps_of_a_second(kForever));
  driven.enter({0, 2});
  driven.run_to(3);
  driven.server->restart();  // two steps of 2 s to go
  driven.enter({4, 1});
  EXPECT_FALSE(driven.server->withdraw(0));
  driven.run_to(5.5);
  driven.server->lose(Instant{5500ms}, driven.news);
  driven.take_news();
  EXPECT_THAT(driven.ends(), ElementsAre(5.5, 5.5));
}

}  // namespace
}  // namespace artel::fleet::detail
