// Predictions from traces, against what was measured: a pool under an open load is recorded, and
// its trace replayed by the simulator (artel/predict/replay.hpp). Prints, after the usual table,
// the rows of the one in docs/accuracy.md.
#include <fmt/core.h>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/predict/replay.hpp"
#include "artel/trace/load_tasks.hpp"
#include "artel/trace/task_trace.hpp"
#include "bench/measure.hpp"
#include "bench/predict/prediction_table.hpp"
#include "bench/predict/what_if_rows.hpp"
#include "bench/predict/workload.hpp"
#include "bench/spin.hpp"

namespace artel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using predict::Figure;
using std::chrono::duration;

template <class T>
T demand(Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "predict: {}\n", to_string(result.error()));
  std::exit(EXIT_FAILURE);
}

pool::SubmitOptions options_of(const Workload& workload, const Arrival& arrival) {
  pool::SubmitOptions options;
  if (workload.extra == Extra::priorities && arrival.lot < 4)
    options.priority = arrival.lot < 2 ? pool::Priority::high : pool::Priority::low;
  if (workload.extra == Extra::deadlines && arrival.lot < 5)
    options.deadline = later(steady_now(), std::chrono::milliseconds(20));
  return options;
}

// The pool's size in that half second.
unsigned size_at(const Workload& workload, double seconds) {
  if (workload.extra != Extra::resizing) return workload.workers;
  const unsigned quarter = workload.workers / 4;
  const std::array sizes{workload.workers, workload.workers - quarter, workload.workers,
                         workload.workers + quarter};
  return sizes[static_cast<std::size_t>(2 * seconds) % sizes.size()];
}

// Serves the load on a real pool and gives its recording.
trace::TaskTrace serve(const Workload& workload, const dispatch::Policy& policy,
                       const std::vector<Arrival>& load) {
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("artel-predict-{}.trace", ::getpid());
  {
    pool::Pool pool({.workers = workload.workers,
                     .workers_max = workload.workers + workload.workers / 4,
                     .queue = workload.queue,
                     .dispatch = policy});
    if (const auto started = pool.record(path, {.loop = trace::Loop::open}); !started) {
      fmt::print(stderr, "predict: {}\n", to_string(started.error()));
      std::exit(EXIT_FAILURE);
    }
    const auto start = Clock::now() + std::chrono::milliseconds(10);
    for (const auto& arrival : load) {
      std::this_thread::sleep_until(
          start + std::chrono::duration_cast<Clock::duration>(duration<double>(arrival.at_s)));
      if (const auto size = size_at(workload, arrival.at_s); size != pool.size())
        static_cast<void>(pool.resize(size));  // those that leave may not be gone: then later
      const auto options = options_of(workload, arrival);
      if (workload.extra != Extra::nothing) {
        pool.post([size = arrival.size_s] { std::this_thread::sleep_for(duration<double>(size)); },
                  options);
      } else if (workload.kind == Kind::sleep) {
        pool.post([size = arrival.size_s] { std::this_thread::sleep_for(duration<double>(size)); });
      } else {
        const auto passes =
            static_cast<std::uint64_t>(1e6 * arrival.size_s * static_cast<double>(passes_per_us()));
        pool.post([passes] { spin(passes); });
      }
    }
    static_cast<void>(pool.wait_idle());
    static_cast<void>(demand(pool.stop_recording()));
  }
  auto trace = demand(trace::load_tasks(path));
  std::filesystem::remove(path);
  return trace;
}

double percent(double predicted, double measured) {
  return 100 * predict::relative_error(predicted, measured);
}

/// Runs entries and keeps what the table for people needs.
class Predictions {
 public:
  explicit Predictions(bool smoke) : smoke_(smoke), overshoot_s_(sleep_overshoot()) {
    static_cast<void>(passes_per_us());  // measured before anything runs
  }

  Outcome run(const Workload& workload, const dispatch::Policy& policy) {
    const double seconds = smoke_ ? 0.05 : 4;
    const double overshoot_s = workload.kind == Kind::sleep ? overshoot_s_ : 0;
    const auto trace = serve(workload, policy, draw(workload, seconds, overshoot_s));
    const auto p = demand(predict::replay(trace, {.replications = 19U, .jobs = 2}));
    table_.add(workload.name(), p);
    Outcome outcome;
    for (std::size_t f = 0; f < predict::kFigures; ++f) {
      const auto figure = static_cast<Figure>(f);
      const std::string name(predict::name(figure));
      const bool time = figure != Figure::utilisation;
      const double scale = time ? 1e3 : 1;
      const double measured = p.measured[figure];
      const auto& fitted = p.fitted_at(figure);
      outcome.figures.push_back({name, time ? "ms" : "ratio", scale * measured});
      outcome.figures.push_back({name + "_same_work", "%", percent(p.same_work[figure], measured)});
      outcome.figures.push_back({name + "_fitted", "%", percent(fitted.mean.center, measured)});
    }
    if (workload.extra == Extra::priorities) add_urgent(trace, p, outcome);
    if (workload.extra == Extra::deadlines) add_expired(trace, p, outcome);
    return outcome;
  }

  [[nodiscard]] std::string table() const { return table_.text(); }

 private:
  using Tasks = std::vector<trace::TaskRecord>;

  // How long those of high and low priority took.
  static void add_urgent(const trace::TaskTrace& trace, const predict::Prediction& p,
                         Outcome& outcome) {
    for (const auto& [word, priority] : {std::pair("high", 0), std::pair("low", 2)}) {
      const auto of = [&](Tasks tasks) {
        std::erase_if(tasks, [&](const auto& task) { return task.priority != priority; });
        return predict::figures_of(tasks, p.calibration.recorded.pool);
      };
      const auto measured = of(trace.tasks);
      const auto predicted = of(p.same_work_tasks);
      for (const auto figure : {Figure::p50_response, Figure::p99_response}) {
        const auto name = fmt::format("{}_{}", word, predict::name(figure));
        outcome.figures.push_back({name, "ms", 1e3 * measured[figure]});
        outcome.figures.push_back(
            {name + "_same_work", "%", percent(predicted[figure], measured[figure])});
      }
    }
  }

  static void add_expired(const trace::TaskTrace& trace, const predict::Prediction& p,
                          Outcome& outcome) {
    const auto of = [](const Tasks& tasks) {
      return static_cast<double>(std::ranges::count_if(
          tasks, [](const auto& task) { return task.outcome == trace::TaskOutcome::expired; }));
    };
    const double measured = of(trace.tasks);
    outcome.figures.push_back({"expired", "tasks", measured});
    outcome.figures.push_back({"expired_same_work", "tasks", of(p.same_work_tasks)});
  }

  bool smoke_;
  double overshoot_s_;
  PredictionTable table_;
};

std::vector<Workload> workloads(bool smoke) {
  std::vector<Workload> all;
  const std::vector<double> loads = smoke ? std::vector{0.8} : std::vector{0.5, 0.8, 0.95};
  const auto add = [&](const char* sizes, Kind kind, const std::vector<unsigned>& workers,
                       unsigned queue) {
    for (const unsigned w : workers) {
      for (const double load : loads) all.push_back({sizes, kind, w, load, queue});
    }
  };
  add("bimodal", Kind::sleep, {4, 16, 64}, 0);
  add("pareto", Kind::sleep, {4, 16, 64}, 0);
  add("bimodal", Kind::compute, {2}, 0);
  add("bimodal", Kind::sleep, {16}, 2);
  add("bimodal", Kind::sleep, {16}, 4096);
  for (const auto extra : {Extra::priorities, Extra::deadlines, Extra::resizing}) {
    for (const double load : smoke ? loads : std::vector{0.8, 0.95})
      all.push_back({"bimodal", Kind::sleep, 16, load, 0, extra});
  }
  return all;
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel;
  using namespace artel::bench;
  if (argc == 2 && std::string_view(argv[1]) == "--what-if") {  // only these
    fmt::print("{}", what_if_rows(false));
    return EXIT_SUCCESS;
  }
  Comparison comparison("predict", argc, argv);
  Predictions predictions(comparison.smoke());
  for (const auto& workload : workloads(comparison.smoke())) {
    for (const dispatch::Policy& policy :
         {dispatch::Policy{dispatch::Random{}}, dispatch::Policy{dispatch::RoundRobin{}},
          dispatch::Policy{dispatch::Jsq{}}, dispatch::Policy{dispatch::LeastLoaded{}},
          dispatch::Policy{dispatch::ClosedLoop{}}}) {
      comparison.add(
          {.contender = dispatch::name(policy),
           .workload = workload.name(),
           .run = [&predictions, workload, policy] { return predictions.run(workload, policy); },
           .repetitions_max = 1,
           .warm_up = false});
    }
  }
  const int status = comparison.run();
  fmt::print("\n{}\n{}", predictions.table(), what_if_rows(comparison.smoke()));
  return status;
}
