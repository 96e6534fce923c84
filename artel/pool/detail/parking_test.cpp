#include "artel/pool/detail/parking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/detail/common_queue.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/job_block.hpp"
#include "artel/pool/detail/job_ring.hpp"
#include "artel/pool/detail/plain_runner.hpp"
#include "artel/pool/priority.hpp"
#include "artel/sync/idle_set.hpp"
#include "artel/sync/parker.hpp"
#include "tests/explore/execution.hpp"
#include "tests/explore/explored_atomics.hpp"
#include "tests/explore/explorer.hpp"

// A pool of the real queues, idle set, parkers and parking protocol, in all orders within bounds:
// P1 to P7 of parker.hpp. Mostly worker 0 is in a task that does not end, so that what waits there
// is stuck.

namespace artel::pool::detail {
namespace {

using explore::Bounds;
using explore::Execution;
using explore::ExploredAtomics;
using explore::Report;

constexpr std::size_t kWorkers = 3;

/// Who takes part, and what pays.
struct Scene {
  std::size_t workers = 2;
  std::vector<std::size_t> targets;  // to whose queue each submitter's task goes; kCommon
  bool pays = false;                 // waking a helper, and stealing
  bool no_wake = false;              // the submitters found that waking does not pay
  bool long_tasks = false;           // those of worker 1 do not end either
  bool stuck = true;                 // worker 0 is in a task that does not end

  [[nodiscard]] std::size_t first_free() const { return stuck ? 1 : 0; }
};
constexpr std::size_t kCommon = kWorkers;
using Taken = std::array<std::uint64_t, kWorkers + 1>;

class ExploredPool {
 public:
  ExploredPool(Execution& run, const Scene& scene) : run_(run), scene_(scene) {
    for (std::size_t i = 0; i < scene.workers; ++i) {
      slots_[i].ring.allocate(2);
      run.name(slots_[i].ring, "ring " + std::to_string(i));
      run.name(slots_[i].busy, "busy " + std::to_string(i));
      run.name(slots_[i].parker, "parker " + std::to_string(i));
    }
    run.name(parking_.watchdog(), "watchdog");
    for (std::size_t i = scene.first_free(); i < scene.workers; ++i) {
      run.thread("worker " + std::to_string(i), [this, i] { Worker(*this, i).serve(); });
    }
    for (std::size_t i = 0; i < scene.targets.size(); ++i) {
      run.thread("submitter " + std::to_string(i), [this, i] { submit(i); });
    }
  }

  void run() {
    run_.go();
    run_.require(taken_ == scene_.targets.size() && !anything_queued(), "a task waits for ever");
    run_.require(!parking_.watchdog().present(), "an idle pool has a watchdog");
    for (std::size_t i = scene_.first_free(); i < scene_.workers; ++i) {
      run_.require(!slots_[i].parker.park(Duration::zero()), "a token is left over");
    }
    stops_ = true;
    parking_.wake_all();
    gate_.store(1);
    ExploredAtomics::futex_wake(gate_, static_cast<int>(kWorkers));
    run_.finish();
  }

 private:
  friend class Parking<ExploredPool, ExploredAtomics>;

  struct Slot {
    BasicJobRing<ExploredAtomics> ring;
    ExploredAtomics::Atomic<bool> busy = true;
    sync::BasicParker<ExploredAtomics> parker;
  };

  // As the Worker does it, with its own words where nothing is shared.
  class Worker {
   public:
    Worker(ExploredPool& pool, std::size_t number)
        : pool_(pool), home_(pool.slots_[number]), number_(number) {}

    void serve() {
      for (;;) {
        if (work_once()) continue;
        // It saw work that it could not get: somebody is at it, and must go on first.
        if (fresh_ && !parked_) ExploredAtomics::yield();
        parked_ = false;
        home_.busy.store(false, std::memory_order_relaxed);
        const bool stay = pool_.parking_.sleep(*this);
        home_.busy.store(true);
        fresh_ = true;
        if (!stay) return;
      }
    }

    // What parking.hpp asks.
    [[nodiscard]] WorkerId id() const { return WorkerId{static_cast<std::uint32_t>(number_)}; }
    [[nodiscard]] bool must_leave() const { return pool_.stops_; }
    [[nodiscard]] bool sees_work() const {
      if (!home_.ring.empty() || pool_.common_.count(Priority::normal) > 0) return true;
      if (!may_steal()) return false;
      return pool_.anything_queued();
    }
    void before_parking() {}
    bool park(Duration timeout = kForever) {
      if (timeout > Duration::zero()) parked_ = true;
      return home_.parker.park(timeout);
    }
    [[nodiscard]] bool others_awake() const {
      return pool_.idle_.count_approx() < pool_.scene_.workers;
    }
    void look_at_queues() { taken_ = taken(); }
    [[nodiscard]] bool needs_help(Duration /*pause*/) const {
      const Taken now = taken();
      for (std::size_t i = 0; i < pool_.scene_.workers; ++i) {
        if (taken_[i] == now[i] && !pool_.slots_[i].ring.empty()) return true;
      }
      return taken_[kCommon] == now[kCommon] && pool_.common_.count(Priority::normal) > 0;
    }
    void rescue() { rescues_ = true; }

   private:
    [[nodiscard]] Taken taken() const {
      Taken taken{};
      for (std::size_t i = 0; i < pool_.scene_.workers; ++i) {
        taken[i] = pool_.slots_[i].ring.taken_approx();
      }
      taken[kCommon] = pool_.common_.taken_approx();
      return taken;
    }
    [[nodiscard]] bool may_steal() const { return rescues_ || pool_.scene_.pays; }

    bool work_once() {
      Job job;
      if (home_.ring.pop(job)) return run(job, number_);
      for (std::size_t i = 0; may_steal() && i < pool_.scene_.workers; ++i) {
        if (i != number_ && pool_.slots_[i].ring.steal(&job, 1) == 1) return run(job, i);
      }
      if (!spare_) spare_ = std::make_unique<JobBlock>();
      if (const auto block = pool_.common_.take(Priority::normal, 1, spare_)) {
        return run(block->front(), kCommon);
      }
      rescues_ = false;
      return false;
    }
    bool run(Job& job, std::size_t from) {
      if (std::exchange(fresh_, false)) pool_.parking_.leave_queues_watched();
      PlainRunner runner;
      static_cast<void>(job.run(runner));
      ++pool_.taken_;
      while (from == 1 && pool_.scene_.long_tasks && !pool_.stops_) {
        ExploredAtomics::futex_wait(pool_.gate_, 0);
      }
      return true;
    }

    ExploredPool& pool_;
    Slot& home_;
    std::size_t number_;
    bool fresh_ = false;
    bool parked_ = false;
    bool rescues_ = false;
    Taken taken_{};  // by all, when it looked last
    std::unique_ptr<JobBlock> spare_;
  };

  void submit(std::size_t number) {
    const std::size_t target = scene_.targets[number];
    Job job = job_of([] {});
    if (target == kCommon) {
      common_.push(Priority::normal, job);
      parking_.after_common();
      return;
    }
    while (slots_[target].ring.try_push(2, job) != BasicJobRing<ExploredAtomics>::Pushed::ok) {
      ExploredAtomics::relax();
    }
    parking_.after_push(WorkerId{static_cast<std::uint32_t>(target)}, scene_.no_wake);
  }

  // What parking.hpp asks.
  void unpark(WorkerId id) {
    slots_[index(id)].busy.store(true);
    slots_[index(id)].parker.unpark();
  }
  [[nodiscard]] bool is_busy(WorkerId id) const { return slots_[index(id)].busy.load(); }
  [[nodiscard]] bool anything_queued() const {
    return common_.count(Priority::normal) > 0 ||
           std::any_of(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(scene_.workers),
                       [](const Slot& slot) { return !slot.ring.empty(); });
  }
  [[nodiscard]] bool helper_pays(WorkerId /*id*/) const { return scene_.pays; }
  [[nodiscard]] bool common_helper_pays() const { return scene_.pays; }

  Execution& run_;
  const Scene& scene_;
  std::array<Slot, kWorkers> slots_;
  BasicCommonQueue<ExploredAtomics> common_{4};
  sync::BasicIdleSet<ExploredAtomics> idle_{kWorkers};
  Parking<ExploredPool, ExploredAtomics> parking_{*this, idle_};
  ExploredAtomics::Atomic<std::uint32_t> gate_ = 0;  // where long tasks wait
  std::size_t taken_ = 0;
  bool stops_ = false;  // set when nobody runs
};

Report explore_pool(const Bounds& bounds, const Scene& scene) {
  return explore::explore(bounds, [&scene](Execution& run) { ExploredPool(run, scene).run(); });
}

// Bounds that keep a scene below some 60'000 executions, of 20 us each.
constexpr Bounds kDeep{.preemptions = 3, .surprises = 0};
constexpr Bounds kUsual{.preemptions = 2, .surprises = 1};
constexpr Bounds kInOrder{.preemptions = 2, .surprises = 0};
constexpr Bounds kShallow{.preemptions = 1, .surprises = 1};

void expect_sound(const Bounds& bounds, const std::vector<Scene>& scenes) {
  for (const Scene& scene : scenes) {
    const Report report = explore_pool(bounds, scene);
    EXPECT_TRUE(report.sound()) << scene.workers << " workers, targets "
                                << testing::PrintToString(scene.targets) << ": " << report;
  }
}

TEST(Parking, ATaskWakesTheWorkerThatItIsBoundTo) {
  expect_sound(kUsual, {{.targets = {1}}});
  expect_sound(kUsual, {{.workers = 1, .targets = {0}, .stuck = false},
                        {.workers = 1, .targets = {0, 0}, .stuck = false}});
  expect_sound(kInOrder, {{.targets = {1, 1}}});
  expect_sound(kShallow, {{.targets = {1, 1}},
                          {.targets = {0, 1}, .stuck = false},
                          {.workers = 3, .targets = {1, 2}}});
}

TEST(Parking, AWatchdogRescuesWhatIsStuckAndThenSleeps) {
  expect_sound(kUsual, {{.targets = {0}},
                        {.workers = 3, .targets = {0}},
                        {.targets = {0, 0}},
                        {.targets = {0, 1}},
                        {.targets = {0, 1}, .no_wake = true}});
  expect_sound(kDeep, {{.targets = {0, 0}, .no_wake = true}});
  expect_sound(kShallow, {{.workers = 3, .targets = {0, 1}},
                          {.workers = 3, .targets = {0, 1}, .long_tasks = true}});
}

TEST(Parking, WhatIsInTheCommonQueueIsTaken) {
  expect_sound(kUsual, {{.targets = {kCommon, kCommon}}, {.targets = {0, kCommon}}});
}

TEST(Parking, AHelperIsWokenWhereThatPays) {
  expect_sound(kUsual, {{.targets = {0, 1}, .pays = true}});
  expect_sound(kShallow, {{.targets = {kCommon, kCommon}, .pays = true}});
  expect_sound({.preemptions = 1, .surprises = 0},
               {{.workers = 3, .targets = {0, 0}, .pays = true}});
}

// A worker sets its bit, sees work and withdraws. Meanwhile the thread that lent the slot comes
// back (WorkerThreads::come_back), takes the slot and parks there itself.
class ExploredSlot {
 public:
  explicit ExploredSlot(Execution& run) : run_(run) {
    run.name(worker_.parker, "parker of the worker");
    run.name(lender_.parker, "parker of the lender");
    run.name(parking_.watchdog(), "watchdog");
    run.thread("worker", [this] { static_cast<void>(parking_.sleep(worker_)); });
    run.thread("lender", [this] { come_back(); });
  }

  void run() {
    run_.go();
    run_.require(idle_.contains(kId) == returned_.load(), "a thread sleeps without its bit");
    run_.require(!worker_.parker.park(Duration::zero()), "a token is left over");
    run_.require(!lender_.parker.park(Duration::zero()), "a token is left over");
    stops_ = true;
    parking_.wake_all();
    run_.finish();
  }

 private:
  friend class Parking<ExploredSlot, ExploredAtomics>;

  struct Thread {
    ExploredSlot& slot;
    bool has_work;
    sync::BasicParker<ExploredAtomics> parker{};

    [[nodiscard]] WorkerId id() const { return kId; }
    [[nodiscard]] bool must_leave() const { return slot.stops_; }
    [[nodiscard]] bool sees_work() const { return has_work; }
    void before_parking() {}
    bool park(Duration timeout = kForever) { return parker.park(timeout); }
    [[nodiscard]] bool others_awake() const { return false; }
    void look_at_queues() {}
    [[nodiscard]] bool needs_help(Duration /*pause*/) const { return false; }
    void rescue() {}
  };

  void come_back() {
    if (!idle_.claim(kId)) return;  // it would stand in line
    returned_.store(true);
    worker_.parker.unpark();
    while (parking_.sleep(lender_)) {
    }
  }

  void unpark(WorkerId /*id*/) { (returned_.load() ? lender_ : worker_).parker.unpark(); }
  [[nodiscard]] bool anything_queued() const { return false; }

  static constexpr WorkerId kId{};

  Execution& run_;
  Thread worker_{.slot = *this, .has_work = true};
  Thread lender_{.slot = *this, .has_work = false};
  ExploredAtomics::Atomic<bool> returned_ = false;  // the lender has the slot back
  sync::BasicIdleSet<ExploredAtomics> idle_{1};
  Parking<ExploredSlot, ExploredAtomics> parking_{*this, idle_};
  bool stops_ = false;  // set when nobody runs
};

TEST(Parking, AWorkerThatHasLostItsSlotDoesNotTakeTheBitOfTheNextOwner) {
  const Report report = explore::explore(kDeep, [](Execution& run) { ExploredSlot(run).run(); });
  EXPECT_TRUE(report.sound()) << report;
}

TEST(Parking, HoldsInManyOrdersOfMore) {
  const Bounds by_lot{.preemptions = 8, .surprises = 3, .rolls = 5'000};
  expect_sound(by_lot, {{.workers = 3, .targets = {0, 1, 2}},
                        {.workers = 3, .targets = {0, 1, kCommon}, .long_tasks = true},
                        {.workers = 3, .targets = {0, 0, 1}, .no_wake = true},
                        {.workers = 3, .targets = {0, 1, kCommon}, .stuck = false},
                        {.workers = 3, .targets = {0, 1, kCommon}, .pays = true}});
}

}  // namespace
}  // namespace artel::pool::detail
