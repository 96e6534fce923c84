// Models whose components crash, are removed and restart at random, checked against laws. Every run
// is named by its seed; ARTEL_SWARM_SEED=N is the first one, instead of 1.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/scope.hpp"
#include "artel/sim/kernel/select.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::scheduler_test {
namespace {

using sim::ComponentId;
using sim::Context;
using sim::Task;

struct Letter {
  std::uint64_t key;
};
std::uint64_t key_of(const Letter& letter) { return letter.key; }
struct Crash {};
struct Return {
  std::uint32_t node;
};

constexpr std::uint32_t kNodes = 6;
constexpr std::int64_t kEndNs = 400;

struct Node;

/// What all components of a run share, and the books that the laws are about.
struct World {
  explicit World(std::uint64_t number)
      : seed(number),
        simulation({.seed = Seed{number},
                    .tie_shuffle = number % 3 == 0 ? std::optional(Seed{number}) : std::nullopt,
                    .fingerprint = true}),
        dice(Seed{number}, "swarm") {}

  bool over() const { return simulation.now() >= Instant{Duration{kEndNs}}; }

  std::uint64_t seed;
  std::int64_t guards = 0;  // alive in frames
  std::int64_t guards_made = 0;
  std::int64_t nodes_alive = 0;
  std::uint64_t crashes = 0;
  std::uint64_t letters = 0;
  std::uint64_t to_the_dead = 0;
  std::vector<sim::Process<>> processes;  // all that were spawned with a handle
  sim::Simulation simulation;
  random::Stream dice;
  sim::Channel<int> shared{1};
  sim::Resource cores{2};
};

/// In every frame: counts, and does something in its destructor now and then.
struct Guard {
  explicit Guard(World& in) : world(&in) {
    ++world->guards;
    ++world->guards_made;
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard();
  World* world;
};

struct Node : sim::Component<Letter, Crash> {
  explicit Node(World& in) : world(&in) {
    ++world->nodes_alive;
    for (int i = 0; i < 3; ++i) world->processes.push_back(spawn(live()));
  }
  ~Node() {
    canary = 0;
    --world->nodes_alive;
  }

  void on(const Letter& letter) {
    check();
    ++world->letters;
    if (letter.key % 4 == 0) local.try_send(static_cast<int>(letter.key));
    if (letter.key % 7 == 0) flag.set();
  }
  void on(const Crash&);
  void check() const {
    if (canary != kCanary) ++world->to_the_dead;
  }
  Duration soon() { return Duration{static_cast<std::int64_t>(world->dice.below(12))}; }

  Task<> live();
  Task<> one_thing(std::uint64_t what);
  Task<int> nap(Duration time) {
    const Guard guard(*world);
    co_await sleep(time);
    co_return 1;
  }

  static constexpr std::uint64_t kCanary = 0x616c697665;
  World* world;
  std::uint64_t canary = kCanary;
  sim::Channel<int> local{0};
  sim::Mutex mutex;
  sim::Flag flag;
};

Guard::~Guard() {
  --world->guards;
  const std::uint64_t what = world->dice.below(60);
  if (what == 0) world->shared.try_send(1);
  if (what == 1) world->shared.try_receive();
  if (what == 2 && !world->processes.empty()) {
    world->processes[world->dice.below(world->processes.size())].cancel();
  }
  if (what == 3 && !world->over()) {
    const ComponentId id{static_cast<std::uint32_t>(world->dice.below(kNodes))};
    if (world->simulation.exists(id)) world->simulation.remove(id, sim::Pending::keep);
  }
}

Task<> Node::live() {
  const Guard guard(*world);
  while (!world->over()) {
    check();
    const ComponentId other{static_cast<std::uint32_t>(world->dice.below(kNodes))};
    emit(Letter{world->dice.below(16)}, other, soon());
    co_await one_thing(world->dice.below(11));
  }
}

Task<> Node::one_thing(std::uint64_t what) {
  const Guard guard(*world);
  switch (what) {
    case 0:
      co_await sleep(soon());
      break;
    case 1:
      co_await next<Letter>().key(world->dice.below(16)).within(soon());
      break;
    case 2:
      co_await next<Letter>().from(ComponentId{0}).within(soon());
      break;
    case 3: {
      sim::Lease lease = co_await world->cores.acquire(1 + world->dice.below(2));
      co_await sleep(soon());
      break;
    }
    case 4:
      co_await sim::any_of(world->shared.receive(), local.receive(), nap(soon()), sleep(soon()));
      break;
    case 5:
      co_await sim::any_of(world->shared.send(2), local.send(3), sleep(soon()));
      break;
    case 6: {
      sim::Scope scope(*this);
      scope.spawn(nap(soon()));
      scope.spawn(nap(soon()));
      co_await nap(soon());
      if (world->dice.below(2) == 0) co_await scope.join();
      break;
    }
    case 7: {
      const sim::Process<> victim = world->processes[world->dice.below(world->processes.size())];
      co_await sleep(soon());
      if (world->dice.below(4) == 0) victim.cancel();
      co_await sim::any_of(victim.join(), sleep(soon()));
      break;
    }
    case 8: {
      const sim::Lease lock = co_await mutex.lock();
      co_await sim::all_of(nap(soon()), sleep(soon()));
      break;
    }
    case 9:
      co_await sim::any_of(flag.wait(), next<Letter>(), sleep(soon()));
      flag.reset();
      break;
    default: {
      local.try_send(1);
      co_await sim::any_of(sim::select(local.receive(), world->shared.receive(), mutex.lock()),
                           sleep(soon()));
    }
  }
}

/// Crashes itself or another, in its handler; a context outside brings it back.
void Node::on(const Crash&) {
  check();
  const auto pending = static_cast<sim::Pending>(world->dice.below(4));
  const ComponentId victim{static_cast<std::uint32_t>(world->dice.below(kNodes))};
  if (!world->simulation.exists(victim)) return;
  ++world->crashes;
  if (world->dice.below(2) == 0) {
    world->simulation.crash(victim, pending);
  } else {
    world->simulation.remove(victim, pending);
  }
  if (world->dice.below(3) == 0) world->simulation.restart<Node>(victim, *world);
}

/// Outside of all crashes: sends them, and restarts what is down.
struct Fate : sim::Component<Return> {
  explicit Fate(World& in) : world(&in) { spawn(act()); }
  void on(const Return& message) {
    const ComponentId id{message.node};
    if (!world->simulation.exists(id)) world->simulation.restart<Node>(id, *world);
  }
  Task<> act() {
    while (!world->over()) {
      co_await sleep(Duration{static_cast<std::int64_t>(world->dice.below(9))});
      emit(Crash{}, ComponentId{static_cast<std::uint32_t>(world->dice.below(kNodes))}, {});
      emit_self(Return{static_cast<std::uint32_t>(world->dice.below(kNodes))}, Duration{3});
    }
  }
  World* world;
};

struct Outcome {
  std::string fingerprint;
  std::uint64_t events = 0;
  std::uint64_t crashes = 0;
  std::uint64_t letters = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(std::uint64_t seed) {
  World world(seed);
  sim::Simulation& simulation = world.simulation;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    simulation.add<Node>("node-" + std::to_string(i), world);
  }
  const ComponentId fate = simulation.add<Fate>("fate", world).id();
  simulation.run_until(Instant{Duration{kEndNs}});
  const Outcome outcome{simulation.fingerprint().text(), simulation.event_count(), world.crashes,
                        world.letters};

  // The laws.
  EXPECT_EQ(world.to_the_dead, 0U) << "an event reached a component that is gone; seed " << seed;
  simulation.remove(fate, sim::Pending::keep);
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    if (simulation.exists(ComponentId{i})) simulation.remove(ComponentId{i});
  }
  simulation.run();
  EXPECT_EQ(world.nodes_alive, 0) << "seed " << seed;
  EXPECT_EQ(world.guards, 0) << "the destructors of a frame have not run; seed " << seed;
  EXPECT_GT(world.guards_made, 100) << "seed " << seed;
  EXPECT_EQ(simulation.pending_count(), 0U) << "seed " << seed;
  EXPECT_TRUE(simulation.waiting_report().empty()) << simulation.waiting_report();
  for (const auto& process : world.processes) EXPECT_TRUE(process.done()) << "seed " << seed;
  EXPECT_EQ(world.cores.free(), 2U) << "a crash has kept units; seed " << seed;
  world.processes.clear();
  EXPECT_EQ(simulation.blocks_in_use(), 0U) << "a frame or process leaks; seed " << seed;
  return outcome;
}

TEST(Swarm, CrashesKeepTheLawsAndRunsRepeat) {
  constexpr std::uint64_t kRuns = 150;
  const char* const given = std::getenv("ARTEL_SWARM_SEED");
  const std::uint64_t begin = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  std::uint64_t crashes = 0;
  std::uint64_t letters = 0;
  for (auto seed = begin; seed < begin + kRuns && !testing::Test::HasFailure(); ++seed) {
    const Outcome first = run(seed);
    EXPECT_EQ(run(seed), first) << "the same seed gave another run: " << seed;
    crashes += first.crashes;
    letters += first.letters;
  }
  EXPECT_GT(crashes, 5 * kRuns);
  EXPECT_GT(letters, 50 * kRuns);
}

}  // namespace
}  // namespace artel::scheduler_test
