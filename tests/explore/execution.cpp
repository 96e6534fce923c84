#include "tests/explore/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "tests/explore/choices.hpp"
#include "tests/explore/fiber.hpp"
#include "tests/explore/memory_model.hpp"

namespace artel::explore {
namespace {

constexpr std::size_t kScenario = 0;
constexpr std::uint64_t kRarity = 6;  // by lot, one operation in so many is preempted

}  // namespace

Execution& Execution::current() {
  ARTEL_REQUIRE(running != nullptr, "ExploredAtomics are for explore() alone");
  return *running;
}

// ---- The scenario

bool Execution::execute(const Bounds& bounds, Choices& choices, bool tracing) {
  begin(bounds, choices, tracing);
  running = this;
  explorer_.switch_to(*threads_[kScenario].fiber);
  running = nullptr;
  return failure_.empty();
}

void Execution::begin(const Bounds& bounds, Choices& choices, bool tracing) {
  bounds_ = bounds;
  choices_ = &choices;
  memory_.clear();
  if (threads_.empty()) {
    threads_.reserve(kThreadsMax);
    threads_.push_back({.name = "scenario", .fiber = std::make_unique<Fiber>([this] {
                                              for (;;) {
                                                scenario_(*this);
                                                if (asleep() > 0)
                                                  fail("the scenario leaves a thread asleep");
                                                threads_[kScenario].fiber->switch_to(explorer_);
                                              }
                                            })});
  }
  thread_count_ = 1;
  self_ = kScenario;
  calm_ = false;
  last_access_.fill(0);
  last_write_.fill(0);
  now_ = {};
  sleeps_ = steps_ = 0;
  tracing_ = tracing;
  named_.clear();
  addresses_.clear();
}

void Execution::thread(std::string name, std::function<void()> body) {
  ARTEL_REQUIRE(thread_count_ < kThreadsMax, "too many threads for the explorer", kThreadsMax);
  const std::size_t number = thread_count_++;
  if (number == threads_.size()) {
    threads_.push_back({.fiber = std::make_unique<Fiber>([this, number] {
                          for (;;) {
                            threads_[number].body();
                            threads_[number].status = Status::ended;
                            leave();
                          }
                        })});
  }
  Thread& thread = threads_[number];
  thread.name = std::move(name);
  thread.body = std::move(body);
  thread.status = Status::ready;
  memory_.join(kScenario, number);
}

void Execution::name(const void* object, std::size_t bytes, std::string name) {
  if (tracing_) named_.push_back({static_cast<const std::byte*>(object), bytes, std::move(name)});
}

void Execution::go() {
  run_threads();
  for (std::size_t i = 1; i < thread_count_; ++i) memory_.join(i, kScenario);
}

void Execution::finish() {
  calm_ = true;
  for (std::size_t i = 1; i < thread_count_; ++i) memory_.join(kScenario, i);
  run_threads();
  if (asleep() > 0) fail("a thread that should end sleeps for ever");
  for (std::size_t i = 1; i < thread_count_; ++i) memory_.join(i, kScenario);
}

std::size_t Execution::asleep() const {
  return static_cast<std::size_t>(std::count_if(
      threads_.begin() + 1, threads_.begin() + static_cast<std::ptrdiff_t>(thread_count_),
      [](const Thread& thread) { return thread.status == Status::sleeping; }));
}

void Execution::require(bool holds, std::string_view what) {
  if (!holds) fail(std::string(what));
}

// Everything stays as it is, and never goes on: what is broken is not even destroyed.
void Execution::fail(std::string what) {
  failure_ = std::move(what);
  threads_[self_].fiber->switch_to(explorer_);
  ARTEL_REQUIRE(false, "an execution that failed goes on");
  std::terminate();
}

// ---- Who runs

bool Execution::can_run(const Thread& thread) const {
  return thread.status == Status::ready ||
         ((thread.status == Status::relaxing || thread.status == Status::yielding) &&
          thread.writes != memory_.writes());
}

// The scenario's part: until nobody can run.
void Execution::run_threads() {
  const bool anybody = std::any_of(threads_.begin() + 1,
                                   threads_.begin() + static_cast<std::ptrdiff_t>(thread_count_),
                                   [this](const Thread& thread) { return can_run(thread); });
  if (anybody) leave();
  for (std::size_t i = 1; i < thread_count_; ++i) {
    if (threads_[i].status == Status::relaxing) fail(threads_[i].name + " spins for ever");
  }
}

// Whether an execution before was here with at least as much left of the bounds.
bool Execution::seen_before() {
  if (choices_->rolls() || !choices_->fresh()) return false;
  std::uint64_t state = MemoryModel::mix(memory_.fingerprint(), self_);
  for (std::size_t i = 1; i < thread_count_; ++i) {
    state = MemoryModel::mix(state, static_cast<std::uint64_t>(threads_[i].status));
    state = MemoryModel::mix(state, can_run(threads_[i]) ? 1 : 0);
  }
  state = MemoryModel::mix(state, static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  const std::array left{bounds_.preemptions + 1, bounds_.surprises, bounds_.spurious};
  auto& best = experience_.seen[state];
  if (best[0] >= left[0] && best[1] >= left[1] && best[2] >= left[2]) return true;
  if (left[0] >= best[0] && left[1] >= best[1] && left[2] >= best[2]) best = left;
  return false;
}

// The one place where a thread may be stopped.
void Execution::before_operation(Location location, bool writes) {
  if (self_ == kScenario) return;
  if (++steps_ > bounds_.steps) fail("it does not end");
  const std::size_t stopped = steps_;
  const bool matters = conflicts(location, writes);
  if (matters && !calm_ && bounds_.preemptions + bounds_.spurious > 0 && preempt()) {
    // Meanwhile nothing happened that the operation has to do with: it might as well have come
    // first, which is an execution that is looked at too.
    const auto& conflicts = writes ? last_access_ : last_write_;
    if (conflicts[location] < stopped && !choices_->rolls()) calm_ = true;
  }
  last_access_[location] = steps_;
  if (writes) last_write_[location] = steps_;
}

// Whether it matters to any other thread when this one does that.
bool Execution::conflicts(Location location, bool writes) {
  Users& users = experience_.users[location];
  const std::uint32_t self = 1U << self_;
  std::uint32_t& mine = writes ? users.writers : users.readers;
  if ((mine & self) == 0) {
    mine |= self;
    experience_.grown = true;
  }
  return ((users.writers | (writes ? users.readers : 0)) & ~self) != 0;
}

// Lets another thread go on, or not. True: it did, and the thread is back.
bool Execution::preempt() {
  std::array<std::size_t, kThreadsMax> others{};
  std::size_t count = 0;
  for (std::size_t i = 1; i < thread_count_; ++i) {
    if (i == self_) continue;
    const Thread& other = threads_[i];
    const bool early = other.status == Status::sleeping &&
                       (bounds_.spurious > 0 || (other.until != kNever && bounds_.preemptions > 0));
    if (early || (bounds_.preemptions > 0 && can_run(other))) others[count++] = i;
  }
  if (count == 0) return false;
  if (seen_before()) {
    calm_ = true;
    return false;
  }
  const std::size_t chosen = choices_->choose(count + 1, kRarity);
  if (chosen == 0) return false;
  const std::size_t next = others[chosen - 1];
  if (threads_[next].status == Status::sleeping) {
    // Its time is over, or it wakes for no reason.
    if (threads_[next].until == kNever || bounds_.preemptions == 0) {
      --bounds_.spurious;
    } else {
      --bounds_.preemptions;
      now_ = std::max(now_, threads_[next].until);
    }
    wake(next);
  } else {
    --bounds_.preemptions;
  }
  give_way_to(next);
  return true;
}

// The thread cannot go on now: any other one does, or in the end the scenario.
void Execution::leave() {
  do {
    std::array<std::size_t, kThreadsMax> able{};
    std::size_t count = 0;
    for (std::size_t k = 1; k <= thread_count_; ++k) {  // in turn, so that nobody starves
      const std::size_t i = (self_ + k) % thread_count_;
      if (i != kScenario && can_run(threads_[i])) able[count++] = i;
    }
    // Then those that only gave way.
    for (std::size_t i = 1; count == 0 && i < thread_count_; ++i) {
      if (threads_[i].status == Status::yielding) able[count++] = i;
    }
    if (count == 0) continue;
    std::size_t chosen = 0;
    if (count > 1 && !calm_) {
      if (seen_before()) {
        calm_ = true;
      } else {
        chosen = choices_->choose(count, 0);
      }
    }
    give_way_to(able[chosen]);
    return;
  } while (wake_earliest());
  give_way_to(kScenario);
}

void Execution::give_way_to(std::size_t next) {
  Status& status = threads_[next].status;
  if (status == Status::relaxing || status == Status::yielding)
    threads_[next].status = Status::ready;
  const std::size_t before = std::exchange(self_, next);
  if (before != next) threads_[before].fiber->switch_to(*threads_[next].fiber);
}

// Nobody can run: time goes on. False: nobody waits for that.
bool Execution::wake_earliest() {
  std::size_t earliest = kScenario;
  for (std::size_t i = 1; i < thread_count_; ++i) {
    if (threads_[i].status != Status::sleeping || threads_[i].until == kNever) continue;
    if (earliest == kScenario || threads_[i].until < threads_[earliest].until) earliest = i;
  }
  if (earliest == kScenario) return false;
  if (++steps_ > bounds_.steps) fail("it does not end");
  now_ = std::max(now_, threads_[earliest].until);
  wake(earliest);
  return true;
}

void Execution::wake(std::size_t thread) {
  threads_[thread].status = Status::ready;
  memory_.note(thread,
               MemoryModel::mix(2, static_cast<std::uint64_t>(now_.time_since_epoch().count())));
  if (tracing_) trace(threads_[thread].name + " wakes");
}

std::size_t Execution::Outcomes::choose_outcome(std::size_t outcomes) {
  if (run_.self_ == kScenario || run_.calm_ || run_.bounds_.surprises == 0) return 0;
  const std::size_t chosen = run_.choices_->choose(outcomes, kRarity);
  if (chosen != 0) {
    --run_.bounds_.surprises;
    if (run_.tracing_) run_.trace("(what comes now is out of order)");
  }
  return chosen;
}

// ---- Operations

Execution::Location Execution::add(const void* address, std::uint64_t value) {
  addresses_.push_back(address);
  return memory_.add(self_, value);
}

std::uint64_t Execution::load(Location location, std::memory_order order, Where where) {
  before_operation(location, false);
  const std::uint64_t read = memory_.load(self_, location, order);
  if (tracing_) trace(location, "load", read, read, where);
  return read;
}

void Execution::store(Location location, std::uint64_t value, std::memory_order order,
                      Where where) {
  before_operation(location, true);
  memory_.store(self_, location, value, order);
  if (tracing_) trace(location, "store", value, value, where);
}

bool Execution::compare_exchange(Location location, std::uint64_t& expected, std::uint64_t desired,
                                 std::memory_order success, std::memory_order failure,
                                 Where where) {
  before_operation(location, true);
  const auto [read, same] =
      memory_.compare_exchange(self_, location, expected, desired, success, failure);
  if (tracing_) trace(location, "compare_exchange", read, same ? desired : read, where);
  expected = read;
  return same;
}

void Execution::futex_wait(Location location, std::uint64_t expected, Duration timeout) {
  before_operation(location, true);
  if (memory_.newest(self_, location) != expected || timeout <= Duration::zero()) return;
  ARTEL_REQUIRE(self_ != kScenario, "the scenario itself would sleep for ever");
  Thread& self = threads_[self_];
  self.status = Status::sleeping;
  self.sleeps_on = location;
  self.until = timeout == kForever ? kNever : later(now_, timeout);
  self.since = sleeps_++;
  memory_.note(self_, MemoryModel::mix(3, self.since));
  if (tracing_) trace(self.name + (timeout == kForever ? " sleeps" : " sleeps for some time"));
  leave();
}

void Execution::futex_wake(Location location, int count) {
  before_operation(location, true);
  for (; count > 0; --count) {
    std::size_t first = kScenario;
    for (std::size_t i = 1; i < thread_count_; ++i) {
      const Thread& thread = threads_[i];
      if (thread.status != Status::sleeping || thread.sleeps_on != location) continue;
      if (first == kScenario || thread.since < threads_[first].since) first = i;
    }
    if (first == kScenario) return;
    memory_.note(self_, MemoryModel::mix(4, first));
    wake(first);
  }
}

void Execution::relax() { pause(Status::relaxing); }

void Execution::yield() { pause(Status::yielding); }

void Execution::pause(Status how) {
  if (self_ == kScenario) return;
  if (++steps_ > bounds_.steps) fail("it does not end");
  Thread& self = threads_[self_];
  // In time it sees what others wrote before; if it has that already, it waits for more.
  const bool news = memory_.see_newest(self_);
  self.status = how;
  self.writes = memory_.writes() - (news ? 1 : 0);
  leave();
}

void Execution::read_plain(const void* address) {
  if (!memory_.read_plain(self_, address)) {
    fail(fmt::format("a race: {} reads what is not handed to it", threads_[self_].name));
  }
}

void Execution::write_plain(const void* address) {
  if (!memory_.write_plain(self_, address)) {
    fail(fmt::format("a race: {} writes what is not handed to it", threads_[self_].name));
  }
}

}  // namespace artel::explore
