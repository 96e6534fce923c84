#include "tests/verify/load_ramp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/dispatch/prequal.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/workload.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/estimate.hpp"

namespace artel::verify {
namespace {

// Its p99.9 is at the deadline if one request in a thousand, or more, is not answered by then.
constexpr double kAtDeadline = 0.001;
constexpr std::uint32_t kReplications = 4;

enum class Fate : std::uint8_t { below_deadline, at_deadline, no_errors };

Check check_of(scenario::Scenario scenario, double load, Fate fate, unsigned jobs) {
  auto& arrivals = std::get<scenario::PoissonArrivals>(scenario.workload.arrivals);
  const auto servers = static_cast<double>(scenario.pool.speeds.size());
  arrivals.rate = load * servers / scenario.workload.mean_service_s;
  constexpr double kLengthSeconds = 300;
  scenario.run.tasks = static_cast<std::uint64_t>(arrivals.rate * kLengthSeconds);
  const double bound = fate == Fate::no_errors ? 0 : kAtDeadline;
  const auto wanted = fate == Fate::no_errors     ? std::string("none")
                      : fate == Fate::at_deadline ? fmt::format("{} or more", bound)
                                                  : fmt::format("below {}", bound);
  const auto name = fmt::format("{} at load {:.2f}: share of requests past the deadline, {}",
                                scenario.dispatch.policies.front().label, load, wanted);
  return {"load ramp", name, false, [=, scenario = std::move(scenario)](Seed seed) {
            auto seeded = scenario;
            seeded.run.seed = seed;
            const auto found = estimate(seeded, mean_of([](const fleet::Replication& r) {
                                          return value_of(r, scenario::Quantity::failed,
                                                          scenario::Statistic::mean);
                                        }),
                                        {.relative = 1,
                                         .jobs = jobs,
                                         .replications_min = kReplications,
                                         .replications_max = kReplications});
            const auto& interval = found.interval;
            const bool pass = fate == Fate::no_errors     ? interval.center == 0
                              : fate == Fate::at_deadline ? interval.low() >= bound
                                                          : interval.high() < bound;
            return Finding{bound, interval.center, interval.half_width, pass};
          }};
}

}  // namespace

Result<std::vector<Check>> load_ramp_checks(const std::filesystem::path& file, unsigned jobs) {
  const auto scenario = scenario::load_scenario(file);
  if (!scenario) return fail(scenario.error().front().code, to_string(scenario.error().front()));
  std::vector<Check> checks;
  for (int step = 0; step <= 8; ++step) {
    const double load = 0.75 * std::pow(10.0 / 9, step);
    for (const auto& policy : scenario->dispatch.policies) {
      auto one = *scenario;
      one.dispatch.policies = {policy};
      const bool prequal = std::holds_alternative<dispatch::Prequal>(policy.policy);
      checks.push_back(check_of(std::move(one), load,
                                prequal     ? Fate::no_errors
                                : load >= 1 ? Fate::at_deadline
                                            : Fate::below_deadline,
                                jobs));
    }
  }
  return checks;
}

}  // namespace artel::verify
