#pragma once

#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {

/// Makes the Compute of a host, of the same name. Its speed and whether it is up go as the host's
/// profiles say, from now on; those of a period do not keep run() going.
Compute& add_compute(Simulation& simulation, const HostSpec& host, Cores use = Cores::dedicated);

}  // namespace artel::sim
