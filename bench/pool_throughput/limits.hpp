#pragma once

#include <cstddef>

#include "bench/measure.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {

/// Two threads and a ring of callables between them: hand-over without a pool around it.
[[nodiscard]] Outcome hand_off(std::size_t tasks);

/// As many threads as workers that simply do the work: what there is to reach.
[[nodiscard]] Outcome plain_loop(const Posts& posts);

}  // namespace artel::bench
