// Five philosophers with five forks: first a deadlock, found and reported, then the way out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>

#include "artel/core/error.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;
using sim::LogLevel;

constexpr std::size_t kPhilosophers = 5;
using Forks = std::array<sim::Mutex, kPhilosophers>;

/// Eats when it has both forks. A lease gives its fork back at the end of its scope.
sim::Task<> dine(sim::Context& self, sim::Mutex& first, sim::Mutex& second) {
  const sim::Lease one = co_await first.lock();
  co_await self.sleep(1ms);  // reaching over
  const sim::Lease other = co_await second.lock();
  self.log(LogLevel::info, "eats");
  co_await self.sleep(10ms);
}

/// Each takes the fork to the left first; or, `in_order`, that with the lower number.
void dinner(bool in_order) {
  Forks forks;  // outlive the simulation, and with it those who hold them
  sim::TextLog log(std::cout);
  sim::Simulation simulation;
  simulation.log_to(log);
  simulation.set_log_level(LogLevel::info);
  for (std::size_t i = 0; i < kPhilosophers; ++i) {
    auto& philosopher = simulation.add_context(fmt::format("philosopher-{}", i));
    const std::size_t left = i;
    const std::size_t right = (i + 1) % kPhilosophers;
    if (in_order) {
      philosopher.spawn(
          dine(philosopher, forks[std::min(left, right)], forks[std::max(left, right)]));
    } else {
      philosopher.spawn(dine(philosopher, forks[left], forks[right]));
    }
  }
  const Result<std::uint64_t> finished = simulation.finish();
  std::cout << (finished ? "everybody has eaten" : finished.error().what) << "\n\n";
}

}  // namespace

int main() {
  std::cout << "left fork first\n";
  dinner(false);
  std::cout << "lower number first\n";
  dinner(true);
}
