// How many tasks an experiment simulates per second on one core, everything included: arrivals,
// sizes, dispatch, service, measurement.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/random.hpp"
#include "artel/fleet/replication.hpp"
#include "artel/fleet/run_replication.hpp"
#include "artel/random/distribution.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/worker_settings.hpp"
#include "artel/scenario/workload.hpp"
#include "bench/measure.hpp"

namespace {

using namespace artel;

scenario::Scenario scenario_of(std::uint32_t workers, double load, std::uint32_t queue_bound,
                               dispatch::Policy policy, std::uint64_t tasks) {
  scenario::Scenario scenario;
  scenario.workload.service = *random::Distribution::exponential(1);
  scenario.workload.rate = load * workers;
  scenario.workload.arrivals = scenario::PoissonArrivals{scenario.workload.rate};
  scenario.pool.speeds.assign(workers, 1.0);
  scenario.pool.queue_bounds.assign(workers, queue_bound);
  scenario.dispatch.policies.emplace_back().policy = std::move(policy);
  scenario.run.tasks = tasks;
  return scenario;
}

bench::Entry entry(std::string workload, scenario::Scenario scenario) {
  return {"artel", std::move(workload), [scenario = std::move(scenario)] {
            std::optional<fleet::Replication> replication;
            const double seconds = bench::seconds_of([&] {
              replication = fleet::run_replication(scenario, scenario.dispatch.policies[0], {});
            });
            const auto tasks = static_cast<double>(replication->tasks);
            return bench::Outcome{{{"tasks_per_s", "1/s", tasks / seconds}},
                                  fmt::format("{:.6f}", replication->response.mean)};
          }};
}

}  // namespace

int main(int argc, char** argv) {
  bench::Comparison comparison("experiment_speed", argc, argv);
  const std::uint64_t tasks = comparison.smoke() ? 20'000 : 3'000'000;
  comparison.add(
      entry("M/M/8 central queue", scenario_of(8, 0.8, 1, dispatch::LeastLoaded{}, tasks)));
  comparison.add(entry("JSQ(2) 100 workers",
                       scenario_of(100, 0.8, dispatch::kUnbounded, dispatch::Jsq{.d = 2}, tasks)));
  comparison.add(entry("random 8 workers",
                       scenario_of(8, 0.8, dispatch::kUnbounded, dispatch::Random{}, tasks)));
  comparison.add(entry("least loaded 8 workers",
                       scenario_of(8, 0.8, dispatch::kUnbounded, dispatch::LeastLoaded{}, tasks)));
  auto sharing = scenario_of(8, 0.8, dispatch::kUnbounded, dispatch::LeastLoaded{}, tasks);
  sharing.pool.worker.discipline = scenario::Discipline::ps;
  comparison.add(entry("processor sharing, 8 workers", std::move(sharing)));
  auto batches = scenario_of(8, 0.8, dispatch::kUnbounded, dispatch::LeastLoaded{}, tasks);
  batches.pool.worker.batch = scenario::BatchSettings{
      .most = 16, .fixed = *random::Distribution::constant(4), .per_task = 0.75, .per_work = 0};
  comparison.add(entry("batches of up to 16, 8 workers", std::move(batches)));
  constexpr std::uint32_t kMany = 10'000;
  const auto many = [&](std::string workload, dispatch::Policy policy) {
    comparison.add(entry(std::move(workload), scenario_of(kMany, 0.8, dispatch::kUnbounded,
                                                          std::move(policy), tasks / 3)));
  };
  many("random, 10 000 workers", dispatch::Random{});  // what so many cost under any policy
  many("closed loop, 10 000 workers", dispatch::ClosedLoop{});
  many("JSQ of all, 10 000 workers", dispatch::Jsq{.d = dispatch::Jsq::kAll});
  return comparison.run();
}
