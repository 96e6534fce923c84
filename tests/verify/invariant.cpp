#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/estimate.hpp"
#include "tests/verify/processor_sharing.hpp"
#include "tests/verify/system.hpp"

namespace artel::verify {
namespace {

using random::Distribution;

// Two policies give every task the same start: the statistics of their waits are equal to the last
// digit.
Check same_starts(std::string name, const scenario::PolicySpec& one,
                  const scenario::PolicySpec& other, const Distribution& service,
                  bool other_has_own_queues) {
  return {"sample path", std::move(name), true, [=](Seed seed) {
            SystemSpec system{.policy = one,
                              .service = service,
                              .workers = 8,
                              .load = 0.9,
                              .tasks = 200'000,
                              .seed = seed};
            const auto first = fleet::run_replication(scenario_of(system), one, {});
            system.own_queues = other_has_own_queues;
            const auto second = fleet::run_replication(scenario_of(system), other, {});
            const auto& a = first->wait;
            const auto& b = second->wait;
            const bool equal = std::pair{std::pair{a.mean, a.p50}, std::pair{a.p99, a.max}} ==
                               std::pair{std::pair{b.mean, b.p50}, std::pair{b.p99, b.max}};
            return Finding{.expected = b.mean, .got = a.mean, .pass = equal && a.max > 0};
          }};
}

Check little(const scenario::PolicySpec& policy, unsigned jobs) {
  return {"Little's law", "in system / (rate × response), " + policy.label, true, [=](Seed seed) {
            const SystemSpec system{
                .policy = policy,
                .service = *Distribution::hyperexponential({.mean = 1, .scv = 4}),
                .workers = 8,
                .load = 0.7,
                .tasks = 200'000,
                .seed = seed};
            const auto found =
                estimate(scenario_of(system), mean_of([](const fleet::Replication& r) {
                           const double rate = static_cast<double>(r.arrived) / r.window_s;
                           return r.in_system / (rate * r.response.mean);
                         }),
                         {.relative = 0.005, .jobs = jobs, .replications_min = 4});
            // What is in the system at both ends of the window differs by a few of its 180 000
            // tasks.
            return Finding{1, found.interval.center, found.interval.half_width,
                           std::abs(found.interval.center - 1) < 1e-3};
          }};
}

// JSQ(2), mean field: the share of workers with at least k tasks is load^(2^k - 1). Finite pools
// differ by O(1 / workers).
Check mean_field_tail(unsigned k, double load, unsigned jobs) {
  return {"JSQ(2) mean field", "share of workers with at least " + std::to_string(k) + " tasks",
          k <= 2, [=](Seed seed) {
            const SystemSpec system{.policy = labelled(dispatch::Jsq{.d = 2}),
                                    .service = *Distribution::exponential(1),
                                    .workers = 1000,
                                    .load = load,
                                    .tasks = 1'000'000,
                                    .seed = seed};
            const double expected = std::pow(load, std::pow(2, k) - 1);
            const auto found =
                estimate(scenario_of(system),
                         mean_of([=](const fleet::Replication& r) { return r.beyond[k - 1]; }),
                         {.relative = 0.005, .jobs = jobs, .replications_min = 4});
            const double tolerance = found.interval.half_width + 0.01 * expected;
            return Finding{expected, found.interval.center, found.interval.half_width,
                           std::abs(found.interval.center - expected) <= tolerance};
          }};
}

// A task goes to the less busy of one worker drawn and one remembered; who of them is less busy
// after that is remembered. Not pure: good for one run at a time.
dispatch::Custom remembering() {
  return {.function = [remembered = std::make_shared<WorkerId>(WorkerId{0})](
                          const dispatch::AnyLoads& loads,
                          const dispatch::Draw& draw) -> std::optional<WorkerId> {
            const auto before = *remembered;
            const auto drawn = dispatch::worker(dispatch::Dice(draw).below(loads.size()));
            const auto queued = loads.load(drawn).queued;
            const auto other = loads.load(before).queued;
            if (queued <= other) *remembered = drawn;
            return queued < other ? drawn : before;
          },
          .name = "one drawn, one remembered",
          .reads = dispatch::PolicyInputs{}};
}

// Luczak and Norris 2013: docs/decisions/policies-without-memory.md has the formula.
Check mean_field_memory(double load) {
  return {"memory", "one drawn, one remembered: mean response", true, [=](Seed seed) {
            double expected = 0;
            double remembered = 1;
            double before = 1;
            for (double share = load; share > 1e-12;) {
              expected += share / load;
              remembered *= share / (1 - before + share);
              before = std::exchange(share, load * remembered * share);
            }
            const SystemSpec system{.policy = labelled(remembering()),
                                    .service = *Distribution::exponential(1),
                                    .workers = 1000,
                                    .load = load,
                                    .tasks = 400'000,
                                    .seed = seed};
            const auto found =
                estimate(scenario_of(system),
                         measure_of(scenario::Quantity::response, scenario::Statistic::mean),
                         {.relative = 0.01, .jobs = 1, .replications_min = 4});
            const double tolerance = found.interval.half_width + 0.01 * expected;
            return Finding{expected, found.interval.center, found.interval.half_width,
                           std::abs(found.interval.center - expected) <= tolerance};
          }};
}

Check sharing(std::string name, const Distribution& service, unsigned jobs) {
  return {"processor sharing", "mean response at load 0.8, " + std::move(name), true,
          [=](Seed seed) {
            const auto interval = processor_sharing_response(service, 0.8, seed, jobs);
            return Finding{5, interval.center, interval.half_width, interval.contains(5)};
          }};
}

// One task of 0.6 s per second; of twenty seconds ten at speed 1, ten at 0.5. In the slow ones work
// piles up by 0.1 per second: the k-th task of them takes 1.2 + 0.2 k seconds, but for the last
// two, which end at full speed, 2.4 and 2.0; the first three after that 1.6, 1.2 and 0.8, seven
// 0.6.
Check slow_for_a_while() {
  return {
      "speeds by a file", "D/D/1, half as fast in ten of twenty seconds, mean response", true,
      [](Seed /*seed*/) {
        constexpr double kExpected = (15.2 + 2.4 + 2.0 + 1.6 + 1.2 + 0.8 + 7 * 0.6) / 20;
        const auto scenario =
            scenario::load_scenario(ARTEL_SOURCE_DIR "/tests/verify/speed_trace.toml");
        if (!scenario) {
          fmt::print(stderr, "verify: {}\n", to_string(scenario.error().front()));
          return Finding{.expected = kExpected, .got = NAN};
        }
        const auto& policy = scenario->dispatch.policies.front();
        const auto found =
            fleet::run_replication(*scenario, policy, {.warm_up = scenario->run.warm_up.duration});
        const double got = found ? found->response.mean : NAN;
        const bool right = std::abs(got - kExpected) < 1e-8;  // times are whole nanoseconds
        return Finding{
            .expected = kExpected, .got = got, .pass = right && fleet::is_exact(*scenario, policy)};
      }};
}

}  // namespace

std::vector<Check> invariant_checks(unsigned jobs) {
  const auto central = labelled(dispatch::LeastLoaded{});
  const auto lwl = labelled(dispatch::LeastWorkLeft{});
  std::vector<Check> checks{
      same_starts("least work left = one central queue", lwl, central,
                  *Distribution::hyperexponential({.mean = 1, .scv = 10}), false),
      same_starts("least work left = one central queue, exponential", lwl, central,
                  *Distribution::exponential(1), false),
      same_starts("constant service: round robin = least work left",
                  labelled(dispatch::RoundRobin{}), lwl, *Distribution::constant(1), true)};
  for (const auto& policy :
       {labelled(dispatch::Random{}), labelled(dispatch::RoundRobin{}),
        labelled(dispatch::Jsq{.d = 2}), labelled(dispatch::Jiq{}),
        labelled(dispatch::LeastLoaded{}), lwl, labelled(dispatch::ClosedLoop{})}) {
    checks.push_back(little(policy, jobs));
  }
  for (const unsigned k : {1U, 2U, 3U, 4U}) checks.push_back(mean_field_tail(k, 0.9, jobs));
  checks.push_back(mean_field_memory(0.9));
  checks.push_back(slow_for_a_while());
  checks.push_back(sharing("constant", *Distribution::constant(1), jobs));
  checks.push_back(sharing("exponential", *Distribution::exponential(1), jobs));
  checks.push_back(sharing("hyperexponential, SCV 10",
                           *Distribution::hyperexponential({.mean = 1, .scv = 10}), jobs));
  return checks;
}

}  // namespace artel::verify
