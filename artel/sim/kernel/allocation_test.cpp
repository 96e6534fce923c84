// Counts every call of operator new in this test binary: a simulation that has seen its peak must
// not allocate.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/unit/instant.hpp"

namespace {
std::size_t allocations = 0;  // the tests of this binary run on one thread
}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Small {};
struct Large {
  std::int64_t numbers[20] = {};
};

struct Bouncer : Component<Small, Large> {
  void on(const Small&) {
    const EventId id = emit_self(Large{}, Duration{static_cast<std::int64_t>(random().below(900))});
    emit_self(Small{}, 1us);
    if (random().below(2) == 0) cancel(id);
  }
  void on(const Large&) {}
};

TEST(Allocation, ASteadyStateAllocatesNothing) {
  Simulation simulation;
  for (int i = 0; i < 300; ++i)
    simulation.add<Bouncer>(std::to_string(i)).emit_self(Small{}, i * 3ns);
  simulation.steps(200'000);
  const std::size_t before = allocations;
  simulation.steps(200'000);
  EXPECT_EQ(allocations - before, 0U);
}

}  // namespace
}  // namespace artel::sim
