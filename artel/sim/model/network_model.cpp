#include "artel/sim/model/network_model.hpp"

#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/model/max_min.hpp"

namespace artel::sim {

void NetworkModel::set_up(Instant, LinkId link, bool, std::vector<CarriedId>&) {
  ARTEL_REQUIRE(false, "this network has no links", index(link));
}

void NetworkModel::set_bandwidth(Instant, LinkId link, double) {
  ARTEL_REQUIRE(false, "this network has no links", index(link));
}

}  // namespace artel::sim
