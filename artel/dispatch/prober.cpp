#include "artel/dispatch/prober.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/covering.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/rounded_digit.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/dispatch/probe_pool.hpp"

namespace artel::dispatch {
namespace {

// Who has so many is hot: one more than the quantile of these, which ascend.
std::uint32_t above_quantile(const std::vector<std::uint32_t>& ascending, double quantile) {
  if (quantile <= 0) return 0;
  if (quantile >= 1) return kUnbounded;
  return ascending[covering(quantile, ascending.size()) - 1] + 1;
}

}  // namespace

Prober::Prober(const Prequal& policy) : policy_(policy) {
  pool_.probes.reserve(policy.pool + 1);
  recent_.reserve(kRecent);
  ordered_.reserve(kRecent);
}

const ProbePool& Prober::pool(Instant now) {
  std::erase_if(pool_.probes,
                [&](const Probe& probe) { return now - probe.taken > policy_.max_age; });
  return pool_;
}

std::size_t Prober::due(double& left, double rate) {
  left += rate;
  const double whole = near_floor(left);
  left -= whole;
  return static_cast<std::size_t>(whole);
}

std::uint32_t Prober::uses(std::size_t workers, Dice& dice) const {
  const double known = static_cast<double>(policy_.pool) / static_cast<double>(workers);
  const double gained = (1 - known) * policy_.r_probe - policy_.r_remove;
  if (gained <= 0) return kUnbounded;
  constexpr double kMost = 1e9;
  const double mean = std::min(kMost, std::max(1.0, (1 + policy_.delta) / gained));
  const double whole = std::floor(mean);
  return static_cast<std::uint32_t>(whole) + (dice.uniform() < mean - whole ? 1 : 0);
}

// Of a task that comes now.
Duration Prober::expected_latency(const Load& load, Instant now) const {
  const Duration per_task = latency_now(load, now, policy_.decay, policy_.initial);
  return from_seconds(to_seconds(per_task) * (load.queued + 1.0));
}

void Prober::forget(std::optional<WorkerId> chosen) {
  auto& probes = pool_.probes;
  const auto used =
      std::ranges::find_if(probes, [&](const Probe& probe) { return chosen == probe.worker; });
  if (used != probes.end()) {
    ++used->queued;
    if (used->uses != kUnbounded) --used->uses;
    if (used->uses == 0) probes.erase(used);
  }
  for (auto left = due(removals_due_, policy_.r_remove); left > 0 && !probes.empty(); --left) {
    const auto worst = std::ranges::max_element(
        probes, [&](const Probe& a, const Probe& b) { return pool_.better(a, b); });
    probes.erase(oldest_next_ ? probes.begin() : worst);
    oldest_next_ = !oldest_next_;
  }
}

void Prober::answered(const Probe& probe) {
  if (recent_.size() < kRecent) {
    recent_.push_back(probe.queued);
  } else {
    ordered_.erase(std::ranges::lower_bound(ordered_, recent_[oldest_]));
    recent_[oldest_] = probe.queued;
    oldest_ = (oldest_ + 1) % kRecent;
  }
  ordered_.insert(std::ranges::upper_bound(ordered_, probe.queued), probe.queued);
  pool_.hot_from = above_quantile(ordered_, policy_.q_rif);

  auto& probes = pool_.probes;
  std::erase_if(probes, [&](const Probe& old) { return old.worker == probe.worker; });
  if (probes.size() == policy_.pool) probes.erase(probes.begin());
  probes.push_back(probe);
}

}  // namespace artel::dispatch
