#include "artel/sim/platform/add_compute.hpp"

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/model/profile.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {

Compute& add_compute(Simulation& simulation, const HostSpec& host, Cores use) {
  auto& compute = simulation.add<Compute>(host.name, ComputeOptions{.speed = host.speed,
                                                                    .cores = host.cores,
                                                                    .memory = host.memory,
                                                                    .use = use,
                                                                    .power = host.power});
  const auto start = [&](const Profile& profile, auto apply) {
    const Process<> process = compute.spawn(follow(compute, profile, apply));
    if (profile.period != kForever) process.set_daemon();
  };
  if (host.speeds) {
    start(*host.speeds,
          [&compute, all = host.speed](double part) { compute.set_speed(part * all); });
  }
  if (host.states) start(*host.states, [&compute](double state) { compute.set_up(state != 0); });
  return compute;
}

}  // namespace artel::sim
