#include "bench/predict/what_if_rows.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <zconf.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ratio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/plan/plan_request.hpp"
#include "artel/pool/pool.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/random/stream.hpp"
#include "artel/trace/load_tasks.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::bench {
namespace {

using predict::Figure;
using Clock = std::chrono::steady_clock;

template <class T>
T demand(Result<T> result) {
  if (result) return *std::move(result);
  fmt::print(stderr, "predict: {}\n", to_string(result.error()));
  std::exit(EXIT_FAILURE);
}

/// A text to compress, and when.
struct Job {
  double at_s = 0;
  std::size_t bytes = 0;
};

// Words of a small vocabulary, so that there is something to find.
std::string text_of(std::size_t bytes) {
  random::Stream dice(Seed{5}, "words");
  std::string text;
  while (text.size() < bytes) {
    const auto word = dice.below(4000);
    text += fmt::format("{:x}{:x} ", word * 2654435761U, word);
  }
  return text;
}

// Half a second quiet, half a second loud, in turns, Poisson within; a worker is busy for about 60%
// of the time.
std::vector<Job> draw(double seconds, double ms_per_mb) {
  random::Stream gaps(Seed{6}, "gaps"), sizes(Seed{6}, "sizes");
  constexpr double kMeanMb = 0.15, kBusy = 0.6;
  const double rate = kBusy / (kMeanMb * ms_per_mb / 1e3);
  std::vector<Job> jobs;
  for (double at = 0; at < seconds;) {
    const bool loud = std::fmod(at, 1) >= 0.5;
    at -= std::log(1 - gaps.uniform()) / (rate * (loud ? 1.7 : 0.3));
    const double mb = std::clamp(-std::log(1 - sizes.uniform()) * kMeanMb, 0.01, 1.0);
    jobs.push_back({at, static_cast<std::size_t>(1e6 * mb)});
  }
  return jobs;
}

void compress_some(const std::string& text, std::size_t bytes) {
  std::vector<Bytef> packed(::compressBound(bytes));
  auto size = static_cast<uLongf>(packed.size());
  ::compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(text.data()), bytes, 6);
}

trace::TaskTrace serve(const std::vector<Job>& jobs, const std::string& text, unsigned workers,
                       const dispatch::Policy& policy) {
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("artel-what-if-{}.trace", ::getpid());
  {
    pool::Pool pool({.workers = workers, .dispatch = policy});
    if (const auto started = pool.record(path, {.loop = trace::Loop::open}); !started) {
      fmt::print(stderr, "predict: {}\n", to_string(started.error()));
      std::exit(EXIT_FAILURE);
    }
    const auto start = Clock::now() + std::chrono::milliseconds(10);
    for (const auto& job : jobs) {
      std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(
                                                std::chrono::duration<double>(job.at_s)));
      pool.post([&text, bytes = job.bytes] { compress_some(text, bytes); });
    }
    static_cast<void>(pool.wait_idle());
    static_cast<void>(demand(pool.stop_recording()));
  }
  auto trace = demand(trace::load_tasks(path));
  std::filesystem::remove(path);
  return trace;
}

// How long a megabyte takes here.
double ms_per_megabyte(const std::string& text) {
  const auto begin = Clock::now();
  for (int i = 0; i < 5; ++i) compress_some(text, 1'000'000);
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count() / 5;
}

std::string row(const char* policy, const predict::WhatIf& foretold,
                const predict::RunFigures& measured, double service_ratio) {
  std::string text = fmt::format("| {} | {:+.1f}% |", policy, 100 * (service_ratio - 1));
  for (const auto figure :
       {Figure::mean_response, Figure::p50_response, Figure::p95_response, Figure::p99_response}) {
    const double value = measured[figure];
    const bool inside = foretold.low[figure] <= value && value <= foretold.high[figure];
    text += fmt::format(" {:.1f} | {:.1f} ({:+.0f}%) | {:.1f} to {:.1f}{} |", 1e3 * value,
                        1e3 * foretold.after.figures[figure],
                        100 * predict::relative_error(foretold.after.figures[figure], value),
                        1e3 * foretold.low[figure], 1e3 * foretold.high[figure],
                        inside ? "" : " **outside**");
  }
  return text + "\n";
}

double mean_service(const trace::TaskTrace& trace) {
  double sum = 0;
  for (const auto& task : trace.tasks) sum += to_seconds(task.service());
  return sum / static_cast<double>(trace.tasks.size());
}

}  // namespace

std::string what_if_rows(bool smoke) {
  const auto text = text_of(1'000'000);
  const auto jobs = draw(smoke ? 0.3 : 40, ms_per_megabyte(text));
  const auto recorded = serve(jobs, text, 1, dispatch::LeastLoaded{});
  const auto calibration = demand(predict::calibrate(recorded));
  std::string rows;
  const std::pair<const char*, dispatch::Policy> policies[]{
      {"least_loaded", dispatch::LeastLoaded{}}, {"jsq(d=2)", dispatch::Jsq{}}};
  for (const auto& [name, policy] : policies) {
    auto after = calibration.recorded;
    for (const auto& change : {std::string("workers=2"), fmt::format("policy={}", name)}) {
      if (const auto changed = plan::change(after, change); !changed) std::exit(EXIT_FAILURE);
    }
    const auto foretold =
        demand(predict::what_if(calibration.recorded, after, predict::kWhatIfReplications, 1, {},
                                {}, calibration.contention));
    const auto measured = serve(jobs, text, 2, policy);
    rows += row(name, foretold, predict::figures_of(measured.tasks, 2),
                mean_service(measured) / mean_service(recorded));
  }
  return "| two workers | work took | mean, ms | foretold | range | p50 | foretold | range | p95 | "
         "foretold | range | p99 | foretold | range |\n" +
         rows;
}

}  // namespace artel::bench
