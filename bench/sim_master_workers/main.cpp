// DSLab's master-workers example: see examples/master_workers, whose model this runs.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "bench/measure.hpp"
#include "bench/own_process.hpp"
#include "bench/sim_master_workers/simgrid.hpp"
#include "examples/master_workers/model/master.hpp"
#include "examples/master_workers/model/run.hpp"
#include "examples/master_workers/model/workload.hpp"

namespace artel::bench {
namespace {

using master_workers::Style;

Outcome run_artel(std::uint32_t hosts, std::uint32_t tasks, Style style) {
  const auto workload = master_workers::random_workload(hosts, tasks, Seed{1});
  const auto summary =
      master_workers::run(workload, {.policy = master_workers::most_free_memory(), .style = style});
  return {
      .figures = {{"events_per_s", "1/s",
                   static_cast<double>(summary.events) / summary.run_seconds},
                  {"elapsed_s", "s", summary.run_seconds},
                  {"scheduling_share", "ratio", summary.scheduling_seconds / summary.run_seconds}},
      .answer = fmt::format("{} events, makespan {:.3f} s", summary.events,
                            to_seconds(summary.makespan))};
}

constexpr double kEventsPerTask = 17;

// Its events are not ours: those that the model has per task are counted.
Outcome run_rival(std::uint32_t hosts, std::uint32_t tasks) {
  const auto workload = master_workers::random_workload(hosts, tasks, Seed{1});
  const SimGridReport report =
      in_own_process<SimGridReport>([&](auto tell) { tell(run_simgrid(workload)); });
  const bool whole = report.completed == tasks;
  return {
      .figures = {{"events_per_s", "1/s", kEventsPerTask * tasks / report.run_seconds},
                  {"elapsed_s", "s", report.run_seconds},
                  {"scheduling_share", "ratio", report.scheduling_seconds / report.run_seconds}},
      .answer = whole ? "" : fmt::format("{} of {} tasks", report.completed, tasks)};
}

int run(int argc, char** argv) {
  Comparison comparison("sim_master_workers", argc, argv);
  struct Size {
    std::string name;
    std::uint32_t hosts;
    std::uint32_t tasks;
  };
  const std::vector<Size> sizes = {{"100x100000", 100, 100'000},
                                   {"10000x1000000", 10'000, 1'000'000}};
  for (const Size& size : sizes) {
    const std::uint32_t tasks = comparison.smoke() ? 1000 : size.tasks;
    const std::uint32_t hosts = comparison.smoke() ? 10 : size.hosts;
    comparison.add(
        {"artel-callback", size.name, [=] { return run_artel(hosts, tasks, Style::callback); }});
    comparison.add(
        {"artel-coroutine", size.name, [=] { return run_artel(hosts, tasks, Style::coroutine); }});
  }
  // SimGrid 3.32 takes minutes for the whole first workload, so it runs a tenth of its tasks.
  const std::uint32_t tasks = comparison.smoke() ? 100 : 10'000;
  comparison.add({"simgrid", sizes.front().name, [=] { return run_rival(100, tasks); }, 3});
  return comparison.run();
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) { return artel::bench::run(argc, argv); }
