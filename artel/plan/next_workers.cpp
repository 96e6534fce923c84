#include "artel/plan/next_workers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "artel/experiment/run_experiment.hpp"
#include "artel/plan/plan_result.hpp"

namespace artel::plan {
namespace {

bool met(const PlanTrial& trial) { return trial.verdict == experiment::Verdict::met; }

// How many of the trials, from the largest down, met the objectives without exception.
std::size_t met_at_the_end(std::span<const PlanTrial> trials) {
  std::size_t count = 0;
  while (count < trials.size() && met(trials[trials.size() - 1 - count])) ++count;
  return count;
}

}  // namespace

std::optional<std::uint32_t> next_workers(std::span<const PlanTrial> trials,
                                          const PlanRange& range) {
  if (trials.empty()) return range.first;
  const auto meeting = trials.last(met_at_the_end(trials));
  const auto rest = trials.first(trials.size() - meeting.size());
  const std::uint32_t below = rest.empty() ? range.min - 1 : rest.back().workers;
  if (meeting.empty()) {
    if (below >= range.max) return std::nullopt;
    return std::min(range.max, below < range.max / 2 ? 2 * below : range.max);
  }
  const auto candidate = meeting.front().workers;
  if (candidate - below > 1) return below + (candidate - below) / 2;
  const bool confirmed =
      candidate >= range.max || (meeting.size() > 1 && meeting[1].workers == candidate + 1);
  if (!confirmed) return candidate + 1;
  // One less does not do; sizes may go by odd and even.
  const bool neighbour_missed = candidate > range.min + 1;
  const auto two_less = candidate - 2;
  const bool tried = std::any_of(rest.begin(), rest.end(),
                                 [&](const PlanTrial& trial) { return trial.workers == two_less; });
  if (neighbour_missed && !tried) return two_less;
  return std::nullopt;
}

std::optional<std::uint32_t> smallest_met(std::span<const PlanTrial> trials) {
  const auto count = met_at_the_end(trials);
  if (count == 0) return std::nullopt;
  return trials[trials.size() - count].workers;
}

std::vector<std::uint32_t> holes(std::span<const PlanTrial> trials) {
  std::vector<std::uint32_t> found;
  for (auto trial = std::find_if(trials.begin(), trials.end(), met); trial != trials.end();
       ++trial) {
    if (trial->verdict == experiment::Verdict::missed) found.push_back(trial->workers);
  }
  return found;
}

}  // namespace artel::plan
