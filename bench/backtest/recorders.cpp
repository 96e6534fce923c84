#include "bench/backtest/recorders.hpp"

#include <fmt/core.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <queue>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/make_temporary_folder.hpp"
#include "artel/logs/load_log.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/pool/pool.hpp"
#include "artel/trace/load_tasks.hpp"
#include "artel/trace/task_trace.hpp"
#include "bench/backtest/load.hpp"

namespace artel::bench {
namespace {

template <class T>
T demand(Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "backtest: {}\n", to_string(result.error()));
  std::exit(EXIT_FAILURE);
}

/// A folder that goes with this object.
struct ScratchFolder {
  std::filesystem::path path = demand(file::make_temporary_folder("artel-backtest"));
  ScratchFolder() = default;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

std::string script(const std::string& name, const std::string& arguments) {
  return fmt::format("{} -B {}/record_{}.py {}", BENCH_PYTHON, BENCH_PROGRAMS, name, arguments);
}

}  // namespace

trace::TaskTrace serve_in_order(const Load& load, std::uint32_t workers) {
  using Free = std::pair<double, std::uint32_t>;  // since when, who
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (std::uint32_t w = 0; w < workers; ++w) free.emplace(0, w);
  trace::TaskTrace trace;
  trace.header.loop = trace::Loop::open;
  trace.header.settings = {{"pool.workers", std::to_string(workers)}, {"policy", "central"}};
  for (const auto& arrival : load) {
    const auto [since, worker] = free.top();
    free.pop();
    const double start = std::max(since, arrival.at_s);
    free.emplace(start + arrival.size_s, worker);
    trace::TaskRecord task;
    task.submitted = task.bound = Instant{from_seconds(arrival.at_s)};
    task.started = Instant{from_seconds(start)};
    task.finished = Instant{from_seconds(start + arrival.size_s)};
    task.worker = WorkerId{worker};
    trace.tasks.push_back(task);
  }
  return trace;
}

trace::TaskTrace record_pool(const Load& load, std::uint32_t workers) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  const ScratchFolder folder;
  const auto path = folder.path / "pool.trace";
  pool::Pool pool({.workers = workers});
  if (const auto started = pool.record(path, {.loop = trace::Loop::open}); !started) {
    fmt::print(stderr, "backtest: {}\n", to_string(started.error()));
    std::exit(EXIT_FAILURE);
  }
  const auto start = Clock::now() + std::chrono::milliseconds(10);
  for (const auto& arrival : load) {
    std::this_thread::sleep_until(
        start + std::chrono::duration_cast<Clock::duration>(Seconds(arrival.at_s)));
    pool.post([size = Seconds(arrival.size_s)] { std::this_thread::sleep_for(size); });
  }
  static_cast<void>(pool.wait_idle());
  static_cast<void>(demand(pool.stop_recording()));
  return demand(trace::load_tasks(path));
}

bool RealProgram::installed() const {
  return std::system((script(name, "--check") + " 2>/dev/null").c_str()) ==
         0;  // NOLINT(cert-env33-c)
}

trace::TaskTrace RealProgram::record(const Load& load, std::uint32_t workers) const {
  const ScratchFolder folder;
  const auto tasks = folder.path / "load";
  const auto log = folder.path / "log";
  {
    std::ofstream out(tasks);
    for (const auto& arrival : load)
      fmt::print(out, "{:.6f} {:.6f}\n", arrival.at_s, arrival.size_s);
  }
  auto arguments = fmt::format("{} {} {}", tasks.string(), workers, log.string());
  if (!log_format.empty()) arguments += fmt::format(" '{}'", log_format);
  if (std::system(script(name, arguments).c_str()) != 0) {  // NOLINT(cert-env33-c)
    fmt::print(stderr, "backtest: {} could not be recorded\n", name);
    std::exit(EXIT_FAILURE);
  }
  logs::LogOptions options;
  options.log_format = log_format;
  auto loaded = demand(logs::load_log(log, options));
  if (loaded.trace.tasks.size() != load.size()) {
    fmt::print(stderr, "backtest: {} had {} tasks, its log has {}\n", name, load.size(),
               loaded.trace.tasks.size());
    std::exit(EXIT_FAILURE);
  }
  return std::move(loaded.trace);
}

}  // namespace artel::bench
