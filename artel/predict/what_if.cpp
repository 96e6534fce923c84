#include "artel/predict/what_if.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/experiment/replay_tasks.hpp"
#include "artel/predict/most_at_once.hpp"
#include "artel/predict/replay.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::predict {
namespace {

// The same with work so many times as long: workers are slower by that.
scenario::Scenario with_work(scenario::Scenario scenario, double factor) {
  for (auto& speed : scenario.pool.speeds) speed /= factor;
  return scenario;
}

scenario::Scenario with_rate(scenario::Scenario scenario, double factor) {
  if (auto* const trace = std::get_if<scenario::TraceArrivals>(&scenario.workload.arrivals))
    trace->scale *= factor;
  return scenario;
}

}  // namespace

Result<WhatIf> what_if(const scenario::Scenario& before, const scenario::Scenario& after,
                       std::size_t replications, unsigned jobs, const std::stop_token& stop,
                       const RunProgress& progress) {
  constexpr double kMore = 1 + WhatIf::kSensitivity, kLess = 1 - WhatIf::kSensitivity;
  const std::array<scenario::Scenario, 8> cases{before,
                                                after,
                                                with_work(after, kMore),
                                                with_work(after, kLess),
                                                with_rate(after, kMore),
                                                with_rate(after, kLess),
                                                with_rate(with_work(after, kMore), kMore),
                                                with_rate(with_work(after, kLess), kLess)};
  replications = std::max<std::size_t>(replications, 1);
  std::vector<RunFigures> runs(cases.size() * replications);
  std::vector<std::uint32_t> at_once(runs.size());
  std::mutex telling;
  std::size_t done = 0;
  experiment::for_each_index(runs.size(), jobs, stop, [&](std::size_t i) {
    const auto& scenario = cases[i / replications];
    const auto tasks = experiment::replay_tasks(scenario, scenario.dispatch.policies.front(),
                                                static_cast<std::uint32_t>(i % replications), stop);
    if (tasks) {
      runs[i] = figures_of(*tasks, scenario.pool);
      at_once[i] = most_at_once(*tasks);
    }
    const std::lock_guard lock(telling);
    if (progress) progress(++done, runs.size());
  });
  if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped before the end");

  std::array<RunFigures, cases.size()> means{};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t f = 0; f < kFigures; ++f) {
      means[i / replications].values[f] += runs[i].values[f] / static_cast<double>(replications);
    }
  }
  const auto side = [](const scenario::Scenario& scenario, const RunFigures& figures) {
    return WhatIf::Side{.workers = static_cast<std::uint32_t>(scenario.pool.speeds.size()),
                        .rate = scenario.workload.rate,
                        .policy = scenario.dispatch.policies.front().label,
                        .figures = figures};
  };
  WhatIf result{.before = side(before, means[0]),
                .after = side(after, means[1]),
                .low = means[1],
                .high = means[1]};
  for (std::size_t f = 0; f < kFigures; ++f) {
    for (std::size_t c = 1; c < cases.size(); ++c) {
      result.low.values[f] = std::min(result.low.values[f], means[c].values[f]);
      result.high.values[f] = std::max(result.high.values[f], means[c].values[f]);
    }
  }
  // Replications of the first two.
  const auto second = at_once.begin() + static_cast<std::ptrdiff_t>(replications);
  const auto recorded = *std::max_element(at_once.begin(), second);
  const auto asked = *std::max_element(second, second + static_cast<std::ptrdiff_t>(replications));
  if (asked > recorded) {
    result.notes.push_back(
        fmt::format("up to {} tasks are at work at once, in the recorded run no more than {}: that "
                    "work does not take longer then is taken for granted",
                    asked, recorded));
  }
  return result;
}

}  // namespace artel::predict
