#include "two_tiers.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>

#include "artel/core/instant.hpp"
#include "artel/own_models/model_report.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;

constexpr Instant kSlowFrom{20s};
constexpr Instant kSlowUntil{30s};
constexpr Instant kEnd{100s};

struct Tiers {
  const own_models::ModelRun& run;
  own_models::ModelReport report{run};
  sim::Resource front{500};  // threads: a request has one until its answer is there
  sim::Resource back{10};    // workers
  random::Stream gaps{run.seed, "gaps"};
  random::Stream services{run.seed, "services"};
  double retry_tokens = 0;
  std::uint64_t calls = 0;
  sim::Tally before;  // of 1 for a request that got its answer, 0 for one that did not
  sim::Tally after;
};

double exponential(random::Stream& of, double mean) { return -mean * std::log(1 - of.uniform()); }

// [tiers]
// It works for whoever has called, also when nobody waits any more: it cannot know.
sim::Task<> back_end(sim::Context& self, Tiers& tiers) {
  const sim::Lease worker = co_await tiers.back.acquire();
  const bool slow = kSlowFrom <= self.now() && self.now() < kSlowUntil;
  co_await self.sleep(from_seconds(exponential(tiers.services, slow ? 0.5 : 0.1)));
}

sim::Task<> request(sim::Context& self, Tiers& tiers) {
  const Instant arrival = self.now();
  const auto count = [&](bool answered) {
    if (Instant{10s} <= arrival && arrival < kSlowFrom) tiers.before.add(answered ? 1 : 0);
    if (Instant{70s} <= arrival && arrival < Instant{95s}) tiers.after.add(answered ? 1 : 0);
    if (answered) tiers.report.times("response").add(self.now() - arrival, self.now());
  };
  const sim::Lease thread = co_await tiers.front.acquire();
  tiers.retry_tokens += tiers.run.parameters["budget"];
  for (std::uint64_t attempt = 0; attempt <= tiers.run.parameters.whole("retries"); ++attempt) {
    if (attempt > 0 && tiers.retry_tokens < 1) break;
    if (attempt > 0) tiers.retry_tokens -= 1;
    ++tiers.calls;
    const auto work = self.spawn(back_end(self, tiers));
    const auto limit = tiers.run.parameters.duration("timeout");
    if (const auto answer = co_await sim::with_timeout(work.join(), limit)) co_return count(true);
  }
  count(false);
}
// [/tiers]

sim::Task<> requests(sim::Context& self, Tiers& tiers) {
  while (true) {  // 10 workers do 100 per second
    co_await self.sleep(
        from_seconds(exponential(tiers.gaps, 1 / (100 * tiers.run.parameters["load"]))));
    self.spawn(request(self, tiers));
  }
}

own_models::ModelReport overload(const own_models::ModelRun& run) {
  Tiers tiers{run};
  sim::Simulation simulation({.seed = run.seed});
  sim::Context& world = simulation.add_context("world");
  world.spawn(requests(world, tiers));
  simulation.run_until(kEnd);
  tiers.report.set("answered before", tiers.before.moments().mean());
  tiers.report.set("answered after", tiers.after.moments().mean());
  tiers.report.set("calls", static_cast<double>(tiers.calls));
  return tiers.report;
}

}  // namespace

own_models::ModelStudy two_tiers() {
  return {.name = "Two tiers",
          .model = overload,
          .parameters = {{"load", 0.7}, {"timeout", 1}, {"retries", 0}, {"budget", 1e9}},
          .variants = {{.name = "no retries", .changes = {}},
                       {.name = "3 retries", .changes = {{"retries", 3}}},
                       {.name = "10% retries", .changes = {{"retries", 3}, {"budget", 0.1}}}},
          .sweep = {{.parameter = "load", .values = {0.2, 0.4, 0.6, 0.8}}},
          .replications = 5,
          .figures = {"answered before", "answered after", "calls"}};
}
