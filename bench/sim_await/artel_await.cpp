#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "bench/measure.hpp"
#include "bench/sim_await/workload.hpp"

namespace artel::bench::sim_await {
namespace {

using namespace std::chrono_literals;

struct Answer {
  std::uint64_t request;
};
std::uint64_t key_of(const Answer& answer) { return answer.request; }

struct Keyed {
  std::uint64_t left;
  std::uint32_t outstanding;
  bool random_keys;
  random::Stream dice{Seed{1}, "keys"};
  std::uint64_t sum = 0;

  std::uint64_t after(std::uint64_t key) {
    if (random_keys) return dice.below(outstanding);
    return key + 1 == outstanding ? 0 : key + 1;
  }
};

sim::Task<> wait_for_key(sim::Context& context, Keyed& shared, std::uint64_t key) {
  while (true) {
    const auto answer = co_await context.next<Answer>().key(key);
    shared.sum += answer->request;
    if (--shared.left == 0) co_return;
    context.emit_self(Answer{shared.after(key)}, 1ns);
  }
}

sim::Task<> send_all(sim::Context&, sim::Channel<std::uint64_t>& to, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) co_await to.send(i);
}
sim::Task<> receive_all(sim::Context&, sim::Channel<std::uint64_t>& from, std::uint64_t count,
                        std::uint64_t& sum) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto value = co_await from.receive();
    sum += value.value_or(0);
  }
}

sim::Task<std::uint64_t> number(sim::Context&, std::uint64_t i) { co_return i; }
sim::Task<> spawn_and_join(sim::Context& context, std::uint64_t count, std::uint64_t& sum) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto value = co_await context.spawn(number(context, i)).join();
    sum += value.value_or(0);
  }
}

sim::Task<> sleep_long(sim::Context& context) { co_await context.sleep(1h); }

}  // namespace

Outcome run_keyed(const Workload& workload) {
  Keyed shared{workload.rounds, workload.outstanding, workload.random_keys};
  sim::Simulation simulation;
  auto& context = simulation.add_context("waiting");
  for (std::uint32_t key = 0; key < workload.outstanding; ++key) {
    context.spawn(wait_for_key(context, shared, key));
  }
  simulation.run();
  context.emit_self(Answer{0}, 1ns);
  const double seconds = seconds_of([&] { simulation.run(); });
  return outcome(workload, seconds, shared.sum);
}

Outcome run_channel(const Workload& workload) {
  std::uint64_t sum = 0;
  sim::Channel<std::uint64_t> channel(workload.capacity);
  sim::Simulation simulation;
  auto& context = simulation.add_context("main");
  context.spawn(receive_all(context, channel, workload.rounds, sum));
  context.spawn(send_all(context, channel, workload.rounds));
  const double seconds = seconds_of([&] { simulation.run(); });
  return outcome(workload, seconds, sum);
}

Outcome run_spawn_join(const Workload& workload) {
  std::uint64_t sum = 0;
  sim::Simulation simulation;
  auto& context = simulation.add_context("main");
  context.spawn(spawn_and_join(context, workload.rounds, sum));
  const double seconds = seconds_of([&] { simulation.run(); });
  return outcome(workload, seconds, sum);
}

Outcome run_cancel(const Workload& workload) {
  sim::Simulation simulation;
  auto& context = simulation.add_context("main");
  std::vector<sim::Process<>> crowd;
  crowd.reserve(workload.outstanding);
  std::uint64_t cancelled = 0;
  double seconds = 0;
  while (cancelled < workload.rounds) {
    for (std::uint32_t i = 0; i < workload.outstanding; ++i) {
      crowd.push_back(context.spawn(sleep_long(context)));
    }
    simulation.run_for(1us);
    seconds += seconds_of([&] {
      for (const sim::Process<>& process : crowd) cancelled += process.cancel() ? 1 : 0;
    });
    crowd.clear();
  }
  return outcome(workload, seconds, cancelled);
}

}  // namespace artel::bench::sim_await
