#include "artel/dispatch/busyness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/dispatch/load.hpp"

namespace artel::dispatch {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"queued", "occupancy", "weighted",
                                                    "work",   "delay",     "custom"};

}  // namespace

Busyness::Busyness(Measure measure) : measure_(measure) {
  ARTEL_REQUIRE(measure != Measure::custom, "a custom busyness is made from its function");
}

Busyness::Busyness(Function function) : measure_(Measure::custom), function_(std::move(function)) {
  ARTEL_REQUIRE(function_ != nullptr, "a custom busyness needs a function");
}

double Busyness::custom(const Load& load) const {
  const double busy = function_(load);
  ARTEL_REQUIRE(!std::isnan(busy), "busyness must be a number", load.queued, load.capacity);
  return busy;
}

std::string_view name(Measure measure) { return kNames[static_cast<std::size_t>(measure)]; }

std::span<const std::string_view> measure_names() {
  return std::span(kNames).first(static_cast<std::size_t>(Measure::custom));
}

std::optional<Measure> find_measure(std::string_view name) {
  const auto names = measure_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Measure>(found - names.begin());
}

}  // namespace artel::dispatch
