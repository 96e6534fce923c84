#include "artel/own_models/model_parameters.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"

namespace artel::own_models {

ModelParameters::ModelParameters(std::initializer_list<Entry> entries) {
  for (const auto& [name, value] : entries) set(name, value);
}

double ModelParameters::operator[](std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::first);
  if (found != entries_.end()) return found->second;
  const std::vector<std::string_view> names = [&] {
    std::vector<std::string_view> all;
    for (const auto& [known, value] : entries_) all.emplace_back(known);
    return all;
  }();
  throw std::invalid_argument(unknown_name("parameter", name, names));
}

std::uint64_t ModelParameters::whole(std::string_view name) const {
  constexpr double kExact = 9007199254740992;  // 2^53: every whole number up to here is a double
  const double value = (*this)[name];
  if (!(value >= 0 && value <= kExact) || std::trunc(value) != value)
    throw std::invalid_argument(fmt::format("{} = {} is not a whole number", name, value));
  return static_cast<std::uint64_t>(value);
}

Duration ModelParameters::duration(std::string_view name) const {
  const double seconds = (*this)[name];
  if (std::isnan(seconds)) throw std::invalid_argument(fmt::format("{} is not a number", name));
  return from_seconds(seconds);
}

bool ModelParameters::contains(std::string_view name) const {
  return std::ranges::find(entries_, name, &Entry::first) != entries_.end();
}

void ModelParameters::set(std::string_view name, double value) {
  const auto found = std::ranges::find(entries_, name, &Entry::first);
  if (found != entries_.end()) {
    found->second = value;
  } else {
    entries_.emplace_back(name, value);
  }
}

}  // namespace artel::own_models
