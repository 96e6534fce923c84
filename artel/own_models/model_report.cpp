#include "artel/own_models/model_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/stat/mser5.hpp"

namespace artel::own_models {

void ObservedTimes::add(Duration time, Instant now) {
  const auto taken = std::max(time, Duration{});
  series_.add(to_seconds(taken));
  instants_.add(to_seconds(now));
  if (now >= warm_up_end_) counted_.record(static_cast<std::uint64_t>(taken.count()));
}

// Both series have the same batches. The cut is where the last batch that is left out ends, which
// half-way between the middles of both neighbours tells.
Duration ObservedTimes::settled_after() const {
  const std::size_t cut = stat::mser5(series_.means());
  if (cut == 0) return {};
  const auto& instants = instants_.means();
  return from_seconds((instants[cut - 1] + instants[cut]) / 2);
}

ObservedTimes& ModelReport::times(std::string_view name) {
  const auto found = times_.find(name);
  if (found != times_.end()) return found->second;
  return times_.emplace(name, ObservedTimes(warm_up_)).first->second;
}

void ModelReport::set(std::string_view figure, double value) {
  const auto found = std::ranges::find(numbers_, figure, &std::pair<std::string, double>::first);
  if (found != numbers_.end()) {
    found->second = value;
  } else {
    numbers_.emplace_back(figure, value);
  }
}

void ModelReport::add(const sim::Statistics& statistics) {
  for (const auto& figure : statistics.figures()) {
    set(figure.name, figure.mean);
    if (figure.count) set(figure.name + ".count", static_cast<double>(*figure.count));
  }
}

std::vector<std::pair<std::string, double>> ModelReport::figures() const {
  constexpr double kNanosecond = 1e-9;
  std::vector<std::pair<std::string, double>> figures;
  for (const auto& [name, times] : times_) {
    const auto& counted = times.counted();
    figures.emplace_back(name + ".mean", counted.mean() * kNanosecond);
    for (const auto& [suffix, share] : kReportedQuantiles)
      figures.emplace_back(fmt::format("{}{}", name, suffix),
                           counted.quantile(share) * kNanosecond);
    figures.emplace_back(name + ".max", counted.quantile(1) * kNanosecond);
    figures.emplace_back(name + ".count", static_cast<double>(counted.count()));
  }
  figures.insert(figures.end(), numbers_.begin(), numbers_.end());
  return figures;
}

}  // namespace artel::own_models
