#include "artel/dispatch/controller.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/detail/water_level.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/shares.hpp"

namespace artel::dispatch {

void Controller::join(WorkerId id, float weight, Instant now) {
  ARTEL_REQUIRE(weight > 0, "weight must be above 0", weight);
  if (index(id) >= queues_.size()) {
    queues_.resize(index(id) + 1);
    reports_.resize(index(id) + 1);
  }
  QueueEstimate& worker = queues_[index(id)];
  if (worker.weight == 0) change_members(members_ + 1);
  worker = QueueEstimate{.expected_until = now, .back = now, .weight = weight};
  reports_[index(id)] = {};
  weight_total_ = 0;
}

void Controller::leave(WorkerId id) {
  if (!is_member(id)) return;
  queues_[index(id)].weight = 0;
  weight_total_ = 0;
  change_members(members_ - 1);
}

void Controller::report(const BeaconReport& report) {
  if (!is_member(report.worker)) return;  // it left while the beacon was under way
  QueueEstimate& worker = queues_[index(report.worker)];
  // What arrived since the last report is done by now, or still there.
  const double arrived = static_cast<double>(report.committed) + report.queued - worker.queued;
  const Duration gap = report.back - worker.back;
  const double gap_s = to_seconds(gap);
  const double window_s = kRateWindow * to_seconds(options_.beacon_every) * members_;
  const double keep = window_s / (window_s + gap_s);
  arrived_ = arrived_ * keep + arrived;
  worker_seconds_ = worker_seconds_ * keep + gap_s;

  worker.queued = report.queued;
  worker.back = report.back;
  worker.expected = 0;
  worker.expected_until = report.back;
  if (options_.law == Law::yawp)
    reports_[index(report.worker)] = {.committed = report.committed, .gap = gap};
}

Shares Controller::publish(Instant now) {
  weights_.resize(queues_.size());
  if (options_.law == Law::yawp) {
    yawp_weights();
    return Shares(weights_);
  }
  level_weights(now);
  Shares shares(weights_);
  for (std::size_t i = 0; i < queues_.size(); ++i) queues_[i].share = shares.share(worker(i));
  return shares;
}

double Controller::arrival_rate() const {
  return worker_seconds_ > 0 ? std::max(0.0, arrived_ / worker_seconds_) * members_ : 0.0;
}

bool Controller::is_member(WorkerId id) const {
  return index(id) < queues_.size() && queues_[index(id)].weight > 0;
}

void Controller::change_members(std::uint32_t members) {
  // The same tasks arrive at more workers, or at fewer.
  if (members > 0 && members_ > 0) arrived_ *= static_cast<double>(members_) / members;
  members_ = members;
}

void Controller::yawp_weights() {
  const auto raised = [](auto number) { return number > 0 ? static_cast<double>(number) : 1.0; };
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const QueueEstimate& worker = queues_[i];
    const LastReport& last = reports_[i];
    weights_[i] = worker.weight == 0
                      ? 0
                      : raised(last.committed) / (raised(worker.queued) * raised(last.gap.count()));
  }
}

void Controller::level_weights(Instant now) {
  if (weight_total_ == 0) {
    for (const QueueEstimate& worker : queues_) weight_total_ += worker.weight;
  }
  const double fair_per_weight = 1 / weight_total_;
  const double rate = arrival_rate();
  const double arrivals = rate * to_seconds(options_.publish_every);
  double volume = arrivals;  // as if all queues were to rise: a level to begin with

  vessels_.resize(queues_.size());
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    QueueEstimate& worker = queues_[i];
    if (worker.weight == 0) {
      weights_[i] = 0;
      vessels_[i] = {.height = std::numeric_limits<double>::infinity()};
      continue;
    }
    if (now > worker.expected_until) {
      worker.expected += rate * worker.share * to_seconds(now - worker.expected_until);
      worker.expected_until = now;
    }
    const double weight = worker.weight;
    const double fair_share = weight * fair_per_weight;
    // Whoever has been silent for long gets no credit for work that nobody has seen.
    const Duration credited = std::min(now - worker.back, options_.beacon_every);
    const double departures = rate * fair_share * to_seconds(credited);
    const double queued = std::max(0.0, worker.queued + worker.expected - departures);
    vessels_[i] = {weight == 1 ? queued : queued / weight, weight};
    volume += vessels_[i].height * weight;
    weights_[i] = fair_share;
  }
  if (members_ == 0 || arrivals <= 0) return;

  const double level = detail::water_level(vessels_, arrivals, volume / weight_total_, wet_);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double part = std::max(0.0, level - vessels_[i].height) * vessels_[i].width;
    weights_[i] = kShareMin * weights_[i] + (1 - kShareMin) * part / arrivals;
  }
}

}  // namespace artel::dispatch
