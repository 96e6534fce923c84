// Uses a policy, a simulation, the lab, a cluster and a pool under Asio, all as installed.
#include <artel/cluster/cluster_options.hpp>
#include <artel/cluster/connection.hpp>
#include <artel/core/error.hpp>
#include <artel/core/id.hpp>
#include <artel/dispatch/load_array.hpp>
#include <artel/dispatch/policy.hpp>
#include <artel/experiment/run_experiment.hpp>
#include <artel/interop/asio_context.hpp>
#include <artel/interop/async_wait.hpp>
#include <artel/pool/pool.hpp>
#include <artel/report/experiment_table.hpp>
#include <artel/scenario/study.hpp>
#include <artel/sim/kernel/component.hpp>
#include <artel/sim/kernel/simulation.hpp>
#include <asio/post.hpp>
#include <asio/use_future.hpp>
#include <chrono>
#include <cstdio>

namespace {

using namespace std::chrono_literals;

struct Tick {};

struct Clock : artel::sim::Component<Tick> {
  void on(const Tick&) {
    if (++ticks < 10) emit_self(Tick{}, 1s);
  }
  int ticks = 0;
};

}  // namespace

int main() {
  using namespace artel;
  const dispatch::LoadArray loads({{.queued = 3}, {.queued = 1}, {.queued = 2}});
  const auto chosen = dispatch::choose(dispatch::LeastLoaded{}, loads, {});

  sim::Simulation simulation;
  auto& clock = simulation.add<Clock>("clock");
  clock.emit_self(Tick{}, 1s);
  simulation.run();

  const auto study = scenario::parse_study(R"(
    workload = { arrivals = { kind = "poisson", load = 0.5 }, service = { distribution = "exponential", mean = 1 } }
    pool     = { workers = 2 }
    dispatch = { policies = ["central"] }
    run      = { tasks = 1000, replications = 2 }
  )",
                                           "inline");
  if (!study) return 1;
  const auto result = experiment::run_experiment(*study, {});
  std::fputs(report::experiment_table(*study, result).c_str(), stdout);

  const auto nobody = cluster::Connection::connect(*cluster::parse_servers("nats://127.0.0.1:1"));
  if (nobody || nobody.error().code != ErrorCode::not_found) return 1;
  pool::Pool pool({.workers = 1});
  interop::AsioContext context(pool);
  const auto answer = [] { return 42; };
  if (asio::post(context.get_executor(), asio::use_future(answer)).get() != 42) return 1;
  if (interop::async_wait(pool.submit(answer), asio::use_future).get() != 42) return 1;
  return chosen == WorkerId{1} && clock.ticks == 10 && simulation.now() == Instant{10s} ? 0 : 1;
}
