// Code of the model's at every place where the kernel runs such code: destructors of frames,
// results, causes, exceptions and values, copies, moves, comparisons, predicates, keys, log sinks.
// Each now and then kills, cancels, interrupts, spawns, sends, crashes and restarts whatever there
// is. For ASan: the law is that nothing is used that is gone, and that the books are right at the
// end.
//
// Every program is named by its seed; ARTEL_SWARM_SEED=N is the first one, instead of 1;
// ARTEL_GUARD_PROGRAMS=N is how many.

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/all_of.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/preemptive_resource.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/scope.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/wait_set.hpp"
#include "artel/sim/kernel/with_timeout.hpp"
#include "tests/scheduler/guards.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define ARTEL_WITH_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARTEL_WITH_ASAN
#endif
#endif
#ifdef ARTEL_WITH_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace artel::guards_test {

using namespace std::chrono_literals;

Task<Value> part(sim::Context& context, int depth) {
  const Guard guard;
  if (depth > 0) {
    co_await live(context, depth - 1);
  } else {
    co_await context.sleep(Node::soon(context));
  }
  if (context.random().below(8) == 0) throw Failure();
  co_return Value(9);
}

namespace {

bool is_picked(const Value& value) {
  act();
  return value.is_sound() && world->below(2) == 0;
}

/// Waits for one thing of those that more than one process has.
Task<> share(sim::Context& context, Shared& shared, std::uint64_t what) {
  const auto limit = Node::soon(context);
  switch (what) {
    case 0:
      co_await sim::with_timeout(shared.buffered.send(Value(10)), limit);
      break;
    case 1:
      co_await sim::any_of(shared.buffered.receive(), part(context, 0), context.sleep(limit));
      break;
    case 2:
      co_await sim::any_of(shared.unbuffered.send(Value(11)), shared.plain.receive(),
                           context.sleep(limit));
      break;
    case 3: {
      const auto got = co_await sim::with_timeout(shared.unbuffered.receive(), limit);
      EXPECT_TRUE(!got || !*got || (*got)->is_sound());
      break;
    }
    case 4: {
      const auto lease = co_await sim::with_timeout(
          shared.units.acquire(1 + context.random().below(2),
                               static_cast<std::int64_t>(context.random().below(3))),
          limit);
      const Guard guard;
      co_await context.sleep(100ns);
      break;
    }
    case 5: {
      const sim::Seat seat =
          co_await shared.seats.acquire(static_cast<std::int64_t>(context.random().below(3)));
      const Guard guard;
      co_await context.sleep(limit);
      break;
    }
    case 6:
      co_await sim::any_of(shared.semaphore.acquire(), part(context, 0), context.sleep(limit));
      break;
    case 7:
      co_await sim::any_of(shared.flag.wait(), shared.condition.wait(), part(context, 0),
                           context.sleep(limit));
      break;
    case 8:
      co_await sim::with_timeout(shared.barrier.arrive(), limit);
      break;
    case 9:
      co_await sim::any_of(shared.tank.get(1), shared.tank.put(2), context.sleep(limit));
      break;
    case 10: {
      const auto got = co_await sim::with_timeout(shared.answer.wait(), limit);
      EXPECT_TRUE(!got || got->is_sound());
      break;
    }
    case 11:
      co_await sim::with_timeout(shared.store.put(Value(12)), limit);
      break;
    case 12:
      co_await sim::any_of(shared.store.get(is_picked), part(context, 0), context.sleep(limit));
      break;
    case 13:
      co_await sim::with_timeout(
          shared.sorted.put(Value(static_cast<int>(context.random().below(5)))), limit);
      break;
    default: {
      const auto got = co_await sim::with_timeout(shared.sorted.get(), limit);
      EXPECT_TRUE(!got || got->is_sound());
    }
  }
}

/// Waits for events, tasks and processes of its own.
Task<> wait(sim::Context& context, std::uint64_t what, int depth) {
  const auto limit = Node::soon(context);
  switch (what) {
    case 0:
      co_await sim::with_timeout(part(context, depth), limit);
      break;
    case 1:
      co_await sim::any_of(part(context, depth), part(context, depth), context.sleep(limit));
      break;
    case 2:
      co_await sim::all_of(part(context, depth), context.sleep(limit));
      break;
    case 3:
      co_await sim::with_timeout(
          sim::all_of(context.next<Letter>(), context.next<Letter>(), part(context, 0)), limit);
      break;
    case 4:
      co_await context.next<Letter>().key(context.random().below(3)).within(limit);
      break;
    case 5:
      co_await context.next<Letter>()
          .matching([](const Letter& letter) {
            act();
            return letter.value.is_sound() && world->below(2) == 0;
          })
          .within(limit);
      break;
    case 6:
      co_await sim::any_of(context.next<Letter>().matching([](const Letter&) {
        act();
        return world->below(2) == 0;
      }),
                           part(context, 0), context.sleep(limit));
      break;
    case 7: {
      const sim::Process<Value> process = context.spawn(part(context, depth));
      if (context.random().below(2) == 0) world->processes.push_back(process);
      co_await sim::with_timeout(process.join(), limit);
      break;
    }
    case 8: {
      sim::Scope scope(context);
      for (int i = 0; i < 3; ++i) scope.spawn(part(context, 0));
      co_await sim::with_timeout(scope.join(), limit);
      break;
    }
    case 9: {
      sim::WaitSet<Value> set;
      for (int i = 0; i < 3; ++i) set.add(context.spawn(part(context, 0)));
      co_await sim::any_of(set.next(), set.next(), part(context, 0), context.sleep(limit));
      break;
    }
    case 10:
      if (Node* const other = world->any_node()) {  // in the name of another
        co_await sim::with_timeout(other->next<Letter>(), limit);
      }
      break;
    case 11:
      co_await context.next<Tick>();
      break;
    default:
      co_await context.sleep(limit);
  }
}

}  // namespace

Task<> live(sim::Context& context, int depth) {
  const Guard guard;
  for (int i = 0; i < 4; ++i) {
    try {
      if (context.random().below(2) == 0) {
        co_await share(context, *world->shared, context.random().below(15));
      } else {
        co_await wait(context, context.random().below(13), depth > 0 ? depth - 1 : 0);
      }
    } catch (const sim::Interrupted&) {
    } catch (const sim::ComponentGone&) {
    } catch (const Failure&) {
    }
  }
}

namespace {

/// Which program is running, for the report of a sanitizer.
std::uint64_t seed_in_hand = 0;

void populate(World& in) {
  constexpr int kNodes = 4;
  for (int i = 0; i < kNodes; ++i) {
    Node& node = in.simulation->add<Node>("node-" + std::to_string(i));
    in.ids.push_back(node.id());
    in.nodes.push_back(&node);
    node.emit_self(Tick{4}, Duration{i});
  }
  for (int i = 0; i < 3 * kNodes; ++i) {
    Node* const node = in.nodes[static_cast<std::size_t>(i % kNodes)];
    if (node == nullptr) continue;  // its sink has removed it
    const sim::Process<> process = node->spawn(live(*node, 2));
    if (i >= kNodes) in.processes.push_back(process);
  }
}

/// Runs it, cuts it in the middle and ends everything, acting to the end; how often it has acted.
std::uint64_t run_program(std::uint64_t seed) {
  seed_in_hand = seed;
  Sink sink;
  auto before = seed % 2 == 0 ? std::make_unique<Shared>() : nullptr;
  auto* const simulation = new sim::Simulation(
      {.seed = Seed{seed},
       .tie_shuffle = seed % 5 == 0 ? std::optional(Seed{seed}) : std::nullopt});
  auto after = seed % 2 == 0 ? nullptr : std::make_unique<Shared>();
  World in(seed, *simulation, before ? *before : *after);
  world = &in;
  if (seed % 4 == 0) {
    simulation->log_to(sink);
    simulation->set_log_level(seed % 8 == 0 ? sim::LogLevel::event : sim::LogLevel::process);
  }
  populate(in);
  for (int run = 0; run < 5; ++run) {
    try {
      simulation->run_for(1us);
    } catch (const sim::ProcessFailure&) {
    }
    act();  // outside of a run, too
  }
  in.ends = true;
  while (!in.processes.empty()) const auto let_go = std::exchange(in.processes, {});
  in.shared = after ? nullptr : in.shared;
  after.reset();
  in.shared = nullptr;
  delete simulation;  // by hand: what acts may use it for as long as it is being destroyed
  world = nullptr;
  EXPECT_EQ(in.guards, 0) << "the destructors of a frame have not run; seed " << seed;
  return in.acts;
}

TEST(Guards, CodeOfTheModelMayDoAnythingWhereverTheKernelRunsIt) {
#ifdef ARTEL_WITH_ASAN
  __sanitizer_set_death_callback([] {
    std::fprintf(stderr, "ARTEL_SWARM_SEED=%ju repeats it\n", std::uintmax_t{seed_in_hand});
  });
#endif
  const char* const first = std::getenv("ARTEL_SWARM_SEED");
  const char* const many = std::getenv("ARTEL_GUARD_PROGRAMS");
  const std::uint64_t begin = first != nullptr ? std::strtoull(first, nullptr, 10) : 1;
  const std::uint64_t count = many != nullptr ? std::strtoull(many, nullptr, 10) : 10'000;
  std::uint64_t acts = 0;
  for (auto seed = begin; seed < begin + count && !HasFailure(); ++seed) acts += run_program(seed);
  if (count >= 1000) {
    EXPECT_GT(acts, 40 * count);
  }
}

}  // namespace
}  // namespace artel::guards_test
