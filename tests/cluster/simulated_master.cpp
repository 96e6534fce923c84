// A master on a host of its own.

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/context.hpp"
#include "tests/cluster/master_laws.hpp"
#include "tests/cluster/master_promises.hpp"
#include "tests/cluster/overloaded.hpp"
#include "tests/cluster/simulated_cluster.hpp"
#include "tests/cluster/simulated_queue.hpp"
#include "tests/cluster/simulated_scenario.hpp"
#include "tests/cluster/step_watch.hpp"

namespace artel::cluster::simulated {
namespace {

using namespace std::chrono_literals;

}  // namespace

// ---- Masters

MasterHost::MasterHost(World& world, ClientId id)
    : Client(world, id),
      task_(world.scenario.upgrade && id == 1 ? other_task : known_task),
      chunks_(world.scenario.chunks) {}

void MasterHost::begin() {
  if (done()) return;
  machine_ = std::make_unique<MasterMachine>(
      MasterMachine::Options{.queue = queue_options(world_.scenario),
                             .reply = fmt::format("{}", id_),
                             .seed = world_.scenario.seed});
  disconnected_ = false;
  job_ = fmt::format("j{}", id_) + std::string(life, '+');
  promises_ = std::make_unique<MasterPromises>(job_, queue_options(world_.scenario));
  laws_ = std::make_unique<MasterLaws>(
      job_, fmt::format("{}", id_), queue_options(world_.scenario),
      world_.counts_anew() ? MasterLaws::Numbers::again : MasterLaws::Numbers::once);
  taken_ = 0;
  world_.to_server(Context::id(),
                   {id_, 0,
                    Forward{Forward::Whom::workers, 0,
                            WorkerEvent(Discovered{world_.scenario.asks ? fmt::format("{}", id_)
                                                                        : std::string()})}});
  step(JobBegun{job_});
  emit_self(Tick{life}, machine_->tick_every());
  if (world_.scenario.gap > Duration{}) expect_arrival();
}

void MasterHost::expect_arrival() {
  const double share = -std::log(1 - world_.dice.uniform());
  const double gap = static_cast<double>(world_.scenario.gap.count()) * share;
  emit_self(Arrival{}, Duration(static_cast<Duration::rep>(gap)));
}

void MasterHost::on(const Arrival& /*arrival*/) {
  arrived_.push_back(now());
  step(SourceGrew{job_});
  if (arrived_.size() < chunks_) expect_arrival();
}

void MasterHost::die() {
  world_.note(fmt::format("{} dies", world_.name(id_)));
  ++life;
  machine_.reset();
  paused = false;
  backlog_.clear();
  earlier_jobs_.push_back(job_);
}

void MasterHost::on(ToClient& message) {
  if (!deaf) take(std::move(message.event));
}

void MasterHost::take(ClientEvent event) {
  if (!machine_) return;
  if (paused) return backlog_.push_back(std::move(event));
  step(std::get<MasterEvent>(std::move(event)));
}

void MasterHost::on(const Tick& tick) {
  if (tick.life != life) return;
  if (!paused) {
    if (mute && deaf && !std::exchange(disconnected_, true))
      step(MasterDisconnected{{ErrorCode::closed, "the connection is lost", ""}});
    step(MasterTick{});
  }
  emit_self(Tick{life}, machine_->tick_every());
}

void MasterHost::reconnected() {
  disconnected_ = false;
  take(MasterEvent(MasterReconnected{}));
}

void MasterHost::resume() {
  paused = false;
  if (machine_ && world_.scenario.seed % 2 == 0) step(MasterTick{});
  for (auto& event : std::exchange(backlog_, {})) take(std::move(event));
}

void MasterHost::step(MasterEvent event) {
  next_.push_back(std::move(event));
  if (std::exchange(stepping_, true)) return;
  while (!next_.empty()) {
    MasterEvent one = std::move(next_.front());
    next_.pop_front();
    world_.note(id_, "", one);
    const Instant time = local(now());
    const MasterEvent seen = one;
    promises_->told(one, time);
    laws_->told(one, time);
    world_.count_step();
    MasterActions actions = machine_->step(std::move(one), time);
    StepWatch::end();
    for (const std::string& broken : promises_->did(actions)) world_.problem(job_ + ": " + broken);
    for (const std::string& broken : laws_->check(seen, actions, *machine_, time))
      world_.problem(job_ + ": " + broken);
    for (MasterAction& action : actions) {
      world_.note(id_, "> ", action);
      perform(action);
    }
    const std::size_t clients = world_.workers.size();
    const std::size_t most = 2 + clients * (2 * (world_.scenario.threads + 1) + 4 * 16);
    if (machine_->out() > most) world_.problem(fmt::format("{} chunks are out", machine_->out()));
  }
  stepping_ = false;
}

void MasterHost::perform(MasterAction& action) {
  std::visit(
      Overloaded{
          [&](const TakeChunks& x) {
            const bool all = world_.scenario.gap == Duration{};
            const std::size_t there = all ? chunks_ : arrived_.size();
            for (std::size_t i = 0; i < x.count && taken_ < there; ++taken_) {
              if (ended_.contains(taken_)) continue;  // the journal has it
              auto order = std::make_shared<ChunkOrder>();
              order->job = job_;
              order->index = taken_;
              order->count = 1;
              order->map = task_;
              ++i;
              next_.emplace_back(ChunkTaken{std::move(order)});
            }
            if (taken_ == there) next_.emplace_back(SourceEmpty{job_});
          },
          [&](const FinishChunk& x) { ended("finished", x.result.index); },
          [&](const FailChunk& x) { ended("failed: " + x.error.what, x.chunk.index); },
          [&](const GiveUpChunk& x) { ended("given up", x.chunk.index); },
          [&](const CallQueue& x) {
            world_.to_server(
                Context::id(),
                {id_, 0, Forward{Forward::Whom::workers, 0, WorkerEvent(QueueCalled{x.call})}});
          },
          [&](const TellProblem&) {},
          [&](const auto&) { world_.to_server(Context::id(), {id_, 0, std::move(action)}); }},
      action);
}

void MasterHost::ended(const std::string& how, std::uint64_t index) {
  const auto [at, first] = ended_.emplace(index, how);
  if (!first) {
    world_.problem(fmt::format("{}: chunk {} has {} and then {}", job_, index, at->second, how));
  }
  // A chunk is tried while nothing else of its master is out; another master's may kill its worker.
  // One that fails on its own has no try to spare for what is lost besides.
  const bool deadly =
      (world_.scenario.deadly && (index == kDeadly || world_.scenario.masters > 1)) ||
      (world_.scenario.failing > 0 && index == kFailing);
  if (how != "finished" && !deadly && !world_.scenario.hasty) {
    world_.problem(fmt::format("{}: chunk {} has {}", job_, index, how));
  }
  if (index < arrived_.size()) world_.waited += now() - arrived_[index];
  if (done()) next_.emplace_back(JobEnded{job_});
}

}  // namespace artel::cluster::simulated
