#pragma once

#include <cstddef>
#include <cstdint>

#include "artel/parallel/detail/result_store.hpp"

namespace artel::parallel::detail {

/// What the caller does besides taking results.
enum class Caller : std::uint8_t {
  works,     ///< runs chunks, as one of the workers
  consumes,  ///< uses the results; runs chunks only when nobody else would
};

/// In what a map, a lazy map and a reduce differ for whoever runs them.
struct RunPlan {
  Caller caller = Caller::works;
  Order order = Order::source;
  std::size_t window = 0;  ///< chunks cut and not handed over, at most; 0: no limit
};

}  // namespace artel::parallel::detail
