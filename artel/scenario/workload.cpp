#include "artel/scenario/workload.hpp"

#include "artel/core/instant.hpp"

namespace artel::scenario {

Instant TraceArrivals::replayed(Instant at) const {
  return scale == 1 ? at : Instant{from_seconds(to_seconds(at) / scale)};
}

}  // namespace artel::scenario
