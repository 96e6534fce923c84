#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "bench/measure.hpp"
#include "bench/sim_calendar/workload.hpp"

namespace artel::bench::sim_calendar {
namespace {

struct Tick {};

struct Holder : sim::Component<Tick> {
  explicit Holder(const Workload& workload) : delays(*workload.delays) {}

  void emit_next() { emit_self(Tick{}, Duration{delays[drawn++ % delays.size()]}); }
  void on(const Tick&) {
    sum = sum * 31 + static_cast<std::uint64_t>(now().time_since_epoch().count());
    emit_next();
  }

  const std::vector<std::uint64_t>& delays;
  std::size_t drawn = 0;
  std::uint64_t sum = 0;
};

}  // namespace

Outcome run_artel(const Workload& workload) {
  const std::size_t before = resident_bytes();
  sim::Simulation simulation;
  auto& holder = simulation.add<Holder>("holder", workload);
  const double filling = seconds_of([&] {
    for (std::size_t i = 0; i < workload.pending; ++i) holder.emit_next();
  });
  const std::size_t filled = resident_bytes();
  const double holding = seconds_of([&] { simulation.steps(workload.holds); });
  return outcome(workload, {filling, holding, before, filled}, holder.sum);
}

}  // namespace artel::bench::sim_calendar
