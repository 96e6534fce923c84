#include "artel/sim/kernel/statistics.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/usage.hpp"
#include "artel/stat/moments.hpp"

namespace artel::sim {

void Usage::set(double utilisation, std::size_t waiting) {
  if (clock_ == nullptr) return;
  utilisation_->set(utilisation);
  queue_->set(static_cast<double>(waiting));
}

void Usage::waited(Duration wait) {
  if (clock_ != nullptr) wait_->add(wait);
}

Instant Usage::now() const { return clock_ != nullptr ? clock_->now() : Instant{}; }

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

Statistics::~Statistics() {
  for (const auto& usage : usages_) usage->clock_ = nullptr;
}

std::shared_ptr<Usage> Statistics::usage(std::string_view name, const UsageNames& names) {
  const auto of = [&](std::string_view figure) { return fmt::format("{}.{}", name, figure); };
  usages_.push_back(std::make_shared<Usage>(*clock_, level(of(names.utilisation)),
                                            level(of(names.queue)), tally(of(names.wait))));
  return usages_.back();
}

void Statistics::reset() {
  for (auto& [name, figure] : figures_) std::visit([](auto& one) { one.reset(); }, figure);
}

std::vector<FigureValue> Statistics::figures() const {
  std::vector<FigureValue> all;
  for (const auto& [name, figure] : figures_) {
    if (const auto* tally = std::get_if<Tally>(&figure)) {
      const stat::Moments& seen = tally->moments();
      all.push_back({.name = name, .count = seen.count(), .mean = seen.mean(), .max = seen.max()});
    } else if (const auto* level = std::get_if<Level>(&figure)) {
      all.push_back({.name = name, .count = {}, .mean = level->mean(), .max = level->max()});
    }
  }
  return all;
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
