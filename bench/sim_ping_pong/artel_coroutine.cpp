#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "bench/measure.hpp"
#include "bench/sim_ping_pong/workload.hpp"

namespace artel::bench::ping_pong {
namespace {

using namespace std::chrono_literals;

struct Start {};
struct Ping {
  double sent;
};
struct Pong {
  double sent;
};

/// What all processes of a run share.
struct Shared {
  random::Stream dice;
  bool random_delay;

  Duration delay() {
    return random_delay ? Duration{static_cast<Duration::rep>(dice.uniform() * 1e9)} : Duration{1s};
  }
};

struct Process : sim::Component<Start, Ping> {
  explicit Process(Shared& of) : shared(&of) {}

  sim::Task<> run(std::span<const std::uint32_t> peers, std::uint32_t iterations) {
    co_await next<Start>();
    for (std::uint32_t i = 0; i < iterations; ++i) {
      const sim::ComponentId peer{peers[peers.size() == 1 ? 0 : shared->dice.below(peers.size())]};
      emit(Ping{to_seconds(now())}, peer, shared->delay());
      co_await next<Pong>().from(peer);
    }
  }
  void on(const Start&) {}
  void on(const Ping&, const sim::Event& event) {
    emit(Pong{to_seconds(now())}, event.src(), shared->delay());
  }

  Shared* shared;
};

}  // namespace

Outcome run_artel_coroutine(const Workload& workload) {
  const std::vector<std::uint32_t> peers = choose_peers(workload);
  Shared shared{random::Stream(Seed{1}, "model"), workload.random_delay};
  sim::Simulation simulation;
  for (std::uint32_t i = 0; i < workload.processes; ++i) {
    auto& process = simulation.add<Process>(std::to_string(i), shared);
    process.spawn(
        process.run(std::span{peers}.subspan(std::size_t{i} * workload.peers, workload.peers),
                    workload.iterations));
    process.emit_self(Start{});
  }
  const double seconds = seconds_of([&] { simulation.run(); });
  return outcome(workload, seconds, simulation.event_count(),
                 static_cast<std::uint64_t>(simulation.now().time_since_epoch().count()));
}

}  // namespace artel::bench::ping_pong
