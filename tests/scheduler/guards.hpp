#pragma once

// The parts of random programs in which code of the model's acts wherever the kernel runs it.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/barrier.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/container.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/filter_store.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/one_shot.hpp"
#include "artel/sim/kernel/preemptive_resource.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/semaphore.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::guards_test {

using sim::Task;

struct World;
extern World* world;  // of the program that runs; nullptr: none does

/// What code of the model's does when the kernel runs it.
void act();

/// A value that acts when it is copied, moved, compared or destroyed.
struct Value {
  explicit Value(int of) : number(of) {}
  Value(const Value& other) : number(other.number) { act(); }
  Value(Value&& other) noexcept : number(std::exchange(other.number, -1)) { act(); }
  Value& operator=(const Value& other) {
    number = other.number;
    act();
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    number = std::exchange(other.number, -1);
    act();
    return *this;
  }
  ~Value() {
    act();
    number = -2;
  }
  bool is_sound() const { return number >= -1; }

  int number;
};
inline bool operator<(const Value& a, const Value& b) {
  act();
  EXPECT_TRUE(a.is_sound() && b.is_sound());
  return a.number < b.number;
}

struct Letter {
  Value value;
};
inline std::uint64_t key_of(const Letter& letter) {
  act();
  return static_cast<std::uint64_t>(letter.value.number) % 3;
}
struct Tick {
  int left;
};
struct Failure : std::runtime_error {
  explicit Failure() : std::runtime_error("failed on purpose"), value(std::make_shared<Value>(1)) {}
  std::shared_ptr<Value> value;
};

/// In a frame.
struct Guard {
  Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard();
};

struct Node : sim::Component<Tick, Letter> {
  Node() = default;
  ~Node();
  void on(const Tick& tick) {
    if (tick.left > 0) emit_self(Tick{tick.left - 1}, soon(*this));
    act();
  }
  void on(const Letter& letter) { EXPECT_TRUE(letter.value.is_sound()); }
  static Duration soon(sim::Context& context) {
    return Duration{static_cast<std::int64_t>(context.random().below(900))};
  }
};

struct Sink final : sim::LogSink {
  void write(const sim::LogRecord& record) override {
    size += record.component.size() + record.text.size();
    act();
  }
  std::size_t size = 0;
};

struct Shared {
  sim::Channel<Value> buffered{1};
  sim::Channel<Value> unbuffered{0};
  sim::Channel<int> plain{1};
  sim::Resource units{2};
  sim::PreemptiveResource seats{1};
  sim::Semaphore semaphore{1};
  sim::Flag flag;
  sim::Condition condition;
  sim::Barrier barrier{2};
  sim::Container tank{5, 2};
  sim::OneShot<Value> answer;
  sim::FilterStore<Value> store{1};
  sim::PriorityStore<Value> sorted{2};
};

struct World {
  World(std::uint64_t seed, sim::Simulation& in, Shared& with)
      : dice(Seed{seed}, "guards"), simulation(&in), shared(&with) {}

  std::uint64_t below(std::uint64_t count) { return dice.below(count); }
  sim::ComponentId any_id() { return ids[below(ids.size())]; }
  Node* any_node() { return nodes[below(nodes.size())]; }  // nullptr: it is not there

  random::Stream dice;
  sim::Simulation* simulation;
  Shared* shared;  // nullptr: gone
  std::vector<sim::ComponentId> ids;
  std::vector<Node*> nodes;  // by place in ids
  std::vector<sim::ProcessRef> processes;
  std::vector<sim::EventId> events;
  std::int64_t guards = 0;  // that live
  std::uint64_t acts = 0;
  int depth = 0;
  int budget = 120;
  bool ends = false;
};

/// What every process does, with tasks within tasks to that depth; part() is such a task.
Task<> live(sim::Context& context, int depth);
Task<Value> part(sim::Context& context, int depth);

}  // namespace artel::guards_test
