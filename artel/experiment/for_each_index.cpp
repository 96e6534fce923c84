#include "artel/experiment/for_each_index.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <stop_token>

#include "artel/core/error.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/task_error.hpp"

namespace artel::experiment {

void for_each_index(std::size_t count, unsigned threads, const std::stop_token& stop,
                    const std::function<void(std::size_t)>& body) {
  pool::Pool others({.name = "lab", .workers = std::max(threads, 2U) - 1});
  try {
    parallel::for_each(others, std::views::iota(std::size_t{0}, count), body,
                       {.chunk = 1, .workers = threads, .stop = stop});
  } catch (const pool::TaskError& stopped) {
    if (stopped.error().code != ErrorCode::cancelled) throw;
  }
}

}  // namespace artel::experiment
