#include "artel/sim/model/constant_network.hpp"

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/network_model.hpp"

namespace artel::sim {

ConstantNetwork::ConstantNetwork(Duration latency, double bandwidth)
    : latency_(latency), bandwidth_(bandwidth) {
  ARTEL_REQUIRE(latency >= Duration::zero(), "a latency is not negative", latency.count());
  ARTEL_REQUIRE(bandwidth > 0, "a bandwidth is positive", bandwidth);
}

double ConstantNetwork::give_up(Instant, CarriedId id) {
  ARTEL_REQUIRE(false, "the ends of all transfers are known here", index(id));
  return 0;
}

double ConstantNetwork::left(Instant now, CarriedId id) { return give_up(now, id); }

}  // namespace artel::sim
