#include "tests/verify/by_hand.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/pool/parallel_for.hpp"
#include "artel/pool/pool.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/scenario/workload_trace.hpp"
#include "artel/stat/interval.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/for_each_row.hpp"
#include "tests/verify/system.hpp"

namespace artel::verify {
namespace {

using fleet::Replication;
using Value = std::function<double(const Replication&)>;
using namespace std::chrono_literals;

Result<Value> value_of(const std::string& statistic) {
  if (statistic == "mean response") return [](const Replication& r) { return r.response.mean; };
  if (statistic == "share abandoned") return [](const Replication& r) { return r.abandoned_share; };
  if (statistic == "share rejected") return [](const Replication& r) { return r.rejected_share; };
  if (statistic == "mean workers") return [](const Replication& r) { return r.workers; };
  if (statistic == "hit ratio")
    return [](const Replication& r) {
      return static_cast<double>(r.prefix_held) / static_cast<double>(r.prefix_all);
    };
  return fail(ErrorCode::unsupported, fmt::format("no such statistic here: '{}'", statistic));
}

// Times are whole nanoseconds.
Finding look_at(const scenario::Scenario& scenario, const Value& value, double expected) {
  const auto& policy = scenario.dispatch.policies.front();
  const auto found = fleet::run_replication(scenario, policy, {});
  const double got = found ? value(*found) : NAN;
  const bool right = std::abs(got - expected) < 1e-7 * (1 + std::abs(expected));
  return {.expected = expected, .got = got, .pass = right && fleet::is_exact(scenario, policy)};
}

// The key of each task's only block is one of two, thrown anew for each replication.
scenario::Scenario two_prompts(double load, Seed seed, std::uint64_t replication) {
  constexpr std::uint64_t kTasks = 200'000;
  constexpr double kMeanService = 0.75;
  scenario::WorkloadTrace trace;
  random::Stream keys(seed, "prompts", replication);
  for (std::size_t row = 0; row < kTasks; ++row) {
    trace.prefixes.keys.push_back(keys.uniform() < 0.5 ? 1 : 2);
    trace.prefixes.ends.push_back(row + 1);
    trace.saves.push_back(500ms);
  }
  scenario::Scenario scenario;
  scenario.run.seed = seed;
  scenario.run.tasks = kTasks;
  auto& workload = scenario.workload;
  workload.service = *random::Distribution::constant(1);
  workload.mean_service_s = 1;
  workload.rate = load / kMeanService;
  workload.arrivals = scenario::PoissonArrivals{workload.rate};
  workload.trace = std::make_shared<const scenario::WorkloadTrace>(std::move(trace));
  scenario.pool.speeds = {1};
  scenario.pool.queue_bounds = {dispatch::kUnbounded};
  scenario.pool.worker.cache = scenario::CacheSettings{.blocks = 1};
  scenario.dispatch.policies = {labelled(dispatch::RoundRobin{})};
  return scenario;
}

}  // namespace

Result<std::vector<Check>> by_hand_checks(const std::filesystem::path& folder) {
  std::vector<Check> checks;
  const auto add = [&](const file::CsvReader& csv) -> Result<void> {
    const auto expected = parse_number<double>(csv[2]);
    if (!expected) return fail(ErrorCode::parse, "not a number", csv.where(2));
    const std::string name(csv[0]);
    const std::string statistic(csv[1]);
    auto scenario = scenario::load_scenario(folder / "by_hand" / (name + ".toml"));
    if (!scenario)
      return fail(scenario.error().front().code, scenario.error().front().what, csv.where());
    auto value = value_of(statistic);
    if (!value) return fail(value.error().code, value.error().what, csv.where(1));
    checks.push_back(
        {"by hand", fmt::format("{}, {}", name, statistic), true,
         [scenario = *std::move(scenario), value = *std::move(value),
          expected = *expected](Seed /*seed*/) { return look_at(scenario, value, expected); }});
    return {};
  };
  constexpr std::size_t kColumns = 4;
  const auto read = for_each_row(folder / "by_hand.csv", "the known answers", kColumns, add);
  if (!read) return fail(read);
  return checks;
}

Check one_prompt_kept(double load, unsigned jobs) {
  const auto find = [=](Seed seed, std::uint64_t times) {
    constexpr double kMean = 0.75;
    constexpr double kMeanSquare = (1 + 0.25) / 2;
    const double expected = load / kMean * kMeanSquare / (2 * (1 - load));
    const std::size_t replications = times * (load > 0.8 ? 160 : 40);
    std::vector<double> waits(replications);
    pool::Pool pool({.workers = jobs});
    pool::parallel_for(pool, std::size_t{0}, replications, 1, [&](std::size_t index) {
      const auto scenario = two_prompts(load, seed, index);
      const auto found =
          fleet::run_replication(scenario, scenario.dispatch.policies.front(),
                                 {.index = static_cast<std::uint32_t>(index),
                                  .warm_up_tasks = scenario.run.tasks.value_or(0) / 10});
      waits[index] = found ? found->wait.mean : NAN;
    });
    const auto interval = stat::mean_interval(waits, experiment::kConfidence);
    const bool precise = interval.relative() <= 0.01 / std::sqrt(static_cast<double>(times));
    return Finding{expected, interval.center, interval.half_width,
                   precise && interval.contains(expected)};
  };
  return {"cache", fmt::format("one of two prompts kept, load {}, mean wait", load), load <= 0.5,
          [find](Seed seed) { return find(seed, 1); },
          [find](Seed seed) { return find(seed, kAgainTimes); }};
}

}  // namespace artel::verify
