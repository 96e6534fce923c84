// What code of the model's does when the kernel runs it: anything.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "tests/scheduler/guards.hpp"

namespace artel::guards_test {

World* world = nullptr;

Guard::Guard() { ++world->guards; }
Guard::~Guard() {
  --world->guards;
  act();
}
Node::~Node() {
  for (Node*& node : world->nodes) {
    if (node == this) node = nullptr;
  }
}

namespace {

void act_on_components(World& in, std::uint64_t what) {
  const sim::ComponentId id = in.any_id();
  const auto pending = static_cast<sim::Pending>(in.below(4));
  if (what == 0) in.simulation->crash(id, pending);
  if (what == 1) in.simulation->remove(id, pending);
  if (what > 1 && !in.simulation->exists(id)) {
    for (std::size_t i = 0; i < in.ids.size(); ++i) {
      if (in.ids[i] == id) in.nodes[i] = &in.simulation->restart<Node>(id);
    }
  }
}

void act_on_processes(World& in, std::uint64_t what) {
  if (in.processes.empty()) return;
  const sim::ProcessRef process = in.processes[in.below(in.processes.size())];
  if (what < 3) process.cancel();
  if (what == 3) process.interrupt(Value(3));
  if (what == 4) process.suspend();
  if (what == 5) process.resume();
  if (what == 6) in.processes[in.below(in.processes.size())] = process;  // lets go of another
}

void act_on_events(World& in, std::uint64_t what) {
  Node* const node = in.any_node();
  if (node == nullptr) return;
  if (what == 0) {
    in.events.push_back(node->emit(Letter{Value(2)}, in.any_id(), Node::soon(*node)));
  }
  if (what == 1) node->emit_now(Letter{Value(4)}, in.any_id());
  if (what == 2 && !in.events.empty()) node->cancel(in.events[in.below(in.events.size())]);
  if (what == 3) {
    in.simulation->cancel_if([](const sim::Event&) {
      act();
      return world->below(4) == 0;
    });
  }
  if (what == 4) {
    const sim::Process<Value> process = node->spawn(part(*node, 0));
    if (in.below(2) == 0 && !in.ends) in.processes.push_back(process);
  }
}

void act_on_shared(World& in, std::uint64_t what) {
  if (in.shared == nullptr) return;
  Shared& shared = *in.shared;
  switch (what) {
    case 0:
      shared.buffered.try_send(Value(5));
      break;
    case 1:
      (void)shared.buffered.try_receive();
      break;
    case 2:
      shared.unbuffered.try_send(Value(6));
      break;
    case 3:
      (void)shared.unbuffered.try_receive();
      break;
    case 4:
      shared.plain.try_send(7);
      break;
    case 5:
      shared.semaphore.release();
      break;
    case 6:
      shared.flag.set();
      break;
    case 7:
      shared.flag.reset();
      break;
    case 8:
      shared.condition.notify_all();
      break;
    case 9:
      shared.answer.succeed(Value(8));
      break;
    case 10:
      shared.answer.fail(std::make_exception_ptr(Failure()));
      break;
    default:
      break;
  }
}

}  // namespace

void act() {
  if (world == nullptr || world->budget == 0 || world->depth == 6) return;
  if (world->below(3) != 0) return;
  --world->budget;
  ++world->acts;
  ++world->depth;
  switch (world->below(4)) {
    case 0:
      act_on_components(*world, world->below(5));
      break;
    case 1:
      act_on_processes(*world, world->below(7));
      break;
    case 2:
      act_on_events(*world, world->below(5));
      break;
    default:
      act_on_shared(*world, world->below(12));
  }
  --world->depth;
}
}  // namespace artel::guards_test
