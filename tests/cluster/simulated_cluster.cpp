#include "tests/cluster/simulated_cluster.hpp"

#include <chrono>
#include <cmath>

#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/random/stream.hpp"
#include "tests/cluster/simulated_queue.hpp"
#include "tests/cluster/simulated_scenario.hpp"

namespace artel::cluster::simulated {

QueueOptions queue_options(const Scenario& scenario) {
  QueueOptions options{.lease = kLease, .tries = scenario.tries};
  if (!scenario.speculates) options.speculation = 0;
  if (scenario.own_queues) options.dispatch = dispatch::LeastLoaded{};
  if (scenario.sampled) options.dispatch = dispatch::Jsq{.d = 2};
  if (scenario.beacons) options.dispatch = dispatch::ClosedLoop{};
  if (scenario.needs) options.needs = {"gpu"};
  if (scenario.hasty) {
    options.worker_timeout = std::chrono::seconds(1);
    options.patience = std::chrono::milliseconds(300);
  }
  return check(options).value();
}

Client::Client(World& world, ClientId id) : world_(world), id_(id) {
  if (!world.scenario.skewed) return;
  offset_ = Duration(std::chrono::seconds(world.dice.below(1'000'000)));
  speed_ = 0.99 + world.dice.uniform() * 0.02;
}

Instant Client::local(Instant time) const {
  const auto passed = static_cast<double>(time.time_since_epoch().count()) * speed_;
  return Instant(offset_ + Duration(static_cast<Duration::rep>(passed)));
}

Instant Client::global(Instant time) const {
  if (time == kNever) return kNever;
  const auto passed = static_cast<double>((time.time_since_epoch() - offset_).count()) / speed_;
  return Instant(Duration(static_cast<Duration::rep>(std::ceil(passed))));
}

}  // namespace artel::cluster::simulated
