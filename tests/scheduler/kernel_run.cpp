#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/barrier.hpp"
#include "artel/sim/kernel/channel.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/condition.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/resource.hpp"
#include "artel/sim/kernel/semaphore.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/with_timeout.hpp"
#include "tests/scheduler/program.hpp"

namespace artel::scheduler_test {
namespace {

struct Mail {
  std::uint64_t key;
};
std::uint64_t key_of(const Mail& mail) { return mail.key; }

struct World : sim::Component<Mail> {
  World(const Program& of, Trace& to) : program(&of), trace(&to) {}

  void on(const Mail& mail) { note(kHandled, 0, static_cast<int>(mail.key)); }
  void note(int process, int step, int value) {
    trace->push_back({now().time_since_epoch().count(), process, step, value});
  }
  sim::Channel<int>& channel(int i) { return channels[static_cast<std::size_t>(i) % kChannels]; }
  sim::Task<int> run(std::size_t script, int self);
  sim::Task<int> wait_for_several(std::size_t script, Step step, int to_send,
                                  std::vector<sim::Lease>& leases);
  int act(std::size_t script, const Step& step, int to_send, std::vector<sim::Lease>& leases);

  const Program* program;
  Trace* trace;
  int processes = 0;
  std::vector<sim::Process<int>> handles;
  std::array<sim::Channel<int>, kChannels> channels = {sim::Channel<int>{kCapacity[0]},
                                                       sim::Channel<int>{kCapacity[1]},
                                                       sim::Channel<int>{kCapacity[2]}};
  sim::Resource units{kUnits};
  sim::Semaphore semaphore{1};
  sim::Flag flag;
  sim::Condition condition;
  sim::Barrier barrier{2};
};

struct Guard {
  World* world;
  int process;
  ~Guard() { world->note(process, 0, kEnded); }
};

// A step that does not wait.
int World::act(std::size_t script, const Step& step, int to_send, std::vector<sim::Lease>& leases) {
  const auto [what, a, b] = step;
  int value = 0;
  switch (what) {
    case Do::try_send:
      value = channel(a).try_send(to_send) ? 1 : 0;
      break;
    case Do::try_receive:
      value = channel(a).try_receive().value_or(kNothing);
      break;
    case Do::close:
      channel(a).close();
      break;
    case Do::release:
      if (!leases.empty()) leases.pop_back();
      value = static_cast<int>(units.free());
      break;
    case Do::up:
      semaphore.release();
      value = static_cast<int>(semaphore.count());
      break;
    case Do::set_flag:
      flag.set();
      break;
    case Do::reset_flag:
      flag.reset();
      break;
    case Do::notify:
      value = static_cast<int>(condition.notify_all());
      break;
    case Do::emit:
      emit_self(Mail{static_cast<std::uint64_t>(a % 3)}, Duration{b});
      break;
    case Do::spawn: {
      const std::size_t other = later_script(*program, script, a);
      value = kSkipped;
      if (other == program->size() || processes == kProcessesMax) break;
      value = processes++;
      handles.push_back(spawn(run(other, value)));
      break;
    }
    case Do::cancel:
      value = handles[static_cast<std::size_t>(a) % handles.size()].cancel() ? 1 : 0;
      break;
    default:
      break;
  }
  return value;
}

// A step that waits for one of several things, in a task of its own within the same process.
sim::Task<int> World::wait_for_several(std::size_t script, Step step, int to_send,
                                       std::vector<sim::Lease>& leases) {
  const auto [what, a, b] = step;
  const Duration time{b};
  int value = 0;
  switch (what) {
    case Do::join: {
      const sim::Process<int> other = handles[static_cast<std::size_t>(a) % handles.size()];
      try {
        const std::optional<int> result = co_await other.join();
        value = result.value_or(kNothing);
      } catch (const std::runtime_error&) {
        value = kFailed;
      }
      break;
    }
    case Do::next_within: {
      const auto got = co_await next<Mail>().key(static_cast<std::uint64_t>(a % 3)).within(time);
      value = got ? static_cast<int>((*got)->key) : kTimedOut;
      break;
    }
    case Do::receive_within: {
      const auto got = co_await sim::with_timeout(channel(a).receive(), time);
      value = got ? got->value_or(kNothing) : kTimedOut;
      break;
    }
    case Do::receive_any: {
      const auto got =
          co_await sim::any_of(channel(a).receive(), channel(b).receive(), sleep(Duration{3}));
      value = got.index() == 0   ? std::get<0>(got).value_or(kNothing)
              : got.index() == 1 ? std::get<1>(got).value_or(kNothing)
                                 : kTimedOut;
      break;
    }
    case Do::send_or_receive: {
      auto got =
          co_await sim::any_of(channel(a).receive(), channel(b).send(to_send), units.acquire());
      if (got.index() == 0) {
        value = std::get<0>(got).value_or(kNothing);
      } else if (got.index() == 1) {
        value = std::get<1>(got) ? 1 : 0;
      } else {
        leases.push_back(std::get<2>(std::move(got)));
        value = kTimedOut;
      }
      break;
    }
    case Do::run_within: {
      const std::size_t other = later_script(*program, script, a);
      value = kSkipped;
      if (other == program->size() || processes == kProcessesMax) break;
      const int child = processes++;
      try {
        const auto got = co_await sim::any_of(run(other, child), sleep(time));
        value = got.index() == 0 ? std::get<0>(got) : kTimedOut;
      } catch (const std::runtime_error&) {
        value = kFailed;
      }
      break;
    }
    default:
      break;
  }
  co_return value;
}

// A process: one case per kind of step that waits for one thing.
sim::Task<int> World::run(std::size_t script, int self) {
  const Guard guard{this, self};
  std::vector<sim::Lease> leases;
  const Script& steps = (*program)[script];
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step step = steps[i];
    const int to_send = self * 100 + static_cast<int>(i);
    int value = 0;
    switch (step.what) {
      case Do::sleep:
        co_await sleep(Duration{step.b});
        break;
      case Do::send: {
        const bool sent = co_await channel(step.a).send(to_send);
        value = sent ? 1 : 0;
        break;
      }
      case Do::receive: {
        const std::optional<int> got = co_await channel(step.a).receive();
        value = got.value_or(kNothing);
        break;
      }
      case Do::acquire: {
        sim::Lease lease =
            co_await units.acquire(static_cast<std::uint64_t>(1 + step.a % 3), step.b % 3);
        leases.push_back(std::move(lease));
        value = static_cast<int>(units.free());
        break;
      }
      case Do::down:
        co_await semaphore.acquire();
        value = static_cast<int>(semaphore.count());
        break;
      case Do::wait_flag:
        co_await flag.wait();
        break;
      case Do::wait_condition:
        co_await condition.wait();
        break;
      case Do::arrive:
        co_await barrier.arrive();
        break;
      case Do::next: {
        const auto got = co_await next<Mail>();
        value = static_cast<int>(got->key);
        break;
      }
      case Do::next_with_key: {
        const auto got = co_await next<Mail>().key(static_cast<std::uint64_t>(step.a % 3));
        value = static_cast<int>(got->key);
        break;
      }
      case Do::fail:
        throw std::runtime_error("as planned");
      case Do::join:
      case Do::next_within:
      case Do::receive_within:
      case Do::receive_any:
      case Do::send_or_receive:
      case Do::run_within:
        value = co_await wait_for_several(script, step, to_send, leases);
        break;
      default:
        value = act(script, step, to_send, leases);
    }
    note(self, static_cast<int>(i), value);
  }
  co_return self;
}

}  // namespace

Trace kernel_run(const Program& program) {
  Trace trace;
  Trace seen;
  sim::Simulation simulation;
  auto& world = simulation.add<World>("world", program, trace);
  for (std::size_t script = 0; script < std::min<std::size_t>(2, program.size()); ++script) {
    world.handles.push_back(world.spawn(world.run(script, world.processes++)));
  }
  simulation.run();
  seen = trace;
  for (std::size_t i = 0; i < world.handles.size(); ++i) {
    seen.push_back({0, static_cast<int>(i), 0, static_cast<int>(world.handles[i].status())});
  }
  return seen;
}

}  // namespace artel::scheduler_test
