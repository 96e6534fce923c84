#include "artel/dispatch/indexed_loads.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {
namespace {

Busyness busyness(int which) {
  if (which == static_cast<int>(Measure::custom)) {
    return Busyness([](const Load& load) { return -1.0 * load.queued; });
  }
  return static_cast<Measure>(which);
}

void expect_equal_ties(const IndexedLoads& indexed, const LoadArray& scanned,
                       const Busyness& measure) {
  std::size_t ties = 0;
  const auto least = scanned.least(measure);
  for (std::size_t i = 0; least && i < scanned.size(); ++i) {
    const Load& load = scanned.load(worker(i));
    if (load.room() > 0 && measure(load) == measure(scanned.load(*least)))
      RC_ASSERT(indexed.nth_least(ties++) == worker(i));
  }
  RC_ASSERT(indexed.count_least() == ties);
  RC_ASSERT(!indexed.nth_least(ties));
}

void expect_equal_answers(const IndexedLoads& indexed, const LoadArray& scanned, bool idle) {
  RC_ASSERT(indexed.size() == scanned.size());
  for (int which = 0; which <= static_cast<int>(Measure::custom); ++which) {
    const auto measure = busyness(which);
    RC_ASSERT(indexed.least(measure) == scanned.least(measure));
    if (indexed.indexes(measure)) expect_equal_ties(indexed, scanned, measure);
  }
  for (const Group group : {Group::members, Group::open, Group::idle}) {
    if (group == Group::idle && !idle) continue;
    RC_ASSERT(indexed.count(group) == scanned.count(group));
    for (std::size_t k = 0; k <= scanned.size(); ++k) {
      RC_ASSERT(indexed.nth(group, k) == scanned.nth(group, k));
      RC_ASSERT(indexed.next(group, worker(k)) == scanned.next(group, worker(k)));
    }
  }
}

/// What the view must show, kept without any index.
struct Model {
  std::vector<Load> loads;
  std::vector<std::vector<Duration>> waiting;  // hints
  std::vector<Instant> running_until;          // as hinted
  std::vector<bool> running;

  [[nodiscard]] LoadArray show(Instant now, bool work) const {
    auto shown = loads;
    for (std::size_t i = 0; work && i < shown.size(); ++i) {
      shown[i].work = Duration{0};
      for (const Duration hint : waiting[i]) shown[i].work += hint;
      if (shown[i].weight == 2) shown[i].work = Duration{(shown[i].work.count() + 1) / 2};
      if (running[i] && running_until[i] > now) shown[i].work += running_until[i] - now;
    }
    return LoadArray(shown);
  }
};

RC_GTEST_PROP(IndexedLoads, AnswersLikeAScan, ()) {
  const auto which = *rc::gen::inRange(0, static_cast<int>(Measure::custom) + 1);
  const bool counts_work = *rc::gen::arbitrary<bool>();
  const auto beyond = *rc::gen::inRange<std::uint32_t>(0, 9);
  const Needs needs{.least = busyness(which),
                    .ties = busyness(which),
                    .ties_beyond = beyond,
                    .idle = *rc::gen::arbitrary<bool>(),
                    .inputs = counts_work ? PolicyInputs(PolicyInput::work) : PolicyInputs{}};
  const auto size = *rc::gen::inRange<std::size_t>(1, 9);
  IndexedLoads indexed(needs);
  indexed.resize(size);
  RC_ASSERT(indexed.indexes(busyness(which)) ==
            (size > beyond && which != static_cast<int>(Measure::work)));
  Model model{std::vector<Load>(size, Load{.capacity = 0}),
              std::vector<std::vector<Duration>>(size), std::vector<Instant>(size),
              std::vector<bool>(size)};
  Instant now{};

  const auto steps = *rc::gen::container<std::vector<std::uint32_t>>(
      300, rc::gen::inRange<std::uint32_t>(0, 1U << 20U));
  for (const std::uint32_t step : steps) {
    const std::size_t i = step % size;
    const WorkerId id = worker(i);
    Load& load = model.loads[i];
    auto& waiting = model.waiting[i];
    const Duration hint{1 + step / 8 % 40};
    if (step % 5 == 0) now += Duration{step / 512 % 80};
    indexed.advance(now);
    switch (step / 64 % 8) {
      case 0:
        load.capacity = step / 1024 % 5;
        if (load.queued == 0) load.weight = step / 4096 % 2 == 0 ? 1.0F : 2.0F;
        load.work = counts_work ? indexed.load(id).work : Duration{0};
        indexed.set(id, load);
        break;
      case 1:
      case 2:
      case 3:
        if (load.room() == 0) break;
        ++load.queued;
        waiting.push_back(hint);
        indexed.bind(id, hint);
        break;
      case 4:
      case 5:
        if (waiting.empty() || model.running[i]) break;
        model.running[i] = true;
        model.running_until[i] =
            now + Duration{load.weight == 2 ? (waiting[0].count() + 1) / 2 : waiting[0].count()};
        indexed.start(id, waiting[0]);
        waiting.erase(waiting.begin());
        break;
      case 6:
        if (!model.running[i]) break;
        model.running[i] = false;
        --load.queued;
        indexed.finish(id);
        break;
      default:
        if (!waiting.empty()) {
          --load.queued;
          indexed.unbind(id, waiting.back());
          waiting.pop_back();
        } else {
          load.delay = hint;
          indexed.set_delay(id, hint);
        }
    }
    const LoadArray shown = model.show(now, counts_work);
    for (std::size_t k = 0; k < size; ++k) {
      RC_ASSERT(indexed.load(worker(k)).queued == shown.load(worker(k)).queued);
      RC_ASSERT(indexed.load(worker(k)).capacity == shown.load(worker(k)).capacity);
      if (counts_work) RC_ASSERT(indexed.load(worker(k)).work == shown.load(worker(k)).work);
    }
    expect_equal_answers(indexed, LoadArray::copy_of(indexed), needs.idle);
  }
}

TEST(IndexedLoads, SnapshotIsACopy) {
  IndexedLoads now(Needs{.least = Busyness{}});
  now.resize(2);
  for (const std::size_t i : {0U, 1U}) now.set(worker(i), Load{.capacity = 4});
  const IndexedLoads snapshot = now;
  now.bind(WorkerId{0});
  EXPECT_EQ(snapshot.least(Busyness{}), WorkerId{0});
  EXPECT_EQ(now.least(Busyness{}), WorkerId{1});
}

TEST(IndexedLoads, TheIndexBeginsWithTheWorkersThatItIsFor) {
  IndexedLoads loads(Needs{.ties = Busyness{}, .ties_beyond = 2});
  loads.resize(2);
  for (const std::size_t i : {0U, 1U}) loads.set(worker(i), Load{.queued = 1});
  EXPECT_FALSE(loads.indexes(Busyness{}));
  loads.resize(3);
  EXPECT_TRUE(loads.indexes(Busyness{}));
  EXPECT_EQ(loads.count_least(), 2U);
  loads.set(worker(2), Load{});
  EXPECT_EQ(loads.nth_least(0), worker(2));
  EXPECT_EQ(loads.count_least(), 1U);
}

TEST(WorkLeft, TaskBeyondItsHintCountsAsAboutToEnd) {
  IndexedLoads loads(Needs{.least = Busyness(Measure::work), .inputs = PolicyInput::work});
  loads.resize(2);
  for (const std::size_t i : {0U, 1U}) {
    loads.set(worker(i), Load{});
    loads.bind(worker(i), Duration{100});
    loads.start(worker(i), Duration{100});
  }
  loads.bind(WorkerId{0}, Duration{30});  // 0 has 130 to do, 1 has 100
  EXPECT_EQ(loads.least(Measure::work), WorkerId{1});
  loads.advance(Instant{Duration{150}});  // both are late: 0 has 30 behind, 1 nothing
  EXPECT_EQ(loads.load(WorkerId{0}).work, Duration{30});
  EXPECT_EQ(loads.load(WorkerId{1}).work, Duration{0});
  loads.bind(WorkerId{1}, Duration{31});
  EXPECT_EQ(loads.least(Measure::work), WorkerId{0});
}

// 0 is past its hint behind 1, which leaves: what waits at 0 counts in full.
TEST(IndexedLoads, WhoComesToTheFrontIsJudgedByTheTimeOfNow) {
  IndexedLoads loads({.least = Busyness(Measure::work), .inputs = PolicyInput::work});
  loads.resize(3);
  for (std::size_t i = 0; i < 3; ++i) loads.set(worker(i), {});
  const auto give = [&](std::size_t i, int running, int waiting) {
    loads.bind(worker(i), Duration{running});
    loads.start(worker(i), Duration{running});
    if (waiting > 0) loads.bind(worker(i), Duration{waiting});
  };
  give(0, 10, 60);
  give(1, 30, 0);
  give(2, 75, 0);
  loads.advance(Instant{Duration{20}});
  EXPECT_EQ(loads.least(Busyness(Measure::work)), worker(1));
  loads.set(worker(1), {.capacity = 0});
  EXPECT_EQ(loads.load(worker(0)).work, Duration{60});
  EXPECT_EQ(loads.load(worker(2)).work, Duration{55});
  EXPECT_EQ(loads.least(Busyness(Measure::work)), worker(2));
}

}  // namespace
}  // namespace artel::dispatch
