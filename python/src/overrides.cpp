#include "python/src/overrides.hpp"

#include <utility>
#include <vector>

#include "artel/scenario/override.hpp"
#include "python/src/refusal.hpp"

namespace artel::python {

std::vector<scenario::Override> overrides_of(const KeyValues& set) {
  std::vector<scenario::Override> overrides;
  for (const auto& [key, value] : set) {
    auto override = demand(scenario::parse_override(key + "=" + value));
    override.where = "set " + key;
    overrides.push_back(std::move(override));
  }
  return overrides;
}

}  // namespace artel::python
