// One server in virtual time, as a component with handlers and as processes.
#include <algorithm>
#include <cstdint>
#include <deque>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "bench/measure.hpp"
#include "bench/sim_mm1/workload.hpp"

namespace artel::bench::sim_mm1 {
namespace {

struct Arrival {};
struct Departure {};

struct Server : sim::Component<Arrival, Departure> {
  explicit Server(std::uint64_t customers) : left(customers) {}

  void come() {
    if (left == 0) return;
    --left;
    emit_self(Arrival{}, from_seconds(gaps(1 / kLoad)));
  }
  void on(const Arrival&) {
    line.push_back(now());
    if (line.size() == 1) serve();
    come();
  }
  void on(const Departure&) {
    total += to_seconds(now() - line.front());
    line.pop_front();
    if (!line.empty()) serve();
  }
  void serve() { emit_self(Departure{}, from_seconds(services(1))); }

  std::uint64_t left;
  std::deque<Instant> line;  // when each came; the first is being served
  double total = 0;
  Draws gaps{1};
  Draws services{2};
};

struct Model {
  explicit Model(std::uint64_t number) : customers(number) {}

  std::uint64_t customers;
  sim::Resource server{1};
  double total = 0;
  Draws gaps{1};
  Draws services{2};
};

sim::Task<> customer(sim::Context& self, Model& model) {
  const Instant arrival = self.now();
  const sim::Lease lease = co_await model.server.acquire();
  co_await self.sleep(from_seconds(model.services(1)));
  model.total += to_seconds(self.now() - arrival);
}

sim::Task<> arrivals(sim::Context& self, Model& model) {
  for (std::uint64_t i = 0; i < model.customers; ++i) {
    co_await self.sleep(from_seconds(model.gaps(1 / kLoad)));
    self.spawn(customer(self, model));
  }
}

}  // namespace

Outcome run_callbacks(std::uint64_t customers) {
  double total = 0;
  const double seconds = seconds_of([&] {
    sim::Simulation simulation;
    auto& server = simulation.add<Server>("server", customers);
    server.come();
    simulation.run();
    total = server.total;
  });
  return outcome(customers, seconds, total);
}

Outcome run_coroutines(std::uint64_t customers) {
  Model model(customers);
  const double seconds = seconds_of([&] {
    sim::Simulation simulation;
    sim::Context& world = simulation.add_context("world");
    world.spawn(arrivals(world, model));
    simulation.run();
  });
  return outcome(customers, seconds, model.total);
}

Outcome run_limit(std::uint64_t customers) {
  double total = 0;
  const double seconds = seconds_of([&] {
    Draws gaps(1);
    Draws services(2);
    double work = 0;
    for (std::uint64_t i = 0; i < customers; ++i) {
      work = std::max(0.0, work - gaps(1 / kLoad)) + services(1);
      total += work;
    }
  });
  return outcome(customers, seconds, total);
}

}  // namespace artel::bench::sim_mm1
