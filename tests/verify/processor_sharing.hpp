#pragma once

#include "artel/core/id.hpp"
#include "artel/random/distribution.hpp"
#include "artel/stat/interval.hpp"

namespace artel::verify {

/// The mean response time of an M/G/1 queue whose worker serves all its tasks at once, each at an
/// equal share of its speed.
[[nodiscard]] stat::Interval processor_sharing_response(const random::Distribution& service,
                                                        double load, Seed seed, unsigned jobs);

}  // namespace artel::verify
