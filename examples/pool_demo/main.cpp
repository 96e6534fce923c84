// Serves a bursty load and shows the pool's statistics live:
//     ./pool_demo [SECONDS] [--record FILE]      then: artel trace summary FILE
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/pool/outcomes.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/random/stream.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/trace/task_trace.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;

void print_row(const char* name, const pool::WorkerStats& worker) {
  using pool::TaskOutcome;
  const auto p99 = [](const stat::Histogram& histogram) {
    return histogram.empty() ? std::string("-")
                             : format_duration(Duration{std::llround(histogram.quantile(0.99))});
  };
  fmt::print("{:<10} {:>5.0f}% {:>8} {:>8} {:>7} {:>8} {:>12} {:>12}\033[K\n", name,
             100 * worker.busy_share, worker.queued, worker.outcomes.of(TaskOutcome::done),
             worker.outcomes.of(TaskOutcome::failed), worker.outcomes.of(TaskOutcome::expired),
             p99(worker.queue_delay_ns), p99(worker.service_ns));
}

void print_table(const pool::Pool& pool) {
  const auto stats = pool.stats();
  fmt::print("{:<10} {:>6} {:>8} {:>8} {:>7} {:>8} {:>12} {:>12}\033[K\n", "worker", "busy",
             "queued", "done", "failed", "expired", "wait p99", "service p99");
  for (std::size_t i = 0; i < stats.workers.size(); ++i) {
    print_row(fmt::format("{}-{}", pool.options().name, i).c_str(), stats.workers[i]);
  }
  print_row("outside", stats.outside);
  print_row("total", stats.total);
  fmt::print("accepted {}, in the common queue {}\033[K\n", stats.accepted, stats.queued_common);
  std::fflush(stdout);
}

// Bursts of requests that take 0.2 to 2 ms, some of them too late to be of use, few of them bad.
void serve(pool::Pool& pool, Instant end) {
  random::Stream dice(Seed{1}, "requests");
  while (steady_now() < end) {
    const auto burst = dice.below(80);
    for (std::uint64_t i = 0; i < burst; ++i) {
      const Duration size{static_cast<std::int64_t>(200'000 + dice.below(1'800'000))};
      const bool bad = dice.below(100) == 0;
      pool.post(
          [size, bad] {
            std::this_thread::sleep_for(size);
            if (bad) throw 1;
          },
          {.deadline = later(steady_now(), 50ms), .size = size});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(dice.below(40)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 5;
  std::string file;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--record" && i + 1 < argc) {
      file = argv[++i];
    } else {
      seconds = std::strtod(argv[i], nullptr);
    }
  }
  pool::Pool pool{{.name = "demo", .workers = 4, .dispatch = dispatch::LeastLoaded{}}};
  if (!file.empty()) {
    const auto started =
        pool.record(file, {.loop = trace::Loop::open, .load = "bursts of requests"});
    if (!started) {
      fmt::print(stderr, "{}\n", to_string(started.error()));
      return 1;
    }
  }
  const Instant end = later(steady_now(), from_seconds(seconds));
  std::thread load([&] { serve(pool, end); });
  const bool live = isatty(STDOUT_FILENO) == 1;
  while (live && steady_now() < end) {
    print_table(pool);
    std::this_thread::sleep_for(200ms);
    fmt::print("\033[{}A", pool.options().workers + 4);  // back to the top of the table
  }
  load.join();
  pool.stop();
  print_table(pool);
  if (file.empty()) return 0;
  const auto recording = pool.stop_recording();
  if (!recording) {
    fmt::print(stderr, "{}\n", to_string(recording.error()));
    return 1;
  }
  fmt::print("{}: {} tasks, {} dropped, {} bytes\n", file, recording->tasks, recording->dropped,
             recording->bytes);
}
