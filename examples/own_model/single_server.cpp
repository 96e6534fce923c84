#include "single_server.hpp"

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

namespace {

using namespace artel;

Duration exponential(random::Stream& stream, double mean) {
  return from_seconds(-mean * std::log(1 - stream.uniform()));
}

sim::Task<> customer(sim::Context& self, sim::Resource& server, Duration service,
                     own_models::ObservedTimes& response) {
  const Instant arrival = self.now();
  sim::Lease lease = co_await server.acquire();
  co_await self.sleep(service);
  lease.release();
  response.add(self.now() - arrival, self.now());
}

// Arrivals and services have streams of their own: at every load the same customers come.
sim::Task<> arrivals(sim::Context& self, sim::Resource& server, const own_models::ModelRun& run,
                     own_models::ObservedTimes& response) {
  random::Stream gaps(run.seed, "gaps");
  random::Stream services(run.seed, "services");
  const std::uint64_t customers = run.parameters.whole("customers");
  for (std::uint64_t i = 0; i < customers; ++i) {
    co_await self.sleep(exponential(gaps, 1 / run.parameters["load"]));
    self.spawn(customer(self, server, exponential(services, 1), response));
  }
}

own_models::ModelReport serve(const own_models::ModelRun& run) {
  own_models::ModelReport report(run);
  sim::Resource server(1);
  sim::Simulation simulation({.seed = run.seed});
  sim::Context& world = simulation.add_context("world");
  world.spawn(arrivals(world, server, run, report.times("response")));
  simulation.run_until(Instant{} + run.warm_up);
  sim::Statistics statistics(world);  // from here on
  statistics.watch("server", server);
  simulation.run();
  report.add(statistics);
  return report;
}

}  // namespace

artel::own_models::ModelStudy single_server() {
  return {.name = "One server",
          .model = serve,
          .parameters = {{"load", 0.8}, {"customers", 20'000}},
          .sweep = {{.parameter = "load", .values = {0.5, 0.7, 0.9}}},
          .warm_up = own_models::FoundWarmUp{.times = "response"},
          .figures = {"response.mean", "response.p99", "server.utilisation", "server.queue"}};
}
