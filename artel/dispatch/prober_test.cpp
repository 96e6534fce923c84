#include "artel/dispatch/prober.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/chooser.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/probe_pool.hpp"

namespace artel::dispatch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kAsked{seconds(100)};

// Worker i has i tasks and takes a time for each of them that makes a new one wait for 100 - i ms.
LoadArray staircase(std::size_t workers) {
  std::vector<Load> loads;
  for (std::size_t i = 0; i < workers; ++i)
    loads.push_back({.queued = static_cast<std::uint32_t>(i),
                     .latency = from_seconds((0.1 - 0.001 * static_cast<double>(i)) /
                                             (static_cast<double>(i) + 1)),
                     .heard = kAsked});
  return LoadArray(loads);
}

// Each worker is asked, and so answers, if so many are asked per task.
Prober all_known(Prequal policy, const LoadArray& loads) {
  policy.r_probe = static_cast<double>(loads.size());
  Prober prober(policy);
  prober.decided(loads, {.dice = 1, .now = kAsked}, std::nullopt);
  return prober;
}

std::vector<std::uint32_t> workers_of(const ProbePool& pool) {
  std::vector<std::uint32_t> ids;
  for (const Probe& probe : pool.probes)
    ids.push_back(static_cast<std::uint32_t>(index(probe.worker)));
  return ids;
}

const Probe* of(const ProbePool& pool, WorkerId id) {
  const auto found = std::ranges::find(pool.probes, id, &Probe::worker);
  return found == pool.probes.end() ? nullptr : &*found;
}

// Nobody is asked any more; the decision was for this worker.
void send(Prober& prober, std::optional<WorkerId> id) {
  prober.decided(LoadArray{}, {.dice = 1, .now = kAsked}, id);
}

TEST(Prober, KnowsNothingBeforeTheFirstAnswers) {
  Prober prober{Prequal{}};
  EXPECT_TRUE(prober.pool(kAsked).probes.empty());
}

TEST(Prober, AsksDifferentWorkersAndKeepsWhatTheyAnswer) {
  Prober prober{Prequal{}};
  prober.decided(staircase(50), {.dice = 5, .now = kAsked}, std::nullopt);
  const ProbePool& pool = prober.pool(kAsked);
  ASSERT_EQ(pool.probes.size(), 3U);
  std::set<WorkerId> ids;
  for (const Probe& probe : pool.probes) {
    ids.insert(probe.worker);
    EXPECT_EQ(probe.queued, index(probe.worker));
    EXPECT_NEAR(to_seconds(probe.latency), 0.1 - 0.001 * static_cast<double>(index(probe.worker)),
                1e-6);
    EXPECT_EQ(probe.taken, kAsked);
  }
  EXPECT_EQ(ids.size(), 3U);
}

TEST(Prober, AsksEveryWorkerEquallyOften) {
  Prober prober{Prequal{.r_remove = 0}};
  std::vector<int> asked(10);
  Instant now = kAsked;
  for (std::uint64_t dice = 0; dice < 10'000; ++dice) {
    prober.decided(staircase(10), {.dice = dice, .now = now}, std::nullopt);
    for (const Probe& probe : prober.pool(now).probes)
      asked[index(probe.worker)] += probe.taken == now;
    now += milliseconds(1);
  }
  for (const int times : asked) EXPECT_NEAR(times, 3000, 200);
}

TEST(Prober, PartsOfAProbeAddUp) {
  Prober prober{Prequal{.r_probe = 0.75, .r_remove = 0, .max_age = milliseconds(1)}};
  std::vector<std::size_t> came;
  for (int i = 0; i < 8; ++i) {
    const Instant now = kAsked + seconds(i);
    prober.decided(staircase(9), {.dice = 3, .now = now}, std::nullopt);
    came.push_back(prober.pool(now).probes.size());
  }
  EXPECT_EQ(came, (std::vector<std::size_t>{0, 1, 1, 1, 0, 1, 1, 1}));
}

TEST(Prober, TenTenthsAreAProbe) {
  Prober prober{Prequal{.r_probe = 0.1, .r_remove = 0}};
  for (int i = 0; i < 9; ++i) prober.decided(staircase(9), {.now = kAsked}, std::nullopt);
  EXPECT_TRUE(prober.pool(kAsked).probes.empty());
  prober.decided(staircase(9), {.now = kAsked}, std::nullopt);
  EXPECT_EQ(prober.pool(kAsked).probes.size(), 1U);
}

TEST(Prober, OldAnswersAreForgotten) {
  auto prober = all_known({.max_age = seconds(1)}, staircase(4));
  EXPECT_EQ(prober.pool(kAsked + seconds(1)).probes.size(), 4U);
  EXPECT_TRUE(prober.pool(kAsked + seconds(1) + Duration{1}).probes.empty());
}

TEST(Prober, ATaskThatIsSentCountsUntilTheWorkerIsAskedAgain) {
  auto prober = all_known({.r_remove = 0}, staircase(4));
  send(prober, WorkerId{2});
  send(prober, WorkerId{2});
  EXPECT_EQ(of(prober.pool(kAsked), WorkerId{2})->queued, 4U);
  EXPECT_EQ(of(prober.pool(kAsked), WorkerId{1})->queued, 1U);
  // Asked with the very decision, it has not seen the task yet.
  prober.decided(staircase(4), {.dice = 1, .now = kAsked}, WorkerId{3});
  EXPECT_EQ(of(prober.pool(kAsked), WorkerId{3})->queued, 4U);
  EXPECT_EQ(of(prober.pool(kAsked), WorkerId{2})->queued, 2U);
  EXPECT_EQ(prober.pool(kAsked).probes.size(), 4U);
}

// With 100 workers, 16 answers and 3 asked per task: 2 / (0.84 · 3 - 1) = 1.316.
TEST(Prober, AnAnswerServesAsManyDecisionsAsTheBudgetSays) {
  double uses = 0;
  int answers = 0;
  for (std::uint64_t dice = 0; dice < 2000; ++dice) {
    Prober prober{Prequal{}};
    prober.decided(staircase(100), {.dice = dice, .now = kAsked}, std::nullopt);
    for (const Probe& probe : prober.pool(kAsked).probes) {
      EXPECT_TRUE(probe.uses == 1 || probe.uses == 2);
      uses += probe.uses;
      ++answers;
    }
  }
  EXPECT_NEAR(uses / answers, 2 / (0.84 * 3 - 1), 0.02);
}

TEST(Prober, AnAnswerThatIsUsedUpIsGone) {
  const LoadArray loads = staircase(4);
  Prober prober{Prequal{.pool = 2, .r_probe = 2, .r_remove = 0, .delta = 2}};  // 3 / (0.5 · 2)
  prober.decided(loads, {.dice = 1, .now = kAsked}, std::nullopt);
  const WorkerId first = prober.pool(kAsked).probes.front().worker;
  send(prober, first);
  send(prober, first);
  ASSERT_NE(of(prober.pool(kAsked), first), nullptr);
  EXPECT_EQ(of(prober.pool(kAsked), first)->uses, 1U);
  send(prober, first);
  EXPECT_EQ(of(prober.pool(kAsked), first), nullptr);
  EXPECT_EQ(prober.pool(kAsked).probes.size(), 1U);
}

TEST(Prober, WhereAllWorkersFitAnswersAreNotUsedUp) {
  auto prober = all_known({.pool = 16, .r_remove = 0}, staircase(8));
  for (int i = 0; i < 1000; ++i) send(prober, WorkerId{1});
  EXPECT_EQ(prober.pool(kAsked).probes.size(), 8U);
}

TEST(Prober, ForgetsTheWorstAndTheOldestInTurn) {
  // All are hot: the worst is the one with most tasks, worker 5. Worker 0 answered first.
  auto prober = all_known({.r_remove = 1, .q_rif = 0}, staircase(6));
  std::vector<std::uint32_t> left{0, 1, 2, 3, 4, 5};
  ASSERT_EQ(workers_of(prober.pool(kAsked)), left);
  for (int turn = 0; turn < 4; ++turn) {
    send(prober, std::nullopt);
    left.erase(turn % 2 == 0 ? left.end() - 1 : left.begin());
    EXPECT_EQ(workers_of(prober.pool(kAsked)), left) << turn;
  }
}

TEST(Prober, IfNobodyIsHotTheWorstIsTheSlowest) {
  auto prober = all_known({.r_remove = 1, .q_rif = 1}, staircase(6));
  send(prober, std::nullopt);
  EXPECT_EQ(of(prober.pool(kAsked), WorkerId{0}), nullptr);
  EXPECT_EQ(prober.pool(kAsked).probes.size(), 5U);
}

TEST(Prober, TheWorstIsTheHotOneWithMostTasksIfAnyIsHot) {
  auto prober = all_known({.r_remove = 1, .q_rif = 0.5}, staircase(6));
  EXPECT_EQ(prober.pool(kAsked).hot_from, 3U);
  send(prober, std::nullopt);
  EXPECT_EQ(of(prober.pool(kAsked), WorkerId{5}), nullptr);
  EXPECT_NE(of(prober.pool(kAsked), WorkerId{0}), nullptr);
}

TEST(Prober, PartsOfARemovalAddUp) {
  auto prober = all_known({.r_remove = 0.5}, staircase(6));
  std::vector<std::size_t> left;
  for (int i = 0; i < 4; ++i) {
    send(prober, std::nullopt);
    left.push_back(prober.pool(kAsked).probes.size());
  }
  EXPECT_EQ(left, (std::vector<std::size_t>{5, 5, 4, 4}));  // half of one was due before
}

TEST(Prober, HotIsMoreThanTheQuantileOfWhatWasAnsweredLately) {
  const auto hot_from = [](double q_rif) {
    return all_known({.q_rif = q_rif}, staircase(10)).pool(kAsked).hot_from;
  };
  EXPECT_EQ(hot_from(0), 0U) << "all";
  EXPECT_EQ(hot_from(1e-12), 1U);
  EXPECT_EQ(hot_from(0.1), 1U);
  EXPECT_EQ(hot_from(0.11), 2U);
  EXPECT_EQ(hot_from(0.5), 5U);
  EXPECT_EQ(hot_from(Prequal{}.q_rif), 9U);
  EXPECT_EQ(hot_from(0.99), 10U);
  EXPECT_EQ(hot_from(1), kUnbounded) << "nobody";

  // Old answers count no more.
  Prober prober{Prequal{.q_rif = 0.5}};
  const auto ask = [&](std::uint32_t queued) {
    for (std::uint64_t i = 0; 3 * i < Prober::kRecent; ++i)
      prober.decided(loads({queued, queued, queued}), {.dice = i, .now = kAsked}, std::nullopt);
  };
  ask(9);
  EXPECT_EQ(prober.pool(kAsked).hot_from, 10U);
  ask(2);
  EXPECT_EQ(prober.pool(kAsked).hot_from, 3U);
}

TEST(Prober, KeepsOneAnswerPerWorkerAndNoMoreThanItMay) {
  Prober prober{Prequal{.pool = 5, .r_remove = 0.1}};
  for (std::uint64_t dice = 0; dice < 1000; ++dice) {
    prober.decided(staircase(30), {.dice = dice, .now = kAsked}, worker(dice % 30));
    const auto ids = workers_of(prober.pool(kAsked));
    EXPECT_LE(ids.size(), 5U);
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
  }
}

TEST(Prober, WhoHasLeftDoesNotAnswer) {
  LoadArray loads = staircase(3);
  loads.set(WorkerId{1}, Load{.capacity = 0});
  EXPECT_EQ(all_known({}, loads).pool(kAsked).probes.size(), 2U);
}

TEST(Prober, WhoHasNotServedAnythingYetAnswersWithInitialPerTask) {
  const auto pool = all_known({.initial = milliseconds(7)}, loads({0, 2})).pool(kAsked);
  EXPECT_EQ(of(pool, WorkerId{0})->latency, milliseconds(7));
  EXPECT_EQ(of(pool, WorkerId{1})->latency, milliseconds(21));
}

TEST(Prober, ALatencyFadesWhileNoAnswerComes) {
  const LoadArray slow({Load{.latency = seconds(8), .heard = kAsked - seconds(2)}, Load{}});
  const auto pool = all_known({.decay = seconds(1)}, slow).pool(kAsked);
  EXPECT_NEAR(to_seconds(of(pool, WorkerId{0})->latency), 8 * std::exp(-2), 1e-6);
}

// What is asked for with one decision is known to the next, not to itself.
TEST(Prober, ADrawSourceAsksWithEachDecisionForTheNext) {
  const Chooser chooser{Prequal{}};
  DrawSource source{SplitMix64{1}};
  const LoadArray loads = staircase(40);
  const Draw first = source.next(chooser, {}, kAsked);
  ASSERT_NE(first.probes, nullptr);
  EXPECT_TRUE(first.probes->probes.empty());
  static_cast<void>(source.choose(chooser, loads, first));
  EXPECT_TRUE(first.probes->probes.empty()) << "a draw is good until the next one";
  const Draw second = source.next(chooser, {}, kAsked);
  EXPECT_EQ(second.probes->probes.size(), 3U);
  EXPECT_EQ(DrawSource{SplitMix64{1}}.next(Chooser{Jsq{}}).probes, nullptr);
}

}  // namespace
}  // namespace artel::dispatch
