// What a simulation takes of memory for each event that is pending and for each coroutine that
// waits: everything, rounding and tables included.

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "bench/measure.hpp"
#include "bench/own_process.hpp"

namespace artel::bench {
namespace {

using namespace std::chrono_literals;

/// Bytes of memory that this process has touched.
double resident() {
  std::ifstream pages("/proc/self/statm");
  double all = 0;
  double here = 0;
  pages >> all >> here;
  return here * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// What `make(count)` takes for each: alone in a process, as memory that was used before would
/// hide it.
template <class Make>
Outcome bytes_each(std::uint64_t count, Make make) {
  const auto bytes = in_own_process<double>([&](auto tell) {
    const double before = resident();
    make(count, [&] { tell(resident() - before); });
  });
  return {.figures = {{.metric = "bytes_each",
                       .unit = "bytes",
                       .value = bytes / static_cast<double>(count)}},
          .answer = {}};
}

struct Tick {
  std::uint64_t number;
};
std::uint64_t key_of(const Tick& tick) { return tick.number; }

template <class Done>
void pending_events(std::uint64_t count, bool random_delay, const Done& done) {
  sim::Simulation simulation;
  auto& context = simulation.add_context("clock");
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto delay =
        random_delay
            ? Duration{static_cast<Duration::rep>(context.random().below(3'600'000'000'000))}
            : Duration{1h};
    context.emit_self(Tick{i}, delay);
  }
  done();
}

sim::Task<> sleeps(sim::Context& context) { co_await context.sleep(1h); }
sim::Task<> waits(sim::Context& context, std::uint64_t key) {
  (void)co_await context.next<Tick>().key(key);
}

template <class Done>
void sleeping_coroutines(std::uint64_t count, const Done& done) {
  sim::Simulation simulation;
  auto& context = simulation.add_context("sleeping");
  for (std::uint64_t i = 0; i < count; ++i) {
    context.spawn(sleeps(context));
    if (i % 1000 == 0) simulation.run_for(1ns);  // so that starting them takes no room
  }
  simulation.run_for(1ns);
  done();
}

template <class Done>
void waiting_coroutines(std::uint64_t count, const Done& done) {
  sim::Simulation simulation;
  auto& context = simulation.add_context("waiting");
  for (std::uint64_t i = 0; i < count; ++i) {
    context.spawn(waits(context, i));
    if (i % 1000 == 0) simulation.run_for(1ns);
  }
  simulation.run_for(1ns);
  done();
}

struct Bare {
  // NOLINTNEXTLINE(readability-identifier-naming): the language's name
  struct promise_type {
    Bare get_return_object() {
      return Bare(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };

  explicit Bare(std::coroutine_handle<promise_type> of) : handle(of) {}
  Bare(Bare&& other) noexcept : handle(std::exchange(other.handle, {})) {}
  Bare& operator=(Bare&&) = delete;
  ~Bare() {
    if (handle) handle.destroy();
  }

  std::coroutine_handle<promise_type> handle;
};

Bare stops(const std::uint64_t&) { co_await std::suspend_always{}; }

/// What the compiler and the allocator take, and one pointer to each.
template <class Done>
void bare_coroutines(std::uint64_t count, const Done& done) {
  std::vector<Bare> all;
  all.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    all.push_back(stops(count));
    all.back().handle.resume();
  }
  done();
}

int run(int argc, char** argv) {
  Comparison comparison("sim_memory", argc, argv);
  const std::uint64_t million = comparison.smoke() ? 20'000 : 1'000'000;
  const auto add = [&](const char* contender, const std::string& workload, auto once) {
    comparison.add({.contender = contender,
                    .workload = workload,
                    .run = once,
                    .repetitions_max = 1,  // the same every time
                    .warm_up = false});
  };
  for (const bool random_delay : {false, true}) {
    add("artel",
        fmt::format("{} events, {} delays", 10 * million, random_delay ? "random" : "equal"), [=] {
          return bytes_each(10 * million, [=](std::uint64_t count, const auto& done) {
            pending_events(count, random_delay, done);
          });
        });
  }
  const std::string sleeping = fmt::format("{} sleeping", million);
  add("artel", sleeping, [=] {
    return bytes_each(
        million, [](std::uint64_t count, const auto& done) { sleeping_coroutines(count, done); });
  });
  add("bare coroutine", sleeping, [=] {
    return bytes_each(million,
                      [](std::uint64_t count, const auto& done) { bare_coroutines(count, done); });
  });
  add("artel", fmt::format("{} waiting by key", million), [=] {
    return bytes_each(
        million, [](std::uint64_t count, const auto& done) { waiting_coroutines(count, done); });
  });
  return comparison.run();
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) { return artel::bench::run(argc, argv); }
