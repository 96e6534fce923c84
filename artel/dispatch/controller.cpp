#include "artel/dispatch/controller.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/detail/water_fill.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/shares.hpp"

namespace artel::dispatch {

void Controller::join(WorkerId id, float weight, Instant now) {
  ARTEL_REQUIRE(weight > 0, "weight must be above 0", weight);
  if (index(id) >= queues_.size()) queues_.resize(index(id) + 1);
  QueueEstimate& worker = queues_[index(id)];
  if (!worker.member) change_members(members_ + 1);
  worker = QueueEstimate{.member = true, .back = now, .weight = weight, .expected_until = now};
}

void Controller::leave(WorkerId id) {
  if (!is_member(id)) return;
  queues_[index(id)].member = false;
  change_members(members_ - 1);
}

void Controller::report(const BeaconReport& report) {
  if (!is_member(report.worker)) return;  // it left while the beacon was under way
  QueueEstimate& worker = queues_[index(report.worker)];
  // What arrived since the last report is done by now, or still there.
  const double arrived = static_cast<double>(report.committed) + report.queued - worker.queued;
  worker.gap = report.back - worker.back;
  const double gap_s = to_seconds(worker.gap);
  const double window_s = kRateWindow * to_seconds(options_.beacon_every) * members_;
  const double keep = window_s / (window_s + gap_s);
  arrived_ = arrived_ * keep + arrived;
  worker_seconds_ = worker_seconds_ * keep + gap_s;

  worker.queued = report.queued;
  worker.committed = report.committed;
  worker.back = report.back;
  worker.expected = 0;
  worker.expected_until = report.back;
}

Shares Controller::publish(Instant now) {
  expect_arrivals(now);
  Shares shares(options_.law == Law::yawp ? yawp_weights() : level_weights(now));
  for (std::size_t i = 0; i < queues_.size(); ++i) queues_[i].share = shares.share(worker(i));
  return shares;
}

double Controller::arrival_rate() const {
  return worker_seconds_ > 0 ? std::max(0.0, arrived_ / worker_seconds_) * members_ : 0.0;
}

bool Controller::is_member(WorkerId id) const {
  return index(id) < queues_.size() && queues_[index(id)].member;
}

void Controller::change_members(std::uint32_t members) {
  // The same tasks arrive at more workers, or at fewer.
  if (members > 0 && members_ > 0) arrived_ *= static_cast<double>(members_) / members;
  members_ = members;
}

std::vector<double> Controller::yawp_weights() const {
  const auto raised = [](auto number) { return number > 0 ? static_cast<double>(number) : 1.0; };
  std::vector<double> weights(queues_.size());
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const QueueEstimate& worker = queues_[i];
    if (!worker.member) continue;
    weights[i] = raised(worker.committed) / (raised(worker.queued) * raised(worker.gap.count()));
  }
  return weights;
}

std::vector<double> Controller::level_weights(Instant now) const {
  double weight_total = 0;
  for (const QueueEstimate& worker : queues_) weight_total += worker.member ? worker.weight : 0;
  const double fair_per_weight = 1 / weight_total;
  const double rate = arrival_rate();
  const double arrivals = rate * to_seconds(options_.publish_every);

  std::vector<double> weights(queues_.size());
  std::vector<detail::Vessel> vessels(queues_.size());
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const QueueEstimate& worker = queues_[i];
    if (!worker.member) {
      vessels[i].height = std::numeric_limits<double>::infinity();
      continue;
    }
    const double fair_share = worker.weight * fair_per_weight;
    // Whoever has been silent for long gets no credit for work that nobody has seen.
    const Duration credited = std::min(now - worker.back, options_.beacon_every);
    const double departures = rate * fair_share * to_seconds(credited);
    const double queued = std::max(0.0, worker.queued + worker.expected - departures);
    vessels[i] = {queued / worker.weight, worker.weight};
    weights[i] = fair_share;
  }
  if (members_ == 0 || arrivals <= 0) return weights;

  const auto parts = detail::water_fill(vessels, arrivals);
  for (std::size_t i = 0; i < weights.size(); ++i)  // its fair share so far
    weights[i] = kShareMin * weights[i] + (1 - kShareMin) * parts[i] / arrivals;
  return weights;
}

void Controller::expect_arrivals(Instant now) {
  const double rate = arrival_rate();
  for (QueueEstimate& worker : queues_) {
    if (now <= worker.expected_until) continue;
    worker.expected += rate * worker.share * to_seconds(now - worker.expected_until);
    worker.expected_until = now;
  }
}

}  // namespace artel::dispatch
