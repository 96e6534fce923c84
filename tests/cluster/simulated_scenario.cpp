#include "tests/cluster/simulated_scenario.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"

namespace artel::cluster::simulated {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, Fault::kKinds> kNames{
    "worker killed", "worker paused",  "worker cut",    "worker mute", "worker deaf",
    "worker leaves", "master paused",  "master cut",    "master mute", "master deaf",
    "master killed", "server stopped", "server killed", "store lost",  "queue silent",
    "passed over",   "end lost",       "worker ended",  "queue full",  "server deaf"};

constexpr int kShrinkingMax = 100;  // scenarios looked at

Duration between(random::Stream& dice, Duration low, Duration high) {
  return low + Duration(static_cast<Duration::rep>(
                   dice.below(static_cast<std::uint64_t>((high - low).count()) + 1)));
}

}  // namespace

Scenario scenario_of(std::uint64_t seed) {
  random::Stream dice(Seed{seed}, "scenario");
  Scenario made;
  made.seed = seed;
  made.masters = 1 + dice.below(2);
  made.workers = 1 + dice.below(4);
  made.strangers = dice.below(4) == 0 ? 1 + dice.below(2) : 0;
  made.upgrade = made.strangers > 0 && made.masters > 1;
  made.threads = 1 + static_cast<unsigned>(dice.below(2));
  made.chunks = 1 + dice.below(24);
  made.work = between(dice, 1ms, 200ms);
  made.own_queues = dice.below(4) == 0;
  made.deadly = dice.below(20) == 0;
  made.skewed = dice.below(2) == 0;
  made.latency = between(dice, 50us, 2ms);
  made.jitter = dice.below(2) == 0 ? between(dice, 0us, 5ms) : Duration{};
  if (dice.below(8) == 0) made.loss = dice.uniform() * 0.05;
  if (dice.below(4) == 0) made.doubles = dice.uniform() * 0.1;
  const std::size_t faults = dice.below(4);
  for (std::size_t i = 0; i < faults; ++i) {
    made.faults.push_back({.kind = static_cast<Fault::Kind>(dice.below(Fault::kDrawn)),
                           .at = Instant{} + between(dice, 0ms, 1500ms),
                           .lasts = between(dice, 10ms, 3s),
                           .who = dice.below(8)});
  }
  if (made.deadly) made.tries = 1 + static_cast<unsigned>(dice.below(3));
  random::Stream more(Seed{seed}, "more of the scenario");  // seeds keep what they had
  if (more.below(3) == 0) made.failing = 1 + static_cast<unsigned>(more.below(3));
  if (more.below(8) == 0) made.unposted = more.uniform() * 0.1;
  if (made.deadly) made.unposted = 0;  // each costs a try
  if (more.below(16) == 0) made.damaged = more.uniform() * 0.1;
  made.needs = more.below(2) == 0;
  made.asks = more.below(2) == 0;
  made.beacons = made.own_queues && more.below(3) == 0;
  if (more.below(4) == 0) {
    constexpr int kMore = Fault::kKinds - static_cast<int>(Fault::Kind::worker_ended);
    const auto kind =
        static_cast<int>(Fault::Kind::worker_ended) + static_cast<int>(more.below(kMore));
    made.faults.push_back({.kind = static_cast<Fault::Kind>(kind),
                           .at = Instant{} + between(more, 0ms, 1500ms),
                           .lasts = between(more, 10ms, 3s),
                           .who = more.below(8),
                           .period = between(more, 200ms, 2s)});
  }
  return made;
}

std::string describe(const Scenario& scenario) {
  std::string text = fmt::format(
      "seed {}: {} masters with {} chunks of about {}, {} workers with {} threads, {} "
      "strangers{}{}{}{}{}{}{}, {} tries, {} fail, {:.3f} not posted, {:.3f} damaged, "
      "latency {} + {}, {:.3f} lost, {:.3f} twice",
      scenario.seed, scenario.masters, scenario.chunks, format_duration(scenario.work),
      scenario.workers, scenario.threads, scenario.strangers,
      scenario.upgrade ? " who work for the second master" : "",
      scenario.own_queues ? ", own queues" : "", scenario.deadly ? ", a deadly chunk" : "",
      scenario.skewed ? ", clocks differ" : "", scenario.beacons ? ", beacons" : "",
      scenario.needs ? ", needs" : "", scenario.hasty ? ", hasty" : "", scenario.tries,
      scenario.failing, scenario.unposted, scenario.damaged, format_duration(scenario.latency),
      format_duration(scenario.jitter), scenario.loss, scenario.doubles);
  for (const Fault& fault : scenario.faults) {
    text += fmt::format("\n  at {}, for {}: {} ({})", format_duration(fault.at.time_since_epoch()),
                        format_duration(fault.lasts), kNames[static_cast<std::size_t>(fault.kind)],
                        fault.who);
  }
  return text;
}

Scenario shrunk(Scenario scenario) {
  bool smaller = true;
  int tries = kShrinkingMax;
  const auto keep_if_fails = [&](const Scenario& next) {
    if (--tries < 0 || check(next).problems.empty()) return;
    scenario = next;
    smaller = true;
  };
  while (std::exchange(smaller, false)) {
    for (std::size_t i = scenario.faults.size(); i-- > 0;) {
      Scenario next = scenario;
      next.faults.erase(next.faults.begin() + static_cast<std::ptrdiff_t>(i));
      keep_if_fails(next);
    }
    const auto less = [&](auto member, auto value) {
      Scenario next = scenario;
      if (next.*member <= value) return;
      next.*member = value;
      keep_if_fails(next);
    };
    less(&Scenario::chunks, std::max<std::size_t>(1, scenario.chunks / 2));
    less(&Scenario::chunks, std::max<std::size_t>(1, scenario.chunks - 1));
    less(&Scenario::workers, std::max<std::size_t>(1, scenario.workers - 1));
    less(&Scenario::masters, std::size_t{1});
    if (scenario.masters == 1) less(&Scenario::upgrade, false);
    less(&Scenario::strangers, std::size_t{scenario.upgrade ? 1U : 0U});
    less(&Scenario::threads, 1U);
    less(&Scenario::jitter, Duration{});
    less(&Scenario::loss, 0.0);
    less(&Scenario::doubles, 0.0);
    less(&Scenario::skewed, false);
    less(&Scenario::own_queues, false);
    less(&Scenario::deadly, false);
    less(&Scenario::beacons, false);
    less(&Scenario::needs, false);
    less(&Scenario::asks, false);
    less(&Scenario::failing, 0U);
    less(&Scenario::unposted, 0.0);
    less(&Scenario::damaged, 0.0);
  }
  return scenario;
}

}  // namespace artel::cluster::simulated
