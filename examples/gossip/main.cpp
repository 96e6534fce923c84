// A rumour spreads among nodes that crash and come back without their memory. Once with callbacks,
// once with coroutines.
#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <string>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;

constexpr std::uint32_t kNodes = 16;  // their ids are 0 to 15
constexpr Duration kPeriod = 10ms;

struct Rumour {};

/// What there is to see: for each node `#` knows, `.` does not, `x` is down.
struct Board {
  std::string nodes = std::string(kNodes, 'x');
};

/// What both kinds of node have: they come up knowing nothing, and tell somebody what they know.
class Memory {
 public:
  Memory(Board& board, sim::ComponentId node) : mark_(&board.nodes[index(node)]) { *mark_ = '.'; }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { *mark_ = 'x'; }

  void learn() { *mark_ = '#'; }
  void tell(sim::Context& node) const {
    if (*mark_ != '#') return;
    const auto peer = static_cast<std::uint32_t>(node.random().below(kNodes));
    node.emit(Rumour{}, sim::ComponentId{peer}, 1ms);
  }

 private:
  char* mark_;
};

// --- With callbacks: a tick that a node sends to itself.

struct Tick {};

class CallbackNode : public sim::Component<Rumour, Tick> {
 public:
  explicit CallbackNode(Board& board) : memory_(board, id()) { emit_self(Tick{}, kPeriod); }
  void on(const Rumour&) { memory_.learn(); }
  void on(const Tick&) {
    memory_.tell(*this);
    emit_self(Tick{}, kPeriod);
  }

 private:
  Memory memory_;
};

// --- With a coroutine for what a node does by itself, and a callback for what happens to it.

class CoroutineNode : public sim::Component<Rumour> {
 public:
  explicit CoroutineNode(Board& board) : memory_(board, id()) { spawn(gossip()); }
  void on(const Rumour&) { memory_.learn(); }

 private:
  sim::Task<> gossip() {
    for (;;) {
      co_await sleep(kPeriod);
      memory_.tell(*this);
    }
  }

  Memory memory_;
};

// --- Crashes: every 25 ms another node, for 40 ms.

template <class Node>
sim::Task<> restart_later(sim::Context& self, sim::Simulation& simulation, Board& board,
                          sim::ComponentId node) {
  co_await self.sleep(40ms);
  simulation.restart<Node>(node, board);
}

template <class Node>
sim::Task<> crash_nodes(sim::Context& self, sim::Simulation& simulation, Board& board) {
  for (std::uint32_t node = 0; node < 6; ++node) {
    co_await self.sleep(25ms);
    simulation.crash(sim::ComponentId{node});
    self.spawn(restart_later<Node>(self, simulation, board, sim::ComponentId{node}));
  }
}

template <class Node>
std::string run(const char* style) {
  Board board;
  sim::Simulation simulation({.seed = Seed{1}});
  for (std::uint32_t i = 0; i < kNodes; ++i) simulation.add<Node>(fmt::format("node-{}", i), board);
  auto& faults = simulation.add_context("faults");
  faults.spawn(crash_nodes<Node>(faults, simulation, board));
  faults.emit(Rumour{}, sim::ComponentId{0}, 0ms);
  std::string story;
  for (int step = 0; step <= 10; ++step) {
    story += fmt::format("{:>3} ms  {}\n", 20 * step, board.nodes);
    simulation.run_for(20ms);
  }
  std::cout << fmt::format("{}\n{}dropped on their way to a node that was down: {}\n\n", style,
                           story, simulation.dropped_count());
  return story;
}

}  // namespace

int main() {
  const std::string with_callbacks = run<CallbackNode>("callbacks");
  const std::string with_coroutines = run<CoroutineNode>("coroutines");
  const bool same = with_callbacks == with_coroutines;
  std::cout << (same ? "the same story\n" : "different stories\n");
  return same ? 0 : 1;
}
