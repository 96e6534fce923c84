#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "artel/dispatch/policy.hpp"
#include "artel/lab/replication.hpp"
#include "artel/random/distribution.hpp"
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
  lab::PolicySpec policy;
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
            const auto found = estimate(
                scenario_of(system),
                [p99](const lab::Replication& r) { return p99 ? r.response.p99 : r.response.mean; },
                {.jobs = jobs});
            return compare(expected, found.interval);
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
  return checks;
}

}  // namespace artel::verify
