// A model of coroutines has one fingerprint: with every compiler and every level of optimisation.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Order {
  std::uint64_t number;
};
struct Delivery {
  std::uint64_t number;
};
std::uint64_t key_of(const Delivery& delivery) { return delivery.number; }

/// Delivers in an order of its own, and not everything.
struct Shop : Component<Order> {
  void on(const Order& order, const Event& event) {
    const auto delay = Duration{static_cast<Duration::rep>(random().below(900))};
    if (random().below(8) != 0) emit(Delivery{order.number}, event.src(), delay);
  }
};

struct Customer : Component<Delivery> {
  explicit Customer(ComponentId of) : shop(of) {}

  Task<> orders(std::uint64_t number) {
    for (int i = 0; i < 20; ++i) {
      emit(Order{number}, shop, 10ns);
      const auto got = co_await next<Delivery>().key(number).within(800ns);
      if (got) co_await received.send(got->payload.number);
      co_await sleep(Duration{static_cast<Duration::rep>(random().below(50))});
    }
  }
  Task<> counts() {
    while (true) {
      const auto first = co_await any_of(received.receive(), sleep(400ns));
      emit_now(Order{first.index()}, shop);
    }
  }
  void on(const Delivery&) {}  // one that came too late

  ComponentId shop;
  Channel<std::uint64_t> received{1};
};

TEST(CoroutineFingerprint, IsPinnedForEveryCompiler) {
  Simulation simulation({.seed = Seed{5}, .fingerprint = true});
  const ComponentId shop = simulation.add<Shop>("shop").id();
  for (std::size_t i = 0; i < 5; ++i) {
    auto& customer = simulation.add<Customer>("customer " + std::to_string(i), shop);
    customer.spawn(customer.counts());
    for (std::uint64_t number = 0; number < 6; ++number) customer.spawn(customer.orders(number));
  }
  simulation.run_until(Instant{50us});
  EXPECT_EQ(simulation.fingerprint().text(), "aaa2bb917c3bf080");
}

}  // namespace
}  // namespace artel::sim
