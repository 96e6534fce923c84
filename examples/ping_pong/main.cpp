// Ping-pong, once with callbacks and once with a coroutine: different code, the same events.
#include <fmt/format.h>

#include <cstdint>
#include <iostream>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/trace/fingerprint.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;

constexpr std::uint32_t kRounds = 3;

struct Ping {
  std::uint32_t round;
};
struct Pong {
  std::uint32_t round;
};

struct Server : sim::Component<Ping> {
  void on(const Ping& ping, const sim::Event& event) {
    log(sim::LogLevel::info, "ping {}", ping.round);
    emit(Pong{ping.round}, event.src(), 2ms);
  }
};

// --- With callbacks: what to do next is spread over the handlers, what is known over the members.

struct CallbackClient : sim::Component<Pong> {
  explicit CallbackClient(sim::ComponentId server) : server_(server) {}

  void start() { emit(Ping{round_}, server_, 1ms); }
  void on(const Pong& pong) {
    log(sim::LogLevel::info, "pong {}", pong.round);
    if (++round_ < kRounds) emit(Ping{round_}, server_, 1ms);
  }

 private:
  sim::ComponentId server_;
  std::uint32_t round_ = 0;
};

// --- With a coroutine: a loop.

sim::Task<> client(sim::Context& self, sim::ComponentId server) {
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    self.emit(Ping{round}, server, 1ms);
    const auto pong = co_await self.next<Pong>().from(server);
    self.log(sim::LogLevel::info, "pong {}", pong->round);
  }
}

// --- A run of either.

template <class Start>
trace::Fingerprint run(const char* style, Start start) {
  std::cout << style << '\n';
  sim::TextLog log(std::cout);
  sim::Simulation simulation({.seed = Seed{1}, .fingerprint = true});
  simulation.log_to(log);
  simulation.set_log_level(sim::LogLevel::info);
  auto& server = simulation.add<Server>("server");
  start(simulation, server.id());
  simulation.run();
  std::cout << fmt::format("{} events, fingerprint {}\n\n", simulation.event_count(),
                           simulation.fingerprint().text());
  return simulation.fingerprint();
}

}  // namespace

int main() {
  const auto with_callbacks =
      run("callbacks", [](sim::Simulation& simulation, sim::ComponentId server) {
        simulation.add<CallbackClient>("client", server).start();
      });
  const auto with_coroutine =
      run("coroutine", [](sim::Simulation& simulation, sim::ComponentId server) {
        auto& context = simulation.add_context("client");
        context.spawn(client(context, server));
      });
  const bool same = with_callbacks == with_coroutine;
  std::cout << (same ? "the same run\n" : "different runs\n");
  return same ? 0 : 1;
}
