#include <artel/sim/kernel/context.hpp>
#include <artel/sim/kernel/simulation.hpp>
#include <artel/sim/kernel/task.hpp>
#include <chrono>

namespace {

using namespace std::chrono_literals;

artel::sim::Task<> tick(artel::sim::Context& context, int& ticks) {
  for (; ticks < 9; ++ticks) co_await context.sleep(1s);
}

}  // namespace

int main() {
  artel::sim::Simulation simulation;
  auto& clock = simulation.add_context("clock");
  int ticks = 0;
  clock.spawn(tick(clock, ticks));
  simulation.run();
  return ticks == 9 && simulation.now() == artel::Instant{9s} ? 0 : 1;
}
