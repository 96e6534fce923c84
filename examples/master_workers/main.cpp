// A master gives tasks to workers in simulated time: each is downloaded, read, computed, written
// and uploaded. Compares policies, and both styles of writing the worker.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "examples/master_workers/model/master.hpp"
#include "examples/master_workers/model/run.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace {

namespace dispatch = artel::dispatch;
using master_workers::RunOptions;
using master_workers::Sharing;
using master_workers::Style;
using master_workers::Summary;
using master_workers::Workload;

struct Contender {
  std::string name;
  dispatch::Policy policy;
};

std::vector<Contender> contenders() {
  std::vector<Contender> all = {{"most free memory", master_workers::most_free_memory()}};
  for (const char* name : {"least_loaded", "jsq", "round_robin", "random"}) {
    dispatch::Policy policy = *dispatch::make_policy(name);
    all.push_back({dispatch::name(policy), policy});
  }
  return all;
}

void compare_policies(const Workload& workload, Sharing network) {
  for (const Contender& contender : contenders()) {
    const Summary summary = run(workload, {.policy = contender.policy, .network = network});
    fmt::print("  {:<18} {:>12.3f} s {:>12} events\n", contender.name,
               artel::to_seconds(summary.makespan), summary.events);
  }
}

bool compare_styles(const Workload& workload) {
  const auto in_style = [&](Style style) {
    return run(workload,
               {.policy = master_workers::most_free_memory(), .style = style, .fingerprint = true});
  };
  const Summary callbacks = in_style(Style::callback);
  const Summary coroutines = in_style(Style::coroutine);
  const bool equal = callbacks.fingerprint == coroutines.fingerprint;
  fmt::print("callbacks and coroutines: {} events, {}\n", callbacks.events,
             equal ? "equal fingerprints" : "DIFFERENT fingerprints");
  return equal && callbacks.completed == workload.tasks.size();
}

int compare_recorded(const std::string& file) {
  for (const std::uint32_t hosts : {4U, 16U, 64U}) {
    const auto workload = master_workers::recorded_workload(file, hosts, artel::Seed{1});
    if (!workload) {
      fmt::print(stderr, "{}: {}\n", workload.error().where, workload.error().what);
      return EXIT_FAILURE;
    }
    fmt::print("{} tasks on {} hosts, makespan:\n", workload->tasks.size(), hosts);
    compare_policies(*workload, Sharing::shared);
  }
  return EXIT_SUCCESS;
}

int usage() {
  fmt::print(
      stderr,
      "usage: example_master_workers [FILE.csv]\n"
      "100 hosts and 10000 tasks as in DSLab's example; then the recorded tasks of the file\n"
      "(task,runtime_s,input_bytes,output_bytes) on 4, 16 and 64 hosts.\n");
  return EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 || (argc == 2 && std::string_view(argv[1]).starts_with("-"))) return usage();
  const Workload workload = master_workers::random_workload(100, 10'000, artel::Seed{1});
  fmt::print("{} tasks on {} hosts, makespan:\n", workload.tasks.size(), workload.hosts.size());
  compare_policies(workload, Sharing::constant);
  if (!compare_styles(workload)) return EXIT_FAILURE;
  return argc == 2 ? compare_recorded(argv[1]) : EXIT_SUCCESS;
}
