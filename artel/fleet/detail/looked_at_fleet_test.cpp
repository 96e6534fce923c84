// A host that sees its fleet only in looks (a pool of threads, workers of a cluster) decides as the
// simulator does, which knows every event.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/membership.hpp"
#include "artel/fleet/detail/fleet_scaler.hpp"
#include "artel/scaling/fleet_meter.hpp"
#include "artel/scaling/fleet_roster.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"

namespace artel::fleet::detail {
namespace {

using namespace std::chrono_literals;

constexpr dispatch::SizeLimits kSizes{1, 6};
constexpr Duration kLookPause = 125ms;  // between looks, and of all service times a divisor
constexpr int kLooksInPeriod = 8;       // in a period

std::vector<scaling::ScalingPolicy> looking_policies() {
  const scaling::Hpa by_system{.period = 1s,
                               .metric = scaling::ScalingMetric::in_system,
                               .target = 1.5,
                               .stabilisation_down = 4s,
                               .up = {.workers = 2, .within = 2s},
                               .down = {.within = 2s}};
  auto by_service = by_system;
  by_service.metric = scaling::ScalingMetric::in_service;
  by_service.target = 0.7;
  auto by_arrivals = by_system;
  by_arrivals.metric = scaling::ScalingMetric::arrivals;
  by_arrivals.target = 3;
  return {by_system,
          by_service,
          by_arrivals,
          scaling::Keda{.hpa = by_system, .polling = 2s, .cooldown = 4s},
          scaling::Knative{.period = 1s,
                           .target = 1.5,
                           .stable_window = 6s,
                           .panic_window_percent = 34,
                           .zero_grace = 1s},
          scaling::Timetable{.period = 1s, .day = 8s, .entries = {{Duration{}, 2}, {4s, 5}}},
          scaling::Predictive{.period = 1s, .window = 6s, .lead = 2s, .hold = 3s}};
}

// Tasks that come and go at the moments of the looks, told to a FleetScaler one by one, to a
// FleetMeter in sums.
class ToldFleet {
 public:
  ToldFleet(FleetScaler& simulated, std::uint32_t seed) : simulated_(simulated), dice_(seed) {}

  // What happens until the next look, with so many workers; and that look.
  scaling::FleetLook step(std::uint32_t workers) {
    for (auto& left : running_) left -= kLookPause;
    end_tasks();
    for (auto count = dice_() % (busy_times() ? 4 : 2); count > 0; --count) {
      simulated_.arrived();
      simulated_.entered(now_);
      ++arrived_;
      ++waiting_;
    }
    while (waiting_ > 0 && running_.size() < workers) {
      --waiting_;
      simulated_.busy(now_, 1);
      sizes_.push_back(kLookPause * (1 + dice_() % 6));
      running_.push_back(sizes_.back());
    }
    now_ += kLookPause;
    busy_ += kLookPause * running_.size();
    return {.at = Instant{100s + now_.time_since_epoch()},
            .in_system = static_cast<double>(waiting_ + running_.size()),
            .waiting = static_cast<double>(waiting_),
            .arrived = static_cast<double>(arrived_),
            .busy_s = to_seconds(busy_),
            .measured = static_cast<double>(ended_),
            .service_s = to_seconds(service_)};
  }
  [[nodiscard]] Instant now() const { return now_; }

 private:
  [[nodiscard]] bool busy_times() const { return now_.time_since_epoch() / 20s % 2 == 1; }
  void end_tasks() {
    for (std::size_t i = running_.size(); i-- > 0;) {
      if (running_[i] > Duration{}) continue;
      simulated_.busy(now_, -1);
      simulated_.left(now_);
      simulated_.served(sizes_[i]);
      service_ += sizes_[i];
      ++ended_;
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      sizes_.erase(sizes_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  FleetScaler& simulated_;
  std::mt19937 dice_;
  Instant now_{};
  std::uint64_t waiting_ = 0;
  std::vector<Duration> running_;  // what is left of each
  std::vector<Duration> sizes_;
  std::uint64_t arrived_ = 0;
  std::uint64_t ended_ = 0;
  Duration busy_{};
  Duration service_{};
};

// A host that starts and ends at once whom it is told to.
void carry_out(scaling::FleetRoster& roster, Instant now, scaling::FleetRoster::WorkerName& next) {
  const auto changes = roster.changes(now);
  for (std::uint32_t i = 0; i < changes.starts; ++i) {
    roster.started(next);
    roster.answered(next++, 0);
  }
  for (const auto worker : changes.ends) {
    roster.asked_to_leave(worker);
    roster.gone(worker, now);
  }
}

void expect_same_decisions(const scaling::ScalingPolicy& policy, const std::string& where) {
  scenario::Scenario scenario;
  scenario.pool.scaling = scenario::ScalingSettings{.policy = policy, .limits = kSizes};
  FleetScaler simulated(scenario, 0);
  scaling::Scaler scaler(policy, kSizes);
  scaling::FleetMeter meter({.at = Instant{100s}});
  scaling::FleetRoster roster(kSizes.max);
  scaling::FleetRoster::WorkerName next = 1;
  std::set<std::uint32_t> sizes;
  ToldFleet fleet(simulated, 7);
  roster.resize(2);
  carry_out(roster, {}, next);
  for (int step = 1; step <= 100 * kLooksInPeriod; ++step) {
    meter.look(fleet.step(roster.size()));
    if (meter.looks() < kLooksInPeriod) continue;
    auto looked = meter.sample();
    auto known = simulated.sample(fleet.now());
    looked.workers = known.workers = roster.size();
    looked.ready = known.ready = roster.ready();
    ASSERT_EQ(looked.at, known.at) << where;
    ASSERT_DOUBLE_EQ(looked.in_service, known.in_service) << where;
    ASSERT_DOUBLE_EQ(looked.in_system, known.in_system) << where;
    ASSERT_DOUBLE_EQ(looked.waiting, known.waiting) << where;
    ASSERT_DOUBLE_EQ(looked.arrivals, known.arrivals) << where;
    ASSERT_NEAR(looked.service_s, known.service_s, 1e-9) << where;
    const auto size = scaler.size_for(looked);
    ASSERT_EQ(size, simulated.size_for(known, false)) << where << to_seconds(known.at);
    roster.resize(size);
    carry_out(roster, fleet.now(), next);
    ASSERT_EQ(roster.present(), size) << where;
    ASSERT_EQ(roster.ready(), size) << where;
    sizes.insert(size);
  }
  EXPECT_GE(sizes.size(), 2U) << where << "always the same size";
}

TEST(ScalingDifferential, WhoLooksAtAFleetDecidesAsTheSimulatorDoes) {
  int number = 0;
  for (const auto& policy : looking_policies()) {
    expect_same_decisions(policy, scaling::name(policy) + " " + std::to_string(++number) + " ");
  }
}

}  // namespace
}  // namespace artel::fleet::detail
