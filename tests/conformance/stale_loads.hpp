#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_array.hpp"

namespace artel::conformance {

/// Equal workers, each with its own queue without bound; Poisson arrivals, exponential service of
/// mean one second. Simulated as a Markov chain: one random event at a time, nothing else.
struct Queues {
  std::size_t workers = 100;
  double load = 0.9;       ///< arrival rate / workers
  double length_s = 3000;  ///< the first fifth is left out
  std::uint64_t seed = 1;
};

/// What is shown of the workers, all at once.
struct Board {
  dispatch::LoadArray loads;
  std::vector<std::uint64_t> committed;  ///< tasks that each worker finished since the last time
};

/// Mean response time, in seconds, when the board is shown every `period` and every task is sent by
/// it until it is shown again. `choose` names the worker for a task.
[[nodiscard]] double mean_response(
    const Queues& queues, Duration period,
    const std::function<void(const Board& board, Instant now)>& show,
    const std::function<WorkerId(const dispatch::Draw& draw)>& choose);

}  // namespace artel::conformance
