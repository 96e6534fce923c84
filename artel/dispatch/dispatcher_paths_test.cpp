// The two paths of a Dispatcher are one: whoever listens to decisions has the general one taken.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/dispatcher.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_table.hpp"

namespace artel::dispatch {
namespace {

/// The same happens to both; they must answer the same.
class TwoDispatchers {
 public:
  TwoDispatchers(const DispatcherOptions& options, std::uint64_t seed)
      : plain_(options), general_(with_listener(options)), dice_(Draw{.dice = seed}) {}

  void run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) step();
  }
  [[nodiscard]] std::uint64_t decisions() const { return decisions_; }

 private:
  DispatcherOptions with_listener(DispatcherOptions options) {
    options.on_decision = [this](const auto&, const Draw&, WorkerId) { ++decisions_; };
    return options;
  }

  void step() {
    now_ += Duration{static_cast<Duration::rep>(dice_.below(20))};
    const auto any = worker(dice_.below(plain_.members().ids() + 1));
    switch (dice_.below(40)) {
      case 0:
        join();
        break;
      case 1:
        leave(any, dice_.below(2) == 0 ? Leaving::drain : Leaving::reassign);
        break;
      case 2:
        remove(any);
        break;
      case 3:
        plain_.send_beacons(now_);
        general_.send_beacons(now_);
        break;
      case 4:
        plain_.publish(now_);
        general_.publish(now_);
        break;
      default:
        dice_.below(2) == 0 ? arrive() : finish(any);
    }
    compare();
  }

  void join() {
    const auto capacity = static_cast<std::uint32_t>(1 + dice_.below(3));
    const auto joined = plain_.join({.capacity = capacity, .weight = 2}, now_);
    const auto same = general_.join({.capacity = capacity, .weight = 2}, now_);
    ASSERT_EQ(joined.has_value(), same.has_value());
    if (!joined || !same) return;
    ASSERT_EQ(*joined, *same);
    start(*joined);
  }

  void leave(WorkerId id, Leaving how) {
    const auto woken = plain_.leave(id, how, now_);
    const auto same = general_.leave(id, how, now_);
    ASSERT_EQ(woken.has_value(), same.has_value());
    if (!woken || !same) return;
    ASSERT_EQ(*woken, *same);
    for (const auto each : *woken) start(each);
  }

  void remove(WorkerId id) {
    if (plain_.members().size() < 2) return;
    const auto woken = plain_.remove(id, now_);
    const auto same = general_.remove(id, now_);
    ASSERT_EQ(woken.has_value(), same.has_value());
    if (!woken || !same) return;
    ASSERT_EQ(*woken, *same);
    for (const auto each : *woken) start(each);
  }

  void arrive() {
    TaskHints hints = Duration{static_cast<Duration::rep>(1 + dice_.below(50))};
    hints.key = dice_.below(10);
    ++task_;
    const auto placement = plain_.arrived(int{task_}, now_, hints);
    const auto same = general_.arrived(int{task_}, now_, hints);
    ASSERT_EQ(placement.kind, same.kind);
    ASSERT_EQ(placement.worker, same.worker);
    ASSERT_EQ(placement.start, same.start);
    if (placement.start) start(placement.worker);
  }

  void start(WorkerId id) {
    if (plain_.running(id)) return;
    ASSERT_EQ(plain_.start(id, now_), general_.start(id, now_));
  }

  void finish(WorkerId id) {
    if (index(id) >= plain_.members().ids() || !plain_.running(id)) return;
    plain_.finished(id, now_);
    general_.finished(id, now_);
    start(id);
  }

  void compare() const {
    ASSERT_EQ(plain_.counts(), general_.counts());
    for (std::size_t i = 0; i < plain_.members().ids(); ++i) {
      const auto id = worker(i);
      ASSERT_EQ(plain_.running(id), general_.running(id));
      ASSERT_EQ(plain_.waiting(id), general_.waiting(id));
      ASSERT_EQ(plain_.loads().queued(id), general_.loads().queued(id));
    }
    ASSERT_EQ(plain_.loads().count(Group::open), general_.loads().count(Group::open));
  }

  std::uint64_t decisions_ = 0;
  Dispatcher<int> plain_;
  Dispatcher<int> general_;
  Dice dice_;
  Instant now_{};
  int task_ = 0;
};

TEST(DispatcherPaths, WhoeverListensSeesTheSameHappen) {
  for (const auto& entry : policy_table()) {
    if (!entry.alone) continue;
    SCOPED_TRACE(std::string(entry.name));
    const auto policy = make_policy(entry.name);
    if (!policy) continue;
    for (const std::uint32_t held : {0U, 3U, kUnbounded}) {
      for (const bool take_over : {false, true}) {
        TwoDispatchers both({.policy = *policy,
                             .common_capacity = held,
                             .take_over = take_over,
                             .limits = {.min = 1, .max = 7},
                             .seed = held},
                            std::uint64_t{2} * held + (take_over ? 1 : 0));
        both.run(3000);
        EXPECT_GT(both.decisions(), 100U);
      }
    }
  }
}

TEST(DispatcherPaths, WhoeverWantsToHearOfBoundTasksHears) {
  Dispatcher<int> dispatcher({});
  ASSERT_TRUE(dispatcher.join({.capacity = 2}));
  std::vector<int> bound;
  (void)dispatcher.arrived(1);
  dispatcher.on_bound([&](const int& task, WorkerId) { bound.push_back(task); });
  (void)dispatcher.arrived(2);
  (void)dispatcher.arrived(3);  // held until there is room
  EXPECT_EQ(dispatcher.start(WorkerId{0}), 1);
  dispatcher.finished(WorkerId{0});
  EXPECT_EQ(bound, (std::vector<int>{2, 3}));
}

}  // namespace
}  // namespace artel::dispatch
