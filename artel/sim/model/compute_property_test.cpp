#include "artel/sim/model/compute.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/computation.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/trace/fingerprint.hpp"
#include "tests/sim/computation_watcher.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

struct Go {
  std::uint32_t number = 0;
};
struct Outage {
  bool up = false;
};

/// Runs a computation for each Go, again after a failure on the next Go; the host may go down. Both
/// versions begin in a process, so that their events can be the same.
struct Runner : Component<Go, Outage, ComputationStarted, ComputationFinished, ComputationFailed> {
  Runner(Compute& on_compute, std::vector<Computation> computations, bool in_tasks)
      : compute(&on_compute), all(std::move(computations)), tasks(in_tasks) {}

  void on(const Go& go) { spawn(tasks ? run(go.number) : begin(go.number)); }
  void on(const Outage& outage) { compute->set_up(outage.up); }
  Task<> run(std::uint32_t number) {
    const ComputationOutcome outcome = co_await compute->run(all[number]);
    count(outcome);
  }
  Task<> begin(std::uint32_t number) {
    compute->start_run(all[number], id());
    co_return;
  }
  void on(const ComputationStarted&) {}
  void on(const ComputationFinished&) { count(ComputationOutcome::finished); }
  void on(const ComputationFailed& failed) { count(failed.reason); }
  void count(ComputationOutcome outcome) { ++outcomes[index(outcome)]; }

  Compute* compute;
  std::vector<Computation> all;
  bool tasks;
  std::vector<int> outcomes = std::vector<int>(4);
};

struct Arrival {
  double flops = 0;
  std::uint32_t cores = 1;
  std::uint64_t memory = 0;
  Duration at{};
};
std::vector<Arrival> some_arrivals() {
  std::vector<Arrival> arrivals;
  Duration at{};
  for (int i = *rc::gen::inRange(1, 25); i > 0; --i) {
    at += std::chrono::milliseconds(*rc::gen::inRange(0, 3000));
    arrivals.push_back({static_cast<double>(*rc::gen::inRange(0, 100)),
                        *rc::gen::inRange<std::uint32_t>(1, 4),
                        *rc::gen::inRange<std::uint64_t>(0, 50), at});
  }
  return arrivals;
}

RC_GTEST_PROP(ComputeProperty, CallbacksAndTasksGiveTheSameFingerprint, ()) {
  const std::vector<Arrival> arrivals = some_arrivals();
  const Cores use = *rc::gen::element(Cores::dedicated, Cores::time_shared);
  const Duration down = std::chrono::milliseconds(*rc::gen::inRange(0, 30000));
  const auto run = [&](bool in_tasks) {
    Simulation simulation({.fingerprint = true});
    auto& compute = simulation.add<Compute>(
        "compute", ComputeOptions{.speed = 10, .cores = 4, .memory = 100, .use = use});
    std::vector<Computation> all;
    for (const Arrival& one : arrivals) {
      all.push_back({.flops = one.flops, .memory = one.memory, .cores_max = one.cores});
    }
    auto& runner = simulation.add<Runner>("runner", compute, std::move(all), in_tasks);
    for (std::uint32_t i = 0; i < arrivals.size(); ++i) runner.emit_self(Go{i}, arrivals[i].at);
    runner.emit_self(Outage{false}, down);
    runner.emit_self(Outage{true}, down + 3s);
    simulation.run();
    RC_ASSERT(compute.cores_free() == 4U);
    RC_ASSERT(compute.memory_free() == 100U);
    return std::pair{simulation.fingerprint().text(), runner.outcomes};
  };
  RC_ASSERT(run(true) == run(false));
}

/// When each arrival ends, by computing every rate anew at every change; -1: did not fit.
std::vector<double> naive_ends(const std::vector<Arrival>& arrivals, const ComputeOptions& host) {
  struct Running {
    std::size_t number;
    double left;
    std::uint32_t cores;
  };
  std::vector<double> ends(arrivals.size(), -1);
  std::vector<Running> running;
  const bool shared = host.use == Cores::time_shared;
  const auto rate = [&](const Running& one) {
    if (!shared) return host.speed * one.cores;
    const auto n = static_cast<double>(running.size());
    return host.speed * std::min(n, static_cast<double>(host.cores)) / n;
  };
  double now = 0;
  for (std::size_t next = 0; next < arrivals.size() || !running.empty();) {
    const double arrival = next < arrivals.size() ? to_seconds(arrivals[next].at) : 1e18;
    double then = arrival;
    for (const Running& one : running) then = std::min(then, now + one.left / rate(one));
    std::vector<double> rates;
    for (const Running& one : running) rates.push_back(rate(one));
    for (std::size_t i = 0; i < running.size(); ++i) running[i].left -= (then - now) * rates[i];
    now = then;
    std::erase_if(running, [&](const Running& one) {
      if (one.left < 1e-6) ends[one.number] = now;
      return one.left < 1e-6;
    });
    if (now < arrival) continue;
    std::uint32_t cores_free = host.cores;
    std::uint64_t memory_free = host.memory;
    for (const Running& one : running) {
      if (!shared) cores_free -= one.cores;
      memory_free -= arrivals[one.number].memory;
    }
    const Arrival& one = arrivals[next];
    if (cores_free >= 1 && memory_free >= one.memory) {
      running.push_back({next, one.flops, std::min(cores_free, one.cores)});
    }
    ++next;
  }
  return ends;
}

RC_GTEST_PROP(ComputeProperty, AgreesWithRecomputingEveryRate, ()) {
  std::vector<Arrival> arrivals = some_arrivals();
  // Two things at one instant could come in either order: keep them apart.
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    arrivals[i].at += std::chrono::microseconds(i * i);
    arrivals[i].flops += 0.0123;
  }
  const ComputeOptions host{.speed = 10,
                            .cores = *rc::gen::inRange<std::uint32_t>(1, 5),
                            .memory = 100,
                            .use = *rc::gen::element(Cores::dedicated, Cores::time_shared)};
  Simulation simulation;
  auto& compute = simulation.add<Compute>("compute", host);
  auto& watcher = simulation.add<ComputationWatcher>("watcher");
  std::vector<OperationId> ids;
  for (const Arrival& one : arrivals) {
    simulation.run_until(Instant{one.at});
    ids.push_back(compute.start_run(
        {.flops = one.flops, .memory = one.memory, .cores_max = one.cores}, watcher.id()));
  }
  simulation.run();
  std::vector<double> ends(arrivals.size(), -1);
  for (const ComputationWatcher::Entry& entry : watcher.entries) {
    if (entry.what != "finished") continue;
    const auto number = std::find(ids.begin(), ids.end(), entry.operation) - ids.begin();
    ends[static_cast<std::size_t>(number)] = to_seconds(entry.at);
  }
  const std::vector<double> expected = naive_ends(arrivals, host);
  for (std::size_t i = 0; i < ends.size(); ++i) RC_ASSERT(std::abs(ends[i] - expected[i]) < 1e-6);
}

}  // namespace
}  // namespace artel::sim
