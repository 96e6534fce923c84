#include "tests/cluster/simulated_cluster.hpp"

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
#include "tests/cluster/simulated_queue.hpp"
#include "tests/cluster/simulated_scenario.hpp"

namespace artel::cluster::simulated {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLease = 1s;
constexpr Duration kReportEvery = 1s;
constexpr std::uint64_t kDeadly = 3;  // index of the chunk

const TaskKey known_task{"work", 1, 0};
const TaskKey other_task{"work", 2, 0};

QueueOptions queue_options(const Scenario& scenario) {
  QueueOptions options{.lease = kLease, .tries = scenario.tries};
  if (!scenario.speculates) options.speculation = 0;
  if (scenario.own_queues) options.dispatch = dispatch::LeastLoaded{};
  if (scenario.sampled) options.dispatch = dispatch::Jsq{.d = 2};
  return check(options).value();
}

}  // namespace

// ---- Clients

Client::Client(World& world, ClientId id) : world_(world), id_(id) {
  if (!world.scenario.skewed) return;
  offset_ = Duration(std::chrono::seconds(world.dice.below(1'000'000)));
  speed_ = 0.99 + world.dice.uniform() * 0.02;
}

Instant Client::local(Instant time) const {
  const auto passed = static_cast<double>(time.time_since_epoch().count()) * speed_;
  return Instant(offset_ + Duration(static_cast<Duration::rep>(passed)));
}

Instant Client::global(Instant time) const {
  if (time == kNever) return kNever;
  const auto passed = static_cast<double>((time.time_since_epoch() - offset_).count()) / speed_;
  return Instant(Duration(static_cast<Duration::rep>(std::ceil(passed))));
}

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
  taken_ = 0;
  world_.to_server(Context::id(),
                   {id_, 0, Forward{Forward::Whom::workers, 0, WorkerEvent(Discovered{})}});
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
  for (auto& event : std::exchange(backlog_, {})) take(std::move(event));
}

void MasterHost::step(MasterEvent event) {
  next_.push_back(std::move(event));
  if (std::exchange(stepping_, true)) return;
  while (!next_.empty()) {
    MasterEvent one = std::move(next_.front());
    next_.pop_front();
    world_.note(id_, "", one);
    ++world_.steps;
    const Instant time = local(now());
    promises_->told(one, time);
    MasterActions actions = machine_->step(std::move(one), time);
    for (const std::string& broken : promises_->did(actions)) world_.problem(job_ + ": " + broken);
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
          [&](const BuryLetter&) {}, [&](const TellProblem&) {},
          [&](const auto&) { world_.to_server(Context::id(), {id_, 0, std::move(action)}); }},
      action);
}

void MasterHost::ended(const std::string& how, std::uint64_t index) {
  const auto [at, first] = ended_.emplace(index, how);
  if (!first) {
    world_.problem(fmt::format("{}: chunk {} has {} and then {}", job_, index, at->second, how));
  }
  // A chunk is tried while nothing else of its master is out; another master's may kill its worker.
  const bool deadly = world_.scenario.deadly && (index == kDeadly || world_.scenario.masters > 1);
  if (how != "finished" && !deadly) {
    world_.problem(fmt::format("{}: chunk {} has {}", job_, index, how));
  }
  if (index < arrived_.size()) world_.waited += now() - arrived_[index];
  if (done()) next_.emplace_back(JobEnded{job_});
}

// ---- Workers

WorkerHost::WorkerHost(World& world, ClientId id, bool stranger)
    : Client(world, id), stranger_(stranger) {}

void WorkerHost::begin() {
  const std::string name = fmt::format("{}l{}", world_.name(id_), ++life);
  machine_ = std::make_unique<WorkerMachine>(
      WorkerMachine::Options{.id = name,
                             .threads = world_.scenario.threads,
                             .report_every = kReportEvery,
                             .retry_delay = 100ms,
                             .tasks = {stranger_ ? other_task : known_task},
                             .own_queue = Subjects::own_consumer(name),
                             .inbox = name},
      local(now()));
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
  step(std::get<WorkerEvent>(event));
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
  const ChunkOrder& order = *at->second;
  if (world_.scenario.deadly && order.index == kDeadly) {
    die();
    return begin();
  }
  result_ = ChunkResult{.job = order.job,
                        .index = order.index,
                        .epoch = order.epoch,
                        .worker = world_.name(id_),
                        .outcome = order.map == (stranger_ ? other_task : known_task)
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
  ++world_.steps;
  WorkerActions actions = machine_->step(event, local(now()));
  for (WorkerAction& action : actions) {
    world_.note(id_, "> ", action);
    perform(action);
  }
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
                   posted_.push_back(x.lease);
                   start_threads();
                 },
                 [&](const RunChunk& x) {
                   running_.emplace(x.lease, x.order);
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
