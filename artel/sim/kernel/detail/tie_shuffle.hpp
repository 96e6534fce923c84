#pragma once

#include <cstddef>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/detail/calendar.hpp"

namespace artel::sim::detail {

/// Draws which of the events of equal times comes next.
class TieShuffle final : public TieBreaker {
 public:
  explicit TieShuffle(Seed seed) : dice_(seed, "ties") {}

  [[nodiscard]] std::size_t choose(std::size_t count) override { return dice_.below(count); }

 private:
  random::Stream dice_;
};

}  // namespace artel::sim::detail
