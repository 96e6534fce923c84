// What happens to a simulated cluster, and what must hold whatever happens.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/model/constant_network.hpp"
#include "artel/sim/model/network.hpp"
#include "artel/sim/model/topology.hpp"
#include "tests/cluster/simulated_cluster.hpp"
#include "tests/cluster/simulated_queue.hpp"
#include "tests/cluster/simulated_scenario.hpp"
#include "tests/cluster/step_watch.hpp"

namespace artel::cluster::simulated {
namespace {

using namespace std::chrono_literals;
using Kind = Fault::Kind;

constexpr Duration kTimeMax = 120s;
constexpr Duration kAfterwards = 12s;       // for what comes late
constexpr Duration kReconnectMax = 200ms;   // a client tries every 100 ms
constexpr Duration kCostMax = kLease + 2s;  // of one fault, from when the server answers again
constexpr sim::NodeId kServerNode{0};
constexpr std::uint64_t kStepsPerSecond = 20'000;  // of simulated time, and so many more
constexpr std::uint64_t kStepsPerChunk = 100;

}  // namespace

// ---- Fate

void Fate::begin() {
  for (std::size_t i = 0; i < world_.scenario.faults.size(); ++i) {
    const Fault& fault = world_.scenario.faults[i];
    emit_self(Turn{i, true}, fault.at - Instant{});
    emit_self(Turn{i, false}, fault.at - Instant{} + fault.lasts);
  }
}

void Fate::on(const Turn& turn) {
  const Fault& fault = world_.scenario.faults[turn.fault];
  world_.note(fmt::format("fault {} {}", turn.fault, turn.begins ? "begins" : "ends"));
  world_.faults_now += turn.begins ? 1 : -1;
  world_.disturbed = now();
  if (fault.kind <= Kind::worker_leaves || fault.kind == Kind::worker_ended) {
    turn_worker(fault, turn.begins);
  } else if (fault.kind <= Kind::master_killed) {
    turn_master(fault, turn.begins);
  } else {
    turn_server(fault, turn.begins);
  }
}

void Fate::reconnect_soon(ClientId client) {
  const auto most = static_cast<std::uint64_t>(kReconnectMax.count());
  emit_self(Reconnect{client}, Duration(static_cast<Duration::rep>(world_.dice.below(most))));
}

void Fate::on(const Reconnect& reconnect) {
  world_.disturbed = now();
  if (world_.server->down) return;  // later
  Client& client = world_.client(reconnect.client);
  client.mute = client.deaf = false;
  world_.server->queue.forget_pulls(reconnect.client);
  client.reconnected();
}

void Fate::turn_worker(const Fault& fault, bool begins) {
  const std::size_t which = fault.who % world_.scenario.workers;
  WorkerHost& worker = *world_.workers[which];
  const bool cut = fault.kind == Kind::worker_cut;
  if (cut || fault.kind == Kind::worker_mute || fault.kind == Kind::worker_deaf) {
    if (!begins) return reconnect_soon(world_.masters.size() + which);
    worker.mute = worker.mute || fault.kind != Kind::worker_deaf;
    worker.deaf = worker.deaf || fault.kind != Kind::worker_mute;
  } else if (fault.kind == Kind::worker_paused) {
    worker.paused = begins;
    if (!begins) worker.resume();
  } else if (begins) {
    if (!worker.is_there()) return;
    if (fault.kind == Kind::worker_killed) return worker.die();
    fault.kind == Kind::worker_ended ? worker.end() : worker.drain();
  } else {
    worker.replace();
  }
}

void Fate::turn_master(const Fault& fault, bool begins) {
  const std::size_t which = fault.who % world_.masters.size();
  MasterHost& master = *world_.masters[which];
  if (fault.kind == Kind::master_paused) {
    master.paused = begins && master.is_there();
    if (!begins) master.resume();
    return;
  }
  if (fault.kind == Kind::master_killed) {
    if (!begins) return on(Revive{which});
    if (master.is_there()) master.die();
    return;
  }
  if (!begins) return reconnect_soon(which);
  master.mute = master.mute || fault.kind != Kind::master_deaf;
  master.deaf = master.deaf || fault.kind != Kind::master_mute;
}

// It connects when it can, and removes what its earlier lives have left.
void Fate::on(const Revive& revive) {
  MasterHost& master = *world_.masters[revive.which];
  Server& server = *world_.server;
  if (master.is_there()) return;
  if (server.down || server.silent || master.mute || master.deaf) {
    emit_self(revive, kReconnectMax);
    return;
  }
  world_.disturbed = now();
  for (const std::string& job : master.earlier_jobs()) server.queue.sweep(job);
  master.begin();
}

void Fate::turn_server(const Fault& fault, bool begins) {
  Server& server = *world_.server;
  if (fault.kind == Kind::queue_silent) {
    server.silent = begins;
    return server.wake();
  }
  if (fault.kind == Kind::passed_over) {
    if (begins) server.queue.pass_over();
    return;
  }
  if (fault.kind == Kind::queue_full) return static_cast<void>(server.full = begins);
  if (fault.kind == Kind::server_deaf) {
    server.silent = begins;
    if (begins)
      emit_self(Flap{static_cast<std::size_t>(&fault - world_.scenario.faults.data())},
                fault.period);
    return server.wake();
  }
  server.down = begins;
  const std::size_t clients = world_.masters.size() + world_.workers.size();
  // Another fault of the server may have ended since: its second start cuts the connections, too.
  for (ClientId i = 0; i < clients; ++i) world_.client(i).mute = world_.client(i).deaf = true;
  if (begins) return;
  if (fault.kind == Kind::store_lost) server.queue.lose_store();
  if (fault.kind == Kind::end_lost) server.queue.lose_end();
  std::set<std::string> ended;
  for (const MasterHost* const master : world_.masters) {
    if (master->done() || master->paused) ended.insert(master->job());  // or is about to be
    ended.insert(master->earlier_jobs().begin(), master->earlier_jobs().end());
  }
  server.queue.restart(fault.kind == Kind::server_killed, ended, world_.dice);
  for (ClientId i = 0; i < clients; ++i) reconnect_soon(i);
  server.wake();
}

// It gives up the connections of those that wait for it, who try again.
void Fate::on(const Flap& flap) {
  const Fault& fault = world_.scenario.faults[flap.fault];
  if (now() >= fault.at + fault.lasts) return;
  world_.disturbed = now();
  const std::size_t clients = world_.masters.size() + world_.workers.size();
  for (ClientId i = 0; i < clients; ++i) {
    world_.client(i).mute = world_.client(i).deaf = true;
    reconnect_soon(i);
  }
  emit_self(flap, fault.period);
}

// ---- The world

void World::count_step() {
  ++steps;
  StepWatch::begin();
  if (now() - counted_from_ >= 1s) {
    counted_from_ = now();
    counted_ = 0;
  }
  const std::uint64_t most = kStepsPerSecond + kStepsPerChunk * scenario.masters * scenario.chunks;
  if (++counted_ < most || std::exchange(stuck_, true)) return;
  problem(fmt::format("{} steps within a second: it does not end", most));
}

World::World(const Scenario& what, std::vector<std::string>* lines)
    : scenario(what),
      transcript(lines),
      simulation({.seed = Seed{what.seed}}),
      dice(Seed{what.seed}, "world") {
  sim::NetworkOptions options;
  options.model = std::make_unique<sim::ConstantNetwork>(what.latency, 1e9);
  if (what.jitter > Duration{}) {
    options.jitter = random::Distribution::uniform({0, to_seconds(what.jitter)}).value();
  }
  options.message_loss = what.loss;
  network_ = &simulation.add<sim::Network>("network", std::move(options));
  std::vector<ClientId> ids;
  for (ClientId i = 0; i < what.masters; ++i) ids.push_back(i);
  server = &simulation.add<Server>("server", *this, ids);
  network_->place(server->id(), kServerNode);
  const auto place = [&](ClientId id, sim::ComponentId component) {
    network_->place(component, sim::NodeId{static_cast<std::uint32_t>(id + 1)});
  };
  for (const ClientId i : ids) {
    masters.push_back(&simulation.add<MasterHost>(name(i), *this, i));
    place(i, masters.back()->id());
  }
  for (std::size_t i = 0; i < what.workers + what.strangers; ++i) {
    const ClientId id = what.masters + i;
    workers.push_back(&simulation.add<WorkerHost>(name(id), *this, id, i >= what.workers));
    place(id, workers.back()->id());
  }
  fate = &simulation.add<Fate>("fate", *this);
}

std::string World::name(ClientId id) const {
  return is_worker(id) ? fmt::format("w{}", id - scenario.masters) : fmt::format("m{}", id);
}

Client& World::client(ClientId id) {
  if (is_worker(id)) return *workers[id - masters.size()];
  return *masters[id];
}

void World::problem(const std::string& what) {
  note("PROBLEM " + what);
  if (problems_.size() < 10) {
    problems_.push_back(fmt::format("at {}: {}", format_duration(now() - Instant{}), what));
  }
}

void World::note(const std::string& line) {
  if (transcript == nullptr) return;
  transcript->push_back(fmt::format("{:10.6f} {}", to_seconds(now()), line));
}

void World::note_words(ClientId client, const char* sign, const std::string& words) {
  if (words != "tick") note(fmt::format("{} {}{}", name(client), sign, words));
}

void World::to_server(sim::ComponentId src, ToServer message) {
  if (client(message.from).mute) return;
  if (scenario.doubles > 0 && dice.uniform() < scenario.doubles) {
    network_->send(src, message, server->id());
  }
  network_->send(src, std::move(message), server->id());
}

void World::to_client(ClientId to, ClientEvent event) {
  const Client& there = client(to);
  if (there.deaf || server->down) return;
  const sim::ComponentId id =
      is_worker(to) ? workers[to - masters.size()]->id() : masters[to]->id();
  ToClient message{to, there.life, std::move(event)};
  if (scenario.doubles > 0 && dice.uniform() < scenario.doubles) {
    network_->send(server->id(), message, id);
  }
  network_->send(server->id(), std::move(message), id);
}

bool World::counts_anew() const {
  return std::ranges::find(scenario.faults, Kind::end_lost, &Fault::kind) != scenario.faults.end();
}

bool World::is_disturbed() const {
  return faults_now > 0 || scenario.loss > 0 || scenario.damaged > 0 || scenario.deadly ||
         now() < disturbed + 2 * kLease;
}

// V2: a lease ends only if something has gone wrong.
void World::check_lease(const SimulatedQueue::EndedLease& ended) {
  if (is_disturbed()) return;
  problem(fmt::format("the lease of {}.{} has ended at {}", ended.job, ended.index,
                      name(ended.worker)));
}

Run World::run() {
  for (MasterHost* const master : masters) master->begin();
  for (WorkerHost* const worker : workers) worker->begin();
  fate->begin();
  const auto done = [&] {
    return std::ranges::all_of(masters, [](const MasterHost* master) { return master->done(); });
  };
  simulation.run_while([&] { return !done() && !stuck_ && now() < Instant{} + kTimeMax; });
  Run result{.makespan = now() - Instant{}};
  if (!done()) problem("not all chunks have ended");
  Instant end = now();
  for (const Fault& fault : scenario.faults) end = std::max(end, fault.at + fault.lasts);
  simulation.run_while([&] { return !stuck_ && now() < end + kAfterwards; });
  // What is erased or acknowledged may be lost as well, and is not told again: it goes when it is
  // old, or when another worker does it once more.
  const bool unheard =
      scenario.loss > 0 || std::ranges::any_of(scenario.faults, [](const Fault& fault) {
        return fault.kind == Kind::queue_silent ||
               (fault.kind == Kind::server_deaf && fault.lasts < kTimeMax / 4);
      });
  if (server->queue.kept() > 0 && !unheard && !stuck_)
    problem("the queue still has" + server->queue.describe_kept());
  result.problems = std::move(problems_);
  result.steps = steps;
  result.worked = worked;
  result.response = waited / static_cast<Duration::rep>(scenario.masters * scenario.chunks);
  return result;
}

Run run(const Scenario& scenario, std::vector<std::string>* transcript) {
  return World(scenario, transcript).run();
}

Run check(const Scenario& scenario) {
  Run result = run(scenario);
  if (scenario.faults.size() != 1 || scenario.loss > 0 || scenario.damaged > 0 || scenario.deadly ||
      scenario.hasty)
    return result;
  const Fault& fault = scenario.faults[0];
  Scenario calm = scenario;
  calm.faults.clear();
  const Run usual = run(calm);
  // What was lost is done again; what all of it takes is left to chance.
  const auto threads = static_cast<Duration::rep>(scenario.workers * scenario.threads);
  const Duration more = std::max(result.worked - usual.worked, Duration{}) / threads;
  const Duration limit = usual.makespan + fault.lasts + kCostMax + 4 * scenario.work + more;
  if (result.makespan > limit) {
    result.problems.push_back(fmt::format(
        "it took {}; {} without the fault, which lasts {}", format_duration(result.makespan),
        format_duration(usual.makespan), format_duration(fault.lasts)));
  }
  return result;
}

}  // namespace artel::cluster::simulated
