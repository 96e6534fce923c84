#include "tests/verify/retry_storm.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/objective.hpp"
#include "artel/scenario/scenario.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/estimate.hpp"

namespace artel::verify {
namespace {

// While every try times out, a request is 1 + retries tasks of which none is any use: the queue
// gets shorter below a load of 1 / (1 + retries) only. With a budget of b retries per request that
// is 1 / (1 + b).
struct Setting {
  std::uint32_t retries;
  std::optional<double> budget;
  std::uint32_t workers;
  bool recovers;
  bool quick = false;
};
constexpr double kBusy = 10;  // workers, by the scenario's rate outside of the burst

Check check_of(scenario::Scenario scenario, const Setting& setting, unsigned jobs) {
  auto& callers = scenario.workload.callers;
  callers.retry.most = setting.retries;
  callers.budget = setting.budget;
  scenario.pool.speeds.assign(setting.workers, 1.0);
  scenario.pool.queue_bounds.assign(setting.workers, 1);
  const double per_request = 1 + setting.budget.value_or(setting.retries);
  const auto name = fmt::format(
      "{} at load {:.3f}, limit {:.3f}: share that failed {}",
      setting.budget ? fmt::format("retries for {} of requests", *setting.budget)
                     : fmt::format("{} retries", setting.retries),
      kBusy / setting.workers, 1 / per_request, setting.recovers ? "below 0.3" : "above 0.7");
  return {"storm", name, setting.quick, [=](Seed seed) {
            auto seeded = scenario;
            seeded.run.seed = seed;
            const auto found = estimate(seeded, mean_of([](const fleet::Replication& r) {
                                          return value_of(r, scenario::Quantity::failed,
                                                          scenario::Statistic::mean);
                                        }),
                                        {.relative = 1, .jobs = jobs, .replications_min = 4});
            const auto& interval = found.interval;
            const double bound = setting.recovers ? 0.3 : 0.7;
            return Finding{bound, interval.center, interval.half_width,
                           setting.recovers ? interval.high() < bound : interval.low() > bound};
          }};
}

}  // namespace

Result<std::vector<Check>> retry_storm_checks(const std::filesystem::path& file, unsigned jobs) {
  const auto scenario = scenario::load_scenario(file);
  if (!scenario) return fail(scenario.error().front().code, to_string(scenario.error().front()));
  std::vector<Check> checks;
  for (const auto& setting : {Setting{0, std::nullopt, 14, true},
                              {1, std::nullopt, 24, true},
                              {1, std::nullopt, 18, false, true},
                              {3, std::nullopt, 50, true},
                              {3, std::nullopt, 36, false},
                              {3, 0.1, 14, true, true}})
    checks.push_back(check_of(*scenario, setting, jobs));
  return checks;
}

}  // namespace artel::verify
