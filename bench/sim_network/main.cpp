#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/model/flow_set.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/sim/platform/fat_tree.hpp"
#include "bench/measure.hpp"
#include "bench/sim_network/workload.hpp"

namespace artel::bench::network {

Problem make_problem(const Workload& workload) {
  sim::Topology topology(sim::Topology::EqualPaths::spread);
  constexpr double kBytesPerSecond = 1.25e9;
  const sim::FatTree tree = add_fat_tree(
      topology,
      {.ports = workload.ports, .hosts = workload.hosts, .link = {.bandwidth = kBytesPerSecond}});
  Problem problem;
  for (std::uint32_t i = 0; i < topology.link_count(); ++i) {
    problem.capacities.push_back(topology.link(sim::LinkId{i}).bandwidth);
  }
  random::Stream dice(Seed{1}, "transfers");
  const std::size_t starts = workload.transfers + (workload.changes + 1) / 2;
  for (std::size_t i = 0; i < starts; ++i) {
    const std::uint64_t from = dice.below(workload.hosts);
    const std::uint64_t to = (from + 1 + dice.below(workload.hosts - 1)) % workload.hosts;
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a fat tree has a route for every pair
    const auto route = *topology.route(tree.hosts[from], tree.hosts[to]);
    problem.routes.emplace_back(route.links.begin(), route.links.end());
  }
  return problem;
}

Outcome outcome(double seconds, std::size_t changes, double sum_of_rates) {
  return {.figures = {{.metric = "time_per_change",
                       .unit = "us",
                       .value = seconds * 1e6 / static_cast<double>(changes)}},
          .answer = sum_of_rates > 0 ? fmt::format("{:.6g} bytes/s in all", sum_of_rates) : ""};
}

namespace {

struct Rated {
  double seconds = 0;
  double sum_of_rates = 0;
};

Rated change_rates(const Workload& workload) {
  const Problem problem = make_problem(workload);
  sim::MaxMin rates;
  for (const double capacity : problem.capacities) rates.add_link(capacity);
  std::deque<sim::FlowId> flows;
  for (std::size_t i = 0; i < workload.transfers; ++i) {
    flows.push_back(rates.add_flow(problem.routes[i]));
  }
  rates.solve();
  std::size_t next = workload.transfers;
  Rated rated;
  rated.seconds = seconds_of([&] {
    for (std::size_t change = 0; change < workload.changes; ++change) {
      if (change % 2 == 0) {
        rates.remove_flow(flows.front());
        flows.pop_front();
      } else {
        flows.push_back(rates.add_flow(problem.routes[next++]));
      }
      rates.solve();
    }
  });
  for (const sim::FlowId flow : flows) rated.sum_of_rates += rates.rate(flow);
  return rated;
}

}  // namespace

double sum_of_rates(const Workload& workload) { return change_rates(workload).sum_of_rates; }

Outcome run_rates(const Workload& workload) {
  const Rated rated = change_rates(workload);
  return outcome(rated.seconds, workload.changes, rated.sum_of_rates);
}

Outcome run_flows(const Workload& workload) {
  const Problem problem = make_problem(workload);
  sim::FlowSet transfers;
  for (const double capacity : problem.capacities) transfers.add_link(capacity);
  constexpr double kBytes = 1e12;  // none ends meanwhile
  std::deque<sim::FlowId> flows;
  Instant now{};
  for (std::size_t i = 0; i < workload.transfers; ++i) {
    flows.push_back(transfers.start(now, problem.routes[i], kBytes));
  }
  static_cast<void>(transfers.next_end());
  std::size_t next = workload.transfers;
  const double seconds = seconds_of([&] {
    for (std::size_t change = 0; change < workload.changes; ++change) {
      now += std::chrono::microseconds(1);
      if (change % 2 == 0) {
        transfers.remove(now, flows.front());
        flows.pop_front();
      } else {
        flows.push_back(transfers.start(now, problem.routes[next++], kBytes));
      }
      static_cast<void>(transfers.next_end());
    }
  });
  double sum = 0;
  for (const sim::FlowId flow : flows) sum += transfers.rate(flow);
  return outcome(seconds, workload.changes, sum);
}

namespace {

// Progressive filling: the rates of all flows.
std::vector<double> fill(const Problem& problem, std::size_t first, std::size_t last) {
  std::vector<double> capacity = problem.capacities;
  std::vector<std::vector<std::size_t>> over(capacity.size());
  std::vector<std::size_t> open(capacity.size(), 0);
  for (std::size_t flow = first; flow < last; ++flow) {
    for (const sim::LinkId link : problem.routes[flow]) {
      over[index(link)].push_back(flow);
      ++open[index(link)];
    }
  }
  std::vector<double> rates(last - first, -1);
  for (std::size_t left = rates.size(); left > 0;) {
    std::size_t least = 0;
    double level = -1;
    for (std::size_t link = 0; link < capacity.size(); ++link) {
      if (open[link] == 0) continue;
      const double share = capacity[link] / static_cast<double>(open[link]);
      if (level >= 0 && share >= level) continue;
      least = link;
      level = share;
    }
    for (const std::size_t flow : over[least]) {
      if (rates[flow - first] >= 0) continue;
      rates[flow - first] = level;
      --left;
      for (const sim::LinkId link : problem.routes[flow]) {
        capacity[index(link)] = std::max(0.0, capacity[index(link)] - level);
        --open[index(link)];
      }
    }
  }
  return rates;
}

int run(int argc, char** argv) {
  Comparison comparison("sim_network", argc, argv);
  std::vector<Workload> workloads = {
      {.name = "fat-tree/1k", .transfers = 1'000, .changes = 20'000},
      {.name = "fat-tree/10k", .transfers = 10'000, .changes = 400},
      {.name = "fat-tree/100k", .transfers = 100'000, .changes = 40},
  };
  for (Workload& workload : workloads) {
    if (comparison.smoke()) {
      workload.hosts = 16;
      workload.ports = 4;
      workload.transfers /= 100;
      workload.changes = 20;
    }
    Workload shorter = workload;
    constexpr std::size_t kFewer = 10;  // for those who take long
    shorter.changes = std::min(workload.changes, kFewer);
    comparison.add({.contender = "artel-flows", .workload = workload.name, .run = [workload] {
                      return run_flows(workload);
                    }});
    comparison.add({.contender = "artel-rates", .workload = workload.name, .run = [workload] {
                      return run_rates(workload);
                    }});
    comparison.add({.contender = "from-scratch",
                    .workload = workload.name,
                    .run = [shorter] { return run_from_scratch(shorter); },
                    .repetitions_max = 3});
    comparison.add({.contender = "simgrid",
                    .workload = workload.name,
                    .run = [shorter] { return run_simgrid(shorter); },
                    .repetitions_max = 3});
  }
  return comparison.run();
}

}  // namespace

Outcome run_from_scratch(const Workload& workload) {
  const Problem problem = make_problem(workload);
  std::size_t first = 0;
  std::size_t last = workload.transfers;
  double sum = 0;
  const double seconds = seconds_of([&] {
    for (std::size_t change = 0; change < workload.changes; ++change) {
      (change % 2 == 0 ? first : last) += 1;
      for (const double rate : fill(problem, first, last)) sum += rate;
    }
  });
  return outcome(sum > 0 ? seconds : 0, workload.changes, 0);  // other changes, other rates
}

}  // namespace artel::bench::network

int main(int argc, char** argv) { return artel::bench::network::run(argc, argv); }
