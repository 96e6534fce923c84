// One run predicts others: a workload is recorded at three rates, served by two numbers of workers;
// the law of its work is fitted to one of the six runs (artel/predict/backtest.hpp) and predicts
// the other five, of which it knows when tasks came and how many workers there were. Prints, after
// the usual table, what was predicted beside what was measured.
#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/trace/task_trace.hpp"
#include "bench/backtest/error_table.hpp"
#include "bench/backtest/load.hpp"
#include "bench/backtest/recorders.hpp"
#include "bench/measure.hpp"

namespace artel::bench {
namespace {

/// A kind of work, and how to have some of it served.
struct Workload {
  std::string name;
  std::uint32_t workers = 4;  ///< of the smaller fleet; the larger one has half as many more
  std::function<trace::TaskTrace(const Setting& setting)> record;
};

constexpr std::array kLoads{0.65, 0.5, 0.8};  // the first, with the smaller fleet, predicts

/// Runs workloads and keeps what the table for people needs.
class Backtests {
 public:
  Outcome run(const Workload& workload) {
    const Setting from{kLoads.front(), workload.workers};
    const auto base = workload.record(from);
    std::vector<predict::Backtest> tests;
    for (const auto workers : {workload.workers, workload.workers + workload.workers / 2}) {
      for (const double load : kLoads) {
        const Setting on{load, workers};
        if (on.name() == from.name()) continue;
        predict::BacktestOptions options;
        options.calibrate.workers = from.workers;
        options.workers_of_rest = on.workers;
        auto test = predict::backtest(base, workload.record(on), options);
        if (!test) {
          fmt::print(stderr, "backtest: {}\n", to_string(test.error()));
          std::exit(EXIT_FAILURE);
        }
        table_.add(workload.name, from, on, *test);
        tests.push_back(*std::move(test));
      }
    }
    return {.figures = {{"p99_error_worst", "%", 100 * worst_p99(tests)}}, .answer = {}};
  }

  [[nodiscard]] std::string table() const { return table_.text(); }

 private:
  ErrorTable table_;
};

// Sizes whose tasks come so that `workload` workers have so much to do.
double rate_of(const Setting& setting, const Workload& workload, double mean_s) {
  return setting.load * workload.workers / mean_s;
}

// A seed per run, so that no two have the same dice.
std::uint64_t seed_of(const Setting& setting) {
  constexpr double kPercent = 100;
  return static_cast<std::uint64_t>(kPercent * setting.load) +
         std::uint64_t{1000} * setting.workers;
}

// The run times of a workflow, again and again, in an order of their own in each run.
void add_seismology(std::vector<Workload>& all, bool smoke) {
  const auto run_times = column_of(BENCH_DATA "/seismology-1100-runtimes.csv", ',', 1);
  if (run_times.empty()) {
    fmt::print(stderr, "backtest: no seismology-1100-runtimes.csv in " BENCH_DATA ", left out\n");
    return;
  }
  Workload workload{.name = "seismology", .workers = 8, .record = {}};
  workload.record = [=](const Setting& setting) {
    const auto sizes = shuffled(run_times, smoke ? 1 : 30, seed_of(setting));
    const double rate = rate_of(setting, workload, mean(run_times));
    return serve_in_order(poisson_load(sizes, rate, seed_of(setting)), setting.workers);
  };
  all.push_back(std::move(workload));
}

// The arrivals of a day of jobs, ten days, at the pace that makes the load; work is lognormal.
void add_swim(std::vector<Workload>& all, bool smoke) {
  const auto times = column_of(BENCH_DATA "/swim-fb-2009-0.tsv", '\t', 1);
  if (times.empty()) {
    fmt::print(stderr, "backtest: no swim-fb-2009-0.tsv in " BENCH_DATA ", left out\n");
    return;
  }
  constexpr double kDaySeconds = 86'400, kMeanSeconds = 60;
  Workload workload{.name = "swim", .workers = 16, .record = {}};
  workload.record = [=](const Setting& setting) {
    const std::size_t days = smoke ? 1 : 10;
    const auto sizes = lognormal_sizes(days * times.size(), kMeanSeconds, seed_of(setting));
    const double recorded = static_cast<double>(times.size()) / kDaySeconds;
    const double pace = rate_of(setting, workload, kMeanSeconds) / recorded;
    Load load;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t days_before = i / times.size();
      load.push_back(
          {(static_cast<double>(days_before) * kDaySeconds + times[i % times.size()]) / pace,
           sizes[i]});
    }
    return serve_in_order(load, setting.workers);
  };
  all.push_back(std::move(workload));
}

// The same tasks in every run: what differs is when they come, and who serves them.
Workload own_load(std::string name, std::size_t tasks, double mean_s,
                  const std::function<trace::TaskTrace(const Load&, std::uint32_t)>& record) {
  Workload workload{.name = std::move(name), .record = {}};
  workload.record = [=](const Setting& setting) {
    const auto sizes = lognormal_sizes(tasks, mean_s, 1);
    const double rate = rate_of(setting, workload, mean_s);
    return record(poisson_load(sizes, rate, seed_of(setting)), setting.workers);
  };
  return workload;
}

void add_program(std::vector<Workload>& all, const RealProgram& program, std::size_t tasks,
                 double mean_s) {
  if (!program.installed()) {
    fmt::print(stderr, "backtest: {} is not installed, left out\n", program.name);
    return;
  }
  all.push_back(
      own_load(program.name, tasks, mean_s, [program](const Load& load, std::uint32_t workers) {
        return program.record(load, workers);
      }));
}

std::vector<Workload> workloads(bool smoke) {
  std::vector<Workload> all;
  add_seismology(all, smoke);
  add_swim(all, smoke);
  constexpr double kSmokeSeconds = 0.0005, kPoolSeconds = 0.01;
  constexpr std::size_t kFewTasks = 150, kPoolTasks = 4000;
  all.push_back(own_load("pool", smoke ? kFewTasks : kPoolTasks,
                         smoke ? kSmokeSeconds : kPoolSeconds, record_pool));
  if (smoke) return all;  // real programs take seconds to start: tests/programs is about them
  add_program(all, {"nginx", "$msec $status $request_time $upstream_response_time"}, 3000, 0.03);
  add_program(all, {"celery", ""}, 3000, 0.03);
  return all;
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("backtest", argc, argv);
  Backtests backtests;
  for (const auto& workload : workloads(comparison.smoke())) {
    comparison.add({.contender = "fitted",
                    .workload = workload.name,
                    .run = [&backtests, workload] { return backtests.run(workload); },
                    .repetitions_max = 1,
                    .warm_up = false});
  }
  const int status = comparison.run();
  fmt::print("\n{}", backtests.table());
  return status;
}
