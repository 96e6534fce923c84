#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jiq.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/dispatch/shares.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/stat/interval.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/estimate.hpp"
#include "tests/verify/system.hpp"

namespace artel::verify {
namespace {

using random::Distribution;

// Figures that were simulated once, elsewhere: right to about this much.
constexpr double kTolerance = 0.03;

Finding compare(double expected, const stat::Interval& interval) {
  const double tolerance = kTolerance * expected + interval.half_width;
  return {expected, interval.center, interval.half_width,
          std::abs(interval.center - expected) <= tolerance};
}

struct EightWorkers {
  scenario::PolicySpec policy;
  bool own_queues;
  double exponential_mean, bursty_mean, bursty_p99;
};

Check eight_workers(const EightWorkers& row, bool bursty, bool p99, double expected,
                    unsigned jobs) {
  const std::string service = bursty ? "hyperexponential, SCV 10" : "exponential";
  return {"8 workers, load 0.8",
          (row.own_queues ? row.policy.label : "central queue") + ", " + service +
              (p99 ? ", p99 response" : ", mean response"),
          !bursty && row.exponential_mean < 4, [=](Seed seed) {
            const SystemSpec system{
                .policy = row.policy,
                .service = bursty ? *Distribution::hyperexponential({.mean = 1, .scv = 10})
                                  : *Distribution::exponential(1),
                .workers = 8,
                .load = 0.8,
                .own_queues = row.own_queues,
                .tasks = bursty ? 1'000'000U : 200'000U,
                .seed = seed};
            const auto found =
                estimate(scenario_of(system),
                         measure_of(scenario::Quantity::response,
                                    p99 ? scenario::Statistic::p99 : scenario::Statistic::mean),
                         {.jobs = jobs});
            return compare(expected, found.interval);
          }};
}

// Samples a worker with probability in proportion to 1 / (1 + queued).
dispatch::Custom inverse_length() {
  return {
      [](const dispatch::AnyLoads& loads, const dispatch::Draw& draw) -> std::optional<WorkerId> {
        std::vector<double> weights;
        weights.reserve(loads.size());
        for (std::size_t w = 0; w < loads.size(); ++w)
          weights.push_back(1.0 / (1 + loads.load(dispatch::worker(w)).queued));
        return dispatch::Shares(weights).sample(dispatch::Dice(draw).uniform());
      },
      "weights 1 / (1 + queued)"};
}

// 100 workers at load 0.9; the dispatchers see loads refreshed every `period` mean service times.
Check stale(const dispatch::Policy& policy, const std::string& label, double period,
            double expected, unsigned jobs) {
  return {"stale loads", fmt::format("{}, refreshed every {}, mean response", label, period),
          period == 1, [=](Seed seed) {
            SystemSpec system{.policy = labelled(policy),
                              .service = *Distribution::exponential(1),
                              .workers = 100,
                              .load = 0.9,
                              .tasks = 400'000,
                              .seed = seed};
            auto scenario = scenario_of(system);
            scenario.dispatch.staleness = from_seconds(period);
            const auto found = estimate(
                scenario, measure_of(scenario::Quantity::response, scenario::Statistic::mean),
                {.relative = 0.02, .jobs = jobs, .replications_min = 4});
            return compare(expected, found.interval);
          }};
}

std::vector<Check> stale_checks(unsigned jobs) {
  struct Row {
    double period, jsq, jsq2, basic_li, weights;
  };
  constexpr std::array<Row, 5> kRows{{{0.1, 1.53, 2.69, 1.47, 2.64},
                                      {1, 3.99, 2.97, 2.51, 3.00},
                                      {5, 12.0, 4.01, 3.99, 4.79},
                                      {10, 23.4, 5.09, 4.90, 7.87},
                                      {50, 0, 12.4, 7.38, 55.4}}};
  std::vector<Check> checks;
  for (const auto& row : kRows) {
    const std::array<std::tuple<dispatch::Policy, std::string, double>, 4> columns{
        {{dispatch::Jsq{.d = dispatch::Jsq::kAll}, "JSQ", row.jsq},
         {dispatch::Jsq{.d = 2}, "JSQ(2)", row.jsq2},
         {dispatch::ClosedLoop{}, "closed loop, level (Basic LI)", row.basic_li},
         {inverse_length(), "weights 1 / (1 + queued)", row.weights}}};
    for (const auto& [policy, label, expected] : columns) {
      if (expected > 0) checks.push_back(stale(policy, label, row.period, expected, jobs));
    }
  }
  return checks;
}

// 16 workers at load 0.8 under a closed loop; random gives 5.05. `better` says which side of
// `bound` is right.
Check closed_loop(dispatch::Law law, double period, double bound, bool better, unsigned jobs) {
  const auto name = fmt::format("closed loop, {}, beacons every {}: mean response {} {}",
                                dispatch::name(law), period, better ? "below" : "above", bound);
  return {"closed loop", name, period == 2, [=](Seed seed) {
            const auto every = from_seconds(period);
            const SystemSpec system{.policy = labelled(dispatch::ClosedLoop{
                                        .law = law, .beacon_every = every, .publish_every = every}),
                                    .service = *Distribution::exponential(1),
                                    .workers = 16,
                                    .load = 0.8,
                                    .tasks = 400'000,
                                    .seed = seed};
            const auto found =
                estimate(scenario_of(system),
                         measure_of(scenario::Quantity::response, scenario::Statistic::mean),
                         {.relative = better ? 0.01 : 0.5,
                          .jobs = jobs,
                          .replications_min = 8,
                          .replications_max = 64});
            const auto& interval = found.interval;
            return Finding{bound, interval.center, interval.half_width,
                           better ? interval.center < bound : interval.center > bound};
          }};
}

}  // namespace

std::vector<Check> table_checks(unsigned jobs) {
  const std::array<EightWorkers, 6> rows{
      {{labelled(dispatch::Random{}), true, 5.01, 23.1, 138},
       {labelled(dispatch::RoundRobin{}), true, 2.98, 20.9, 127},
       {labelled(dispatch::Jsq{.d = 2}), true, 2.22, 6.11, 50},
       {labelled(dispatch::Jiq{}), true, 1.63, 4.60, 50},
       {labelled(dispatch::LeastLoaded{}), true, 1.46, 2.83, 34},
       {labelled(dispatch::LeastLoaded{}), false, 1.29, 2.25, 20}}};
  std::vector<Check> checks;
  for (const auto& row : rows) {
    checks.push_back(eight_workers(row, false, false, row.exponential_mean, jobs));
    checks.push_back(eight_workers(row, true, false, row.bursty_mean, jobs));
    checks.push_back(eight_workers(row, true, true, row.bursty_p99, jobs));
  }
  for (auto& check : stale_checks(jobs)) checks.push_back(std::move(check));
  // The law to recommend beats random at every period; the published one is far worse than random
  // at every period.
  constexpr double kRandom = 5.05;
  for (const double period : {0.2, 2.0, 20.0, 200.0}) {
    checks.push_back(closed_loop(dispatch::Law::level, period, kRandom, true, jobs));
    checks.push_back(closed_loop(dispatch::Law::yawp, period, 10 * kRandom, false, jobs));
  }
  return checks;
}

}  // namespace artel::verify
