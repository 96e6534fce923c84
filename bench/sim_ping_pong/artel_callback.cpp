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

struct Process : sim::Component<Start, Ping, Pong> {
  Process(Shared& shared, std::span<const std::uint32_t> peers, std::uint32_t iterations)
      : shared_(&shared),
        peers_(peers.data()),
        peer_count_(static_cast<std::uint32_t>(peers.size())),
        left_(iterations) {}

  void on(const Start&) { ping(); }
  void on(const Ping&, const sim::Event& event) {
    emit(Pong{to_seconds(now())}, event.src(), shared_->delay());
  }
  void on(const Pong&) {
    if (--left_ != 0) ping();
  }

 private:
  void ping() {
    const std::uint32_t peer = peers_[peer_count_ == 1 ? 0 : shared_->dice.below(peer_count_)];
    emit(Ping{to_seconds(now())}, sim::ComponentId{peer}, shared_->delay());
  }

  Shared* shared_;
  const std::uint32_t* peers_;
  std::uint32_t peer_count_;
  std::uint32_t left_;
};

}  // namespace

Outcome run_artel_callback(const Workload& workload) {
  const std::vector<std::uint32_t> peers = choose_peers(workload);
  Shared shared{random::Stream(Seed{1}, "model"), workload.random_delay};
  sim::Simulation simulation;
  for (std::uint32_t i = 0; i < workload.processes; ++i) {
    auto& process = simulation.add<Process>(
        std::to_string(i), shared,
        std::span{peers}.subspan(std::size_t{i} * workload.peers, workload.peers),
        workload.iterations);
    process.emit_self(Start{});
  }
  const double seconds = seconds_of([&] { simulation.run(); });
  return outcome(workload, seconds, simulation.event_count(),
                 static_cast<std::uint64_t>(simulation.now().time_since_epoch().count()));
}

}  // namespace artel::bench::ping_pong
