// A host takes tasks from a queue and starts them all on its cores; when there are not enough, it
// waits until a computation ends and tries again. Once with callbacks, once with coroutines.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/trace/fingerprint.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;
using sim::LogLevel;

struct Work {
  std::uint64_t task;
  std::uint32_t cores;
  Duration time;
};
constexpr std::array<Work, 5> kWork = {{
    {.task = 1, .cores = 2, .time = 10ms},
    {.task = 2, .cores = 2, .time = 4ms},
    {.task = 3, .cores = 3, .time = 6ms},
    {.task = 4, .cores = 1, .time = 8ms},
    {.task = 5, .cores = 1, .time = 1ms},
}};

// The details by which events are awaited: the number of the task, found by key_of.
struct CompStarted {
  std::uint64_t task;
};
struct CompFailed {
  std::uint64_t task;
};
struct CompFinished {
  std::uint64_t task;
};
std::uint64_t key_of(const CompStarted& event) { return event.task; }
std::uint64_t key_of(const CompFailed& event) { return event.task; }
std::uint64_t key_of(const CompFinished& event) { return event.task; }

/// Four cores that compute; whoever asks for more than are free is refused.
struct Cores : sim::Component<Work, CompFinished> {
  void on(const Work& work, const sim::Event& event) {
    if (work.cores > free_) {
      emit_now(CompFailed{work.task}, event.src());
      return;
    }
    free_ -= work.cores;
    emit_now(CompStarted{work.task}, event.src());
    emit(CompFinished{work.task}, event.src(), work.time);
    emit_self(CompFinished{work.task}, work.time);
  }
  void on(const CompFinished& event) { free_ += kWork[event.task - 1].cores; }

 private:
  std::uint32_t free_ = 4;
};

// --- With callbacks: a list of those to be tried again.

struct CallbackHost : sim::Component<CompStarted, CompFailed, CompFinished> {
  explicit CallbackHost(sim::ComponentId cores) : cores_(cores) {}

  void run() {
    for (const Work& work : kWork) emit_now(work, cores_);
  }
  void on(const CompStarted& event) { log(LogLevel::info, "task {} started", event.task); }
  void on(const CompFailed& event) {
    log(LogLevel::info, "task {} has to wait", event.task);
    refused_.push_back(kWork[event.task - 1]);
  }
  void on(const CompFinished& event) {
    log(LogLevel::info, "task {} finished", event.task);
    for (const Work& work : std::exchange(refused_, {})) emit_now(work, cores_);
  }

 private:
  sim::ComponentId cores_;
  std::vector<Work> refused_;
};

// --- With coroutines: one per task, that tries until it succeeds.

sim::Task<> run_task(sim::Context& host, sim::ComponentId cores, Work work, sim::Condition& freed) {
  for (;;) {
    host.emit_now(work, cores);
    const auto outcome = co_await any_of(host.next<CompStarted>().key(work.task),
                                         host.next<CompFailed>().key(work.task));
    if (outcome.index() == 0) break;
    host.log(LogLevel::info, "task {} has to wait", work.task);
    co_await freed.wait();
  }
  host.log(LogLevel::info, "task {} started", work.task);
  co_await host.next<CompFinished>().key(work.task);
  host.log(LogLevel::info, "task {} finished", work.task);
  freed.notify_all();
}

sim::Task<> run_host(sim::Context& host, sim::ComponentId cores, sim::Channel<Work>& queue,
                     sim::Condition& freed) {
  while (const auto work = co_await queue.receive()) {
    host.spawn(run_task(host, cores, *work, freed));
  }
}

// --- A run of either.

template <class Start>
trace::Fingerprint run(const char* style, Start start) {
  std::cout << style << '\n';
  sim::TextLog log(std::cout);
  sim::Simulation simulation({.fingerprint = true});
  simulation.log_to(log);
  simulation.set_log_level(LogLevel::info);
  auto& cores = simulation.add<Cores>("cores");
  start(simulation, cores.id());
  std::cout << fmt::format("all done after {}\n\n",
                           format_duration(simulation.now().time_since_epoch()));
  return simulation.fingerprint();
}

}  // namespace

int main() {
  const auto with_callbacks =
      run("callbacks", [](sim::Simulation& simulation, sim::ComponentId cores) {
        simulation.add<CallbackHost>("host", cores).run();
        simulation.run();
      });
  const auto with_coroutines =
      run("coroutines", [](sim::Simulation& simulation, sim::ComponentId cores) {
        auto& host = simulation.add_context("host");
        sim::Channel<Work> queue;
        sim::Condition freed;
        for (const Work& work : kWork) queue.try_send(work);
        queue.close();
        host.spawn(run_host(host, cores, queue, freed));
        simulation.run();
      });
  const bool same = with_callbacks == with_coroutines;
  std::cout << (same ? "the same run\n" : "different runs\n");
  return same ? 0 : 1;
}
