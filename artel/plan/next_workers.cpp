#include "artel/plan/next_workers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

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
  if (confirmed) return std::nullopt;
  return candidate + 1;
}

std::optional<std::uint32_t> smallest_met(std::span<const PlanTrial> trials) {
  const auto count = met_at_the_end(trials);
  if (count == 0) return std::nullopt;
  return trials[trials.size() - count].workers;
}

bool monotone(std::span<const PlanTrial> trials) {
  const auto rest = trials.first(trials.size() - met_at_the_end(trials));
  return std::none_of(rest.begin(), rest.end(), met);
}

}  // namespace artel::plan
