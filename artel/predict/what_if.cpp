#include "artel/predict/what_if.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/experiment/for_each_index.hpp"
#include "artel/fleet/replay_tasks.hpp"
#include "artel/predict/contention_fit.hpp"
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

/// Runs scenarios, several replications each, and tells how far it is.
class Runs {
 public:
  Runs(std::size_t replications, unsigned jobs, const std::stop_token& stop,
       const RunProgress& progress, std::size_t total)
      : replications_(std::max<std::size_t>(replications, 1)),
        jobs_(jobs),
        stop_(stop),
        progress_(progress),
        total_(total * replications_) {}

  /// Means over the replications, of one scenario.
  struct Mean {
    RunFigures figures;
    double beside = 0;       // tasks at work beside a task
    std::uint32_t most = 0;  // at once, in any of them
  };

  std::vector<Mean> run(const std::vector<scenario::Scenario>& cases) {
    std::vector<Mean> runs(cases.size() * replications_);
    std::mutex telling;
    experiment::for_each_index(runs.size(), jobs_, stop_, [&](std::size_t i) {
      const auto& scenario = cases[i / replications_];
      const auto tasks = fleet::replay_tasks(scenario, scenario.dispatch.policies.front(),
                                             static_cast<std::uint32_t>(i % replications_), stop_);
      if (tasks) {
        const auto busy = busy_times(*tasks);
        runs[i] = {.figures = figures_of(*tasks, scenario.pool),
                   .beside = busy.beside(),
                   .most = static_cast<std::uint32_t>(busy.most())};
      }
      const std::lock_guard lock(telling);
      if (progress_) progress_(++done_, total_);
    });
    std::vector<Mean> means(cases.size());
    const auto share = 1 / static_cast<double>(replications_);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      auto& mean = means[i / replications_];
      for (std::size_t f = 0; f < kFigures; ++f)
        mean.figures.values[f] += runs[i].figures.values[f] * share;
      mean.beside += runs[i].beside * share;
      mean.most = std::max(mean.most, runs[i].most);
    }
    return means;
  }

 private:
  std::size_t replications_;
  unsigned jobs_;
  const std::stop_token& stop_;
  const RunProgress& progress_;
  std::size_t total_, done_ = 0;
};

WhatIf::Side side(const scenario::Scenario& scenario, const RunFigures& figures) {
  return {.workers = static_cast<std::uint32_t>(scenario.pool.speeds.size()),
          .rate = scenario.workload.rate,
          .policy = scenario.dispatch.policies.front().label,
          .figures = figures};
}

void note_what_is_taken(WhatIf& result, const ContentionFit& contention, const Runs::Mean& before,
                        const Runs::Mean& after) {
  constexpr double kNoticeable = 0.005;
  if (std::abs(result.work - 1) > kNoticeable) {
    result.notes.push_back(
        fmt::format("work is taken to last {:.3g} times as long as recorded: beside a task {:.2g} "
                    "others are at "
                    "work instead of {:.2g}, and in the recorded run each made it {:.2g}% longer",
                    result.work, after.beside, before.beside, 100 * contention.per_task));
  }
  if (after.most > before.most) {
    result.notes.push_back(fmt::format(
        "up to {} tasks are at work at once, in the recorded run no more than {}: whether they "
        "make "
        "each other slower was not seen; the range is for work that takes up to {:.0f}% longer by "
        "that",
        after.most, before.most, 100 * result.unseen));
  }
}

}  // namespace

Result<WhatIf> what_if(const scenario::Scenario& before, const scenario::Scenario& after,
                       std::size_t replications, unsigned jobs, const std::stop_token& stop,
                       const RunProgress& progress, const ContentionFit& contention) {
  constexpr double kMore = 1 + WhatIf::kSensitivity, kLess = 1 - WhatIf::kSensitivity;
  constexpr std::size_t kLooks = 2;  // how busy it is with work of that length, and again
  constexpr std::size_t kCases = 6;
  const bool slows = contention.per_task > 0;
  Runs runs(replications, jobs, stop, progress, 2 + (slows ? kLooks : 0) + kCases);
  const auto stopped = [] { return fail(ErrorCode::cancelled, "stopped before the end"); };
  auto pair = runs.run({before, after});
  WhatIf result;
  for (std::size_t i = 0; slows && i < kLooks; ++i) {
    result.work = contention.stretch(pair[1].beside) / contention.stretch(pair[0].beside);
    pair[1] = runs.run({with_work(after, result.work)}).front();
  }
  if (stop.stop_requested()) return stopped();
  if (pair[1].most > pair[0].most && pair[0].most > 0)
    result.unseen = WhatIf::kUnseen * std::log2(static_cast<double>(pair[1].most) / pair[0].most);
  const auto changed = with_work(after, result.work);
  const double longer = kMore * (1 + result.unseen);
  const auto around =
      runs.run({with_work(changed, longer), with_work(changed, kLess), with_rate(changed, kMore),
                with_rate(changed, kLess), with_rate(with_work(changed, longer), kMore),
                with_rate(with_work(changed, kLess), kLess)});
  if (stop.stop_requested()) return stopped();
  result.before = side(before, pair[0].figures);
  result.after = side(after, pair[1].figures);
  result.low = result.high = pair[1].figures;
  for (const auto& other : around) {
    for (std::size_t f = 0; f < kFigures; ++f) {
      result.low.values[f] = std::min(result.low.values[f], other.figures.values[f]);
      result.high.values[f] = std::max(result.high.values[f], other.figures.values[f]);
    }
  }
  note_what_is_taken(result, contention, pair[0], pair[1]);
  return result;
}

}  // namespace artel::predict
