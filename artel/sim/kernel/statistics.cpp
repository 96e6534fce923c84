#include "artel/sim/kernel/statistics.hpp"

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <variant>

#include "artel/core/require.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/stat/moments.hpp"

namespace artel::sim {

Tally& Statistics::tally(std::string_view name) {
  auto found = figures_.find(name);
  if (found == figures_.end()) found = figures_.emplace(name, Tally{}).first;
  auto* tally = std::get_if<Tally>(&found->second);
  ARTEL_REQUIRE(tally != nullptr, "a level has this name", name);
  return *tally;
}

Level& Statistics::level(std::string_view name) {
  auto found = figures_.find(name);
  if (found == figures_.end()) found = figures_.emplace(name, Level(*clock_)).first;
  auto* level = std::get_if<Level>(&found->second);
  ARTEL_REQUIRE(level != nullptr, "a tally has this name", name);
  return *level;
}

void Statistics::watch(std::string_view name, Resource& resource) {
  const std::string prefix(name);
  usages_.push_back({.utilisation = &level(prefix + ".utilisation"),
                     .queue = &level(prefix + ".queue"),
                     .wait = &tally(prefix + ".wait")});
  resource.measure(&usages_.back());
}

void Statistics::reset() {
  for (auto& [name, figure] : figures_) std::visit([](auto& one) { one.reset(); }, figure);
}

std::string Statistics::table() const {
  std::string text =
      fmt::format("{:<24} {:<6} {:>12} {:>12} {:>12}\n", "name", "kind", "n, value", "mean", "max");
  for (const auto& [name, figure] : figures_) {
    if (const auto* tally = std::get_if<Tally>(&figure)) {
      const stat::Moments& seen = tally->moments();
      text += fmt::format("{:<24} {:<6} {:>12} {:>12.6g} {:>12.6g}\n", name, "tally", seen.count(),
                          seen.mean(), seen.max());
    } else if (const auto* level = std::get_if<Level>(&figure)) {
      text += fmt::format("{:<24} {:<6} {:>12.6g} {:>12.6g} {:>12.6g}\n", name, "level",
                          level->value(), level->mean(), level->max());
    }
  }
  return text;
}

}  // namespace artel::sim
