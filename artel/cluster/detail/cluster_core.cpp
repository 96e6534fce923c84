#include "artel/cluster/detail/cluster_core.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/call_workers.hpp"
#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/chunk_pump.hpp"
#include "artel/cluster/detail/clear_after_dead_masters.hpp"
#include "artel/cluster/detail/connection_news.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/journaled_feed.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/server_version.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/job_counts.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kWidthMin = 64;
constexpr std::size_t kWidthMax = 8192;
constexpr std::size_t kWidthPerCredit = 4;

std::uint64_t random_seed() {
  std::random_device entropy;
  return (std::uint64_t{entropy()} << 32U) | entropy();
}

}  // namespace

Result<std::unique_ptr<ClusterCore>> ClusterCore::connect(
    const ClusterOptions& options, const QueueOptions& queue,
    std::function<void(const Error&)> on_problem) {
  auto checked = check(queue);
  if (!checked) return fail(checked);
  auto news = std::make_shared<ConnectionNews>();
  auto connection =
      Connection::connect(options, ConnectionNews::events(news, server_list(options)));
  if (!connection) return fail(connection);
  std::unique_ptr<ClusterCore> core(new ClusterCore(std::move(news), std::move(*connection),
                                                    Subjects(options.pool), *checked,
                                                    std::move(on_problem)));
  if (auto begun = core->begin(); !begun) return fail(begun);
  return core;
}

ClusterCore::ClusterCore(std::shared_ptr<ConnectionNews> news, Connection connection,
                         Subjects subjects, const QueueOptions& options,
                         std::function<void(const Error&)> on_problem)
    : news_(std::move(news)),
      connection_(std::move(connection)),
      subjects_(std::move(subjects)),
      options_(options),
      on_problem_(std::move(on_problem)),
      beacon_inbox_(connection_.new_inbox()),
      jobs_prefix_(fmt::format("{:016x}", random_seed())) {}

Result<void> ClusterCore::begin() {
  auto queue =
      JetStreamQueue::open(connection_, subjects_, options_,
                           {.result = [this](std::string_view sealed) { result_came(sealed); },
                            .calm = [this] { results_came(); },
                            .said = [this](MasterEvent event) { step(std::move(event)); }});
  if (!queue) return fail(queue);
  {
    const std::lock_guard guard(master_lock_);
    queue_ = std::move(*queue);
    master_ = std::make_unique<MasterMachine>(
        MasterMachine::Options{.queue = options_,
                               .reply = queue_->results(),
                               .seed = random_seed(),
                               .signs = connection_.seal().signs()});
  }
  auto differences = queue_->streams().differences();
  if (!differences) return fail(differences);
  remarks_ = std::move(*differences);
  if (const auto version = connection_.server_version()) {
    if (auto remark = remarks_on_version(*version); !remark.empty())
      remarks_.push_back(std::move(remark));
  }
  auto reports = Subscription::open(connection_, subjects_.heartbeats(),
                                    [this](const Message& message) { report_came(message); });
  if (!reports) return fail(reports);
  subscriptions_.push_back(std::move(*reports));
  if (options_.dispatch) {
    auto answers = Subscription::open(connection_, beacon_inbox_, [this](const Message& message) {
      const auto bytes = connection_.seal().open(SealedKind::answer, payload_of(message));
      if (!bytes) return static_cast<void>(++forged_);
      if (auto answer = decode_beacon_answer(*bytes)) step(BeaconAnswered{*answer});
    });
    if (!answers) return fail(answers);
    subscriptions_.push_back(std::move(*answers));
  }
  // Not needed: should that fail, workers do it for nobody.
  static_cast<void>(clear_after_dead_masters(connection_, subjects_));
  if (auto called = call_workers(connection_, subjects_,
                                 [this](const Message& report) { report_came(report); });
      !called)
    return fail(called);
  step(MasterTick{});
  for (const MasterAction& chore : take_chores()) {
    std::visit([this](const auto& one) { do_chore(one); }, chore);
  }
  watch_ = std::thread([this] { watch(); });
  chore_thread_ = std::thread([this] { run_chores(); });
  return {};
}

ClusterCore::~ClusterCore() {
  std::map<const void*, PumpedJob> jobs;
  {
    const std::lock_guard guard(lock_);
    jobs.swap(jobs_);
  }
  for (const auto& [run, job] : jobs) end_job(job);
  {
    const std::lock_guard guard(lock_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (watch_.joinable()) watch_.join();
  if (chore_thread_.joinable()) chore_thread_.join();
  if (connection_.is_connected()) static_cast<void>(connection_.flush(std::chrono::seconds(1)));
}

// ---- Jobs

void ClusterCore::feed(const void* run, const std::function<std::unique_ptr<ChunkFeed>()>& make,
                       const std::function<void(ChunkFeed&)>& add,
                       const std::shared_ptr<ResultJournal>& journal) {
  PumpedJob job;
  bool fresh = false;
  {
    const std::lock_guard guard(lock_);
    PumpedJob& known = jobs_[run];
    fresh = !known.pump;
    if (fresh) known = begin_job(make(), journal);
    job = known;
  }
  add(*job.source);
  if (fresh) {
    step(JobBegun{job.pump->job()});
  } else {
    step(SourceGrew{job.pump->job()});
  }
}

ClusterCore::PumpedJob ClusterCore::begin_job(std::unique_ptr<ChunkFeed> feed,
                                              const std::shared_ptr<ResultJournal>& journal) {
  std::string id = fmt::format("{}-{}", jobs_prefix_, jobs_begun_++);
  PumpedJob job{.pump = nullptr, .source = feed.get()};
  if (journal) {
    // Should that fail, so will the first result.
    static_cast<void>(journal->begin_job(id));
    feed = std::make_unique<JournaledFeed>(std::move(feed), journal, resumed_);
  }
  job.pump = std::make_shared<ChunkPump>(std::move(id), std::move(feed),
                                         [this](MasterEvent event) { step(std::move(event)); });
  return job;
}

void ClusterCore::ended(const void* run) {
  PumpedJob job;
  {
    const std::lock_guard guard(lock_);
    const auto at = jobs_.find(run);
    if (at == jobs_.end()) return;
    job = std::move(at->second);
    jobs_.erase(at);
  }
  end_job(job);
}

void ClusterCore::end_job(const PumpedJob& job) {
  job.pump->end();
  step(JobEnded{job.pump->job()});
}

std::shared_ptr<ChunkPump> ClusterCore::pump_of(const std::string& job) const {
  const std::lock_guard guard(lock_);
  for (const auto& [run, known] : jobs_) {
    if (known.pump->job() == job) return known.pump;
  }
  return nullptr;
}

Result<void> ClusterCore::sweep_jobs(const std::vector<std::string>& jobs) const {
  for (const std::string& job : jobs) {
    if (auto swept = sweep_job(connection_, subjects_, job); !swept) return swept;
  }
  return {};
}

JobCounts ClusterCore::counts() const {
  const std::lock_guard guard(master_lock_);
  JobCounts counts = master_->counts();
  counts.resumed = resumed_;
  counts.forged = forged_;
  return counts;
}

// ---- Workers

std::size_t ClusterCore::width() const {
  const std::lock_guard guard(master_lock_);
  return std::clamp(kWidthPerCredit * master_->credit(), kWidthMin, kWidthMax);
}

std::vector<WorkerReport> ClusterCore::workers() const {
  const std::lock_guard guard(master_lock_);
  return master_->workers();
}

// ---- Events

void ClusterCore::step(MasterEvent event) {
  MasterActions actions;
  {
    const std::lock_guard guard(master_lock_);
    if (!master_) return;
    actions = master_->step(std::move(event), steady_now());
  }
  for (MasterAction& action : actions) {
    std::visit([this](auto& one) { perform(one); }, action);
  }
}

void ClusterCore::report_came(const Message& message) {
  const auto bytes = connection_.seal().open(SealedKind::report, payload_of(message));
  if (!bytes) return static_cast<void>(++forged_);
  if (auto report = decode_worker_report(*bytes)) step(ReportCame{std::move(*report)});
}

void ClusterCore::result_came(std::string_view sealed) {
  const auto bytes = connection_.seal().open(SealedKind::result, sealed);
  if (!bytes) return static_cast<void>(++forged_);
  if (auto result = decode_chunk_result(*bytes)) step(ResultCame{std::move(*result)});
}

// Whoever waits for results is told once for several.
void ClusterCore::results_came() {
  for (const auto& pump : with_results_) pump->feed().tell();
  with_results_.clear();
}

void ClusterCore::watch() {
  Duration tick{};
  {
    const std::lock_guard guard(master_lock_);
    tick = master_->tick_every();
  }
  std::unique_lock guard(lock_);
  while (!changed_.wait_for(guard, tick, [this] { return stopping_; })) {
    guard.unlock();
    for (MasterEvent& event : news_->take()) step(std::move(event));
    step(MasterTick{});
    guard.lock();
  }
}

// ---- Actions

void ClusterCore::perform(TakeChunks& action) {
  if (const auto pump = pump_of(action.job)) pump->take(action.count);
}

void ClusterCore::perform(FinishChunk& action) {
  const auto pump = pump_of(action.result.job);
  if (!pump) return;
  pump->feed().finish(action.result);
  if (std::ranges::find(with_results_, pump) == with_results_.end()) with_results_.push_back(pump);
}

void ClusterCore::perform(FailChunk& action) {
  const auto pump = pump_of(action.chunk.job);
  if (!pump) return;
  pump->feed().fail(action.chunk.index, task_error(std::move(action.error)));
  pump->feed().tell();
}

void ClusterCore::perform(GiveUpChunk& action) {
  const auto pump = pump_of(action.chunk.job);
  if (!pump) return;
  pump->feed().give_up(action.chunk.index, action.attempts, task_error(std::move(action.error)));
  pump->feed().tell();
}

void ClusterCore::perform(SendChunk& action) {
  using enum JetStreamQueue::Urgency;
  const ChunkAddress chunk{action.order->job, action.order->index};
  const auto sent =
      queue_->send(action.order, action.queue, action.worker, action.urgent ? now : soon);
  if (sent) return;
  if (sent.error().code == ErrorCode::too_large) return step(ChunkTooLarge{chunk, sent.error()});
  step(ChunkNotStored{chunk});
}

void ClusterCore::perform(LookUpChunk& action) { queue_->look_up(action); }
void ClusterCore::perform(EraseMessage& action) { queue_->erase(action.number); }
void ClusterCore::perform(SendBeacon& action) {
  queue_->send_beacon(action.worker, {action.number, beacon_inbox_});
}

void ClusterCore::perform(TellProblem& action) {
  if (on_problem_) on_problem_(action.error);
}

// One that waits already is not wanted twice: with a server that does not answer they would pile
// up.
template <class Chore>
void ClusterCore::perform(Chore& chore) {
  {
    const std::lock_guard guard(lock_);
    if constexpr (std::equality_comparable<Chore>) {
      const auto is_this = [&](const MasterAction& other) {
        const auto* const same_kind = std::get_if<Chore>(&other);
        return same_kind != nullptr && *same_kind == chore;
      };
      if (std::ranges::any_of(chores_, is_this)) return;
    }
    chores_.emplace_back(std::move(chore));
  }
  changed_.notify_all();
}

}  // namespace artel::cluster::detail
