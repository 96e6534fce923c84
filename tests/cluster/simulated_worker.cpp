// A worker on a host of its own.

#include <fmt/core.h>

#include <algorithm>
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
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_machine.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/context.hpp"
#include "tests/cluster/master_promises.hpp"
#include "tests/cluster/simulated_cluster.hpp"
#include "tests/cluster/simulated_queue.hpp"
#include "tests/cluster/simulated_scenario.hpp"

namespace artel::cluster::simulated {
namespace {

using namespace std::chrono_literals;

}  // namespace

// ---- Workers

WorkerHost::WorkerHost(World& world, ClientId id, bool stranger)
    : Client(world, id), stranger_(stranger) {}

void WorkerHost::begin() {
  const std::string name = fmt::format("{}l{}", world_.name(id_), ++life);
  WorkerMachine::Options options{.id = name,
                                 .threads = world_.scenario.threads,
                                 .report_every = kReportEvery,
                                 .retry_delay = 100ms,
                                 .tasks = {stranger_ ? other_task : known_task, tag_key("gpu")},
                                 .own_queue = Subjects::own_consumer(name),
                                 .inbox = name};
  laws_ = std::make_unique<WorkerLaws>(options);
  machine_ = std::make_unique<WorkerMachine>(std::move(options), local(now()));
  step(WorkerTick{});
}

void WorkerHost::die() {
  world_.note(fmt::format("{} dies", world_.name(id_)));
  ++life;
  machine_.reset();
  posted_.clear();
  running_.clear();
  backlog_.clear();
  worked_meanwhile_.clear();
  planned_ = kNever;
  world_.server->queue.forget_pulls(id_);
}

void WorkerHost::end() {
  step(EndWanted{});
  if (machine_) die();
}

void WorkerHost::replace() {
  paused = false;
  if (is_there()) {
    replaced_ = true;
  } else {
    begin();
  }
}

void WorkerHost::on(ToClient& message) {
  if (!deaf && message.life == life) take(std::move(message.event));
}

void WorkerHost::take(ClientEvent event) {
  if (!machine_) return;
  if (paused) return backlog_.push_back(std::move(event));
  const auto& one = std::get<WorkerEvent>(event);
  const auto* const chunk = std::get_if<ChunkCame>(&one);
  if (chunk != nullptr && world_.scenario.damaged > 0 &&
      world_.dice.uniform() < world_.scenario.damaged) {
    return step(UnreadableCame{chunk->queue, chunk->ack, {ErrorCode::parse, "no chunk", ""}});
  }
  step(one);
}

void WorkerHost::on(const Tick& tick) {
  if (tick.life != life || tick.at != planned_) return;
  planned_ = kNever;
  if (paused) return;
  step(WorkerTick{});
}

void WorkerHost::on(const Worked& worked) {
  if (worked.life != life || !machine_) return;
  if (paused) return worked_meanwhile_.push_back(worked);
  const auto at = running_.find(worked.lease);
  const ChunkOrder& order = *at->second.order;
  const bool fails = order.index == kFailing && at->second.delivery <= world_.scenario.failing;
  if (world_.scenario.deadly && order.index == kDeadly) {
    die();
    return begin();
  }
  result_ = ChunkResult{.job = order.job,
                        .index = order.index,
                        .epoch = order.epoch,
                        .worker = world_.name(id_),
                        .outcome = fails ? ChunkOutcome::failed
                                   : order.map == (stranger_ ? other_task : known_task)
                                       ? ChunkOutcome::done
                                       : ChunkOutcome::refused,
                        .worked = world_.scenario.work,
                        .count = 1};
  running_.erase(at);
  step(ChunkWorked{.lease = worked.lease, .outcome = result_.outcome, .worked = result_.worked});
  if (machine_) start_threads();
}

void WorkerHost::reconnected() { take(WorkerEvent(WorkerReconnected{})); }

void WorkerHost::resume() {
  paused = false;
  if (!machine_) return;
  for (auto& event : std::exchange(backlog_, {})) take(std::move(event));
  for (const Worked& worked : std::exchange(worked_meanwhile_, {})) on(worked);
  if (machine_) step(WorkerTick{});
}

void WorkerHost::step(const WorkerEvent& event) {
  if (!machine_) return;
  world_.note(id_, "", event);
  world_.count_step();
  const Instant time = local(now());
  WorkerActions actions = machine_->step(event, time);
  StepWatch::end();
  for (const std::string& broken : laws_->check(event, actions, *machine_, time))
    world_.problem(world_.name(id_) + ": " + broken);
  for (WorkerAction& action : actions) {
    world_.note(id_, "> ", action);
    perform(action);
  }
  if (!machine_) return;
  for (const LeaseId lease : std::exchange(not_posted_, {})) step(NotPosted{lease});
  if (!machine_) return;
  const std::size_t queues = 1 + 2 * world_.masters.size();
  const std::size_t most = queues * (world_.scenario.threads + 16) + 64;
  if (machine_->leased() > most) {
    world_.problem(fmt::format("{} has leased {}", world_.name(id_), machine_->leased()));
  }
  plan_tick();
}

void WorkerHost::plan_tick() {
  const Instant next = std::max(global(machine_->wake_at()), now());
  if (next >= planned_) return;
  planned_ = next;
  emit_self(Tick{life, next}, next - now());
}

void WorkerHost::perform(WorkerAction& action) {
  const auto send = [&](auto what, Duration lease = {}) {
    world_.to_server(Context::id(), {id_, life, std::move(what), lease});
  };
  const auto master_of = [](const std::string& reply) {
    return static_cast<ClientId>(reply[0] - '0');
  };
  std::visit(
      Overloaded{[&](const TellServer& x) { send(WorkerAction(x), kLease); },
                 [&](const PostLease& x) {
                   if (world_.scenario.unposted > 0 &&
                       world_.dice.uniform() < world_.scenario.unposted)
                     return not_posted_.push_back(x.lease);
                   posted_.push_back(x.lease);
                   start_threads();
                 },
                 [&](const RunChunk& x) {
                   running_.emplace(x.lease, x);
                   const double share = -std::log(1 - world_.dice.uniform());
                   const double time = static_cast<double>(world_.scenario.work.count()) * share;
                   const Duration takes(static_cast<Duration::rep>(time));
                   world_.worked += takes;
                   emit_self(Worked{life, x.lease}, takes);
                 },
                 [&](const AnswerChunk& x) {
                   send(Forward{Forward::Whom::one, master_of(x.order->reply),
                                MasterEvent(ResultCame{result_})});
                   send(WorkerAction(TellServer{x.ack, x.word}), kLease);
                 },
                 [&](const AnswerBeacon& x) {
                   send(Forward{Forward::Whom::one, master_of(x.reply),
                                MasterEvent(BeaconAnswered{x.answer})});
                 },
                 [&](const SendReport& x) {
                   send(Forward{Forward::Whom::masters, 0, MasterEvent(ReportCame{x.report})});
                 },
                 [&](const Pull& x) { send(WorkerAction(x)); },
                 [&](const LookUpQueue& x) { send(WorkerAction(x)); },
                 [&](const WorkerLeft&) {
                   die();
                   if (std::exchange(replaced_, false)) begin();
                 },
                 [](const auto&) {}},
      action);
}

void WorkerHost::start_threads() {
  while (machine_ && !posted_.empty() && running_.size() < world_.scenario.threads) {
    const LeaseId lease = posted_.front();
    posted_.pop_front();
    step(ThreadReady{lease});
  }
}

}  // namespace artel::cluster::simulated
