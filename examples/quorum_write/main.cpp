// A client writes to five replicas and commits when three have answered in time, else rejects. Once
// with callbacks, once with a coroutine. --trace FILE draws the second run for ui.perfetto.dev.
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/simulation_trace.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"
#include "artel/trace/chrome_trace.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;
using sim::LogLevel;

constexpr std::size_t kReplicas = 5;
constexpr std::size_t kQuorum = 3;
constexpr std::uint64_t kWrites = 4;
constexpr Duration kTimeout = 20ms;

struct Write {
  std::uint64_t id;
};
struct Ack {
  std::uint64_t id;
};
std::uint64_t key_of(const Ack& ack) { return ack.id; }
struct Decision {
  std::uint64_t id;
  bool commit;
};

/// Answers after a random while, up to 30 ms, or never.
struct Replica : sim::Component<Write, Decision> {
  void on(const Write& write, const sim::Event& event) {
    const std::uint64_t ms = random().below(40);
    if (ms < 30) emit(Ack{write.id}, event.src(), std::chrono::milliseconds(ms));
  }
  void on(const Decision&) {}
};
using Replicas = std::vector<sim::ComponentId>;

void decide(sim::Context& client, const Replicas& replicas, std::uint64_t id, bool commit) {
  client.log(LogLevel::info, "write {} {}", id, commit ? "committed" : "rejected");
  for (const sim::ComponentId replica : replicas) client.emit(Decision{id, commit}, replica, 1ms);
}

// --- With callbacks: one write after the other, too, each with its timer.

struct GiveUp {
  std::uint64_t id;
};
struct CallbackClient : sim::Component<Ack, GiveUp> {
  explicit CallbackClient(Replicas replicas) : replicas_(std::move(replicas)) {}

  void write(std::uint64_t id) {
    id_ = id;
    acks_ = 0;
    for (const sim::ComponentId replica : replicas_) emit(Write{id}, replica, 1ms);
    timer_ = emit_self(GiveUp{id}, kTimeout);
  }
  void on(const Ack& ack) {
    if (ack.id != id_ || ++acks_ != kQuorum) return;  // for an earlier write, or not the one
    cancel(timer_);
    end(true);
  }
  void on(const GiveUp&) { end(false); }

 private:
  void end(bool commit) {
    decide(*this, replicas_, id_, commit);
    if (id_ < kWrites) {
      write(id_ + 1);
    } else {
      id_ = 0;
    }
  }

  Replicas replicas_;
  std::uint64_t id_ = 0;  // being written
  std::size_t acks_ = 0;
  sim::EventId timer_;
};

// --- With coroutines.

struct Client : sim::Component<Ack> {
  void on(const Ack&) {}  // those that come when nobody waits any more
};

sim::Task<> quorum(sim::Context& client, std::uint64_t id) {
  for (std::size_t i = 0; i < kQuorum; ++i) co_await client.next<Ack>().key(id);
}

sim::Task<> write_all(sim::Context& client, Replicas replicas) {
  for (std::uint64_t id = 1; id <= kWrites; ++id) {
    for (const sim::ComponentId replica : replicas) client.emit(Write{id}, replica, 1ms);
    const auto reached = co_await with_timeout(quorum(client, id), kTimeout);
    decide(client, replicas, id, reached.has_value());
  }
}

// --- A run of either.

template <class Start>
void run(const char* style, sim::SimulationTrace* trace, Start start) {
  std::cout << style << '\n';
  sim::TextLog log(std::cout);
  sim::Simulation simulation({.seed = Seed{4}, .trace = trace});
  simulation.log_to(log);
  simulation.set_log_level(LogLevel::info);
  Replicas replicas;
  for (std::size_t i = 0; i < kReplicas; ++i) {
    replicas.push_back(simulation.add<Replica>(fmt::format("replica-{}", i)).id());
  }
  start(simulation, replicas);
  simulation.run();
}

void run_callbacks() {
  run("callbacks", nullptr, [](sim::Simulation& simulation, const Replicas& replicas) {
    simulation.add<CallbackClient>("client", replicas).write(1);
  });
}

void run_coroutines(sim::SimulationTrace* trace) {
  run("coroutines", trace, [](sim::Simulation& simulation, const Replicas& replicas) {
    auto& client = simulation.add<Client>("client");
    client.spawn(write_all(client, replicas));
  });
}

Result<void> run_traced(const char* path) {
  auto file = trace::ChromeTrace::create(path);
  if (!file) return fail(file);
  sim::SimulationTrace trace(std::move(*file));
  run_coroutines(&trace);
  return trace.finish();
}

}  // namespace

int main(int argc, char** argv) {
  run_callbacks();
  if (argc == 3 && std::string_view(argv[1]) == "--trace") {
    if (const Result<void> done = run_traced(argv[2]); !done) {
      std::cerr << to_string(done.error()) << '\n';
      return 1;
    }
  } else {
    run_coroutines(nullptr);
  }
  return 0;
}
