#include "artel/cluster/detail/cluster_core.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/beacon_request.hpp"
#include "artel/cluster/chunk_result.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/clear_after_dead_masters.hpp"
#include "artel/cluster/detail/jetstream_queue.hpp"
#include "artel/cluster/detail/remote_job.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/detail/roster.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/detail/worker_queues.hpp"
#include "artel/cluster/job_counts.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/cluster/task_key.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kWidthMin = 64;
constexpr std::size_t kWidthMax = 8192;
constexpr std::size_t kWidthPerCredit = 4;
constexpr std::size_t kOutPerCredit = 2;  // one in hand, one that waits at the server
// Of the shortest, that a worker has in hand besides: done before the master could send another.
constexpr std::size_t kOutPerShort = 4;
constexpr Duration kTickMax = std::chrono::milliseconds(50);
constexpr std::int64_t kDiscoveryMs = 500;

void add(JobCounts& sum, const JobCounts& more) {
  sum.chunks.issued += more.chunks.issued;
  sum.chunks.done += more.chunks.done;
  sum.chunks.duplicates += more.chunks.duplicates;
  sum.chunks.reissued += more.chunks.reissued;
  sum.chunks.speculated += more.chunks.speculated;
  sum.refused += more.refused;
  sum.suspect += more.suspect;
  sum.dead += more.dead;
  sum.resumed += more.resumed;
  sum.out_max = std::max(sum.out_max, more.out_max);
}

std::size_t out_max(const Roster::Strength& strength) {
  const std::size_t usual = std::min(strength.threads + strength.workers, strength.credit);
  return kOutPerCredit * usual + kOutPerShort * (strength.credit - usual);
}

}  // namespace

std::uint64_t random_seed() {
  std::random_device entropy;
  return (std::uint64_t{entropy()} << 32U) | entropy();
}

std::string random_token() {
  std::random_device entropy;
  return fmt::format("{:08x}{:08x}", entropy(), entropy());
}

Result<std::unique_ptr<ClusterCore>> ClusterCore::connect(const ClusterOptions& options,
                                                          const QueueOptions& queue) {
  auto checked = check(queue);
  if (!checked) return fail(checked);
  auto signals = std::make_shared<Signals>();
  auto connection =
      Connection::connect(options, {.restored = [signals] { signals->restored = true; }});
  if (!connection) return fail(connection);
  std::unique_ptr<ClusterCore> core(new ClusterCore(std::move(signals), std::move(*connection),
                                                    Subjects(options.pool), *checked));
  if (auto begun = core->begin(); !begun) return fail(begun);
  return core;
}

ClusterCore::ClusterCore(std::shared_ptr<Signals> signals, Connection connection, Subjects subjects,
                         QueueOptions options)
    : signals_(std::move(signals)),
      connection_(std::move(connection)),
      subjects_(std::move(subjects)),
      options_(std::move(options)),
      beacon_inbox_(new_inbox()),
      own_(options_.dispatch ? std::make_unique<WorkerQueues>(*options_.dispatch,
                                                              options_.per_worker, random_seed())
                             : nullptr),
      jobs_prefix_(random_token()) {}

Result<void> ClusterCore::begin() {
  auto reports = Subscription::open(connection_, subjects_.heartbeats(),
                                    [this](const Message& message) { report_came(message); });
  if (!reports) return fail(reports);
  subscriptions_.push_back(std::move(*reports));
  if (own_) {
    auto answers = Subscription::open(connection_, beacon_inbox_, [this](const Message& message) {
      const auto answer = decode_beacon_answer(payload_of(message));
      if (answer) own_->beacon_came(*answer, steady_now());
    });
    if (!answers) return fail(answers);
    subscriptions_.push_back(std::move(*answers));
  }
  auto queue =
      JetStreamQueue::open(connection_, subjects_, options_,
                           {.result = [this](const Message& message) { result_came(message); },
                            .calm = [this] { results_came(); },
                            .not_sent =
                                [this](const ChunkAddress& chunk) {
                                  if (auto job = job_by_id(chunk.job)) {
                                    job->not_sent(chunk.index);
                                  }
                                },
                            .given_up =
                                [this](std::uint64_t sequence) {
                                  const std::lock_guard guard(lock_);
                                  given_up_.push_back(sequence);
                                }});
  if (!queue) return fail(queue);
  queue_ = std::move(*queue);
  // Not needed: should that fail, workers do it for nobody.
  static_cast<void>(clear_after_dead_masters(connection_, subjects_));
  if (auto called = discover(); !called) return fail(called);
  if (own_) tend_own_queues(false);
  watch_ = std::thread([this] { run(); });
  return {};
}

// All workers report at once; the answer of the first is waited for, if there are any.
Result<void> ClusterCore::discover() {
  const std::string subject = subjects_.discovery();
  natsStatus status = natsConnection_PublishString(connection_.handle(), subject.c_str(), "");
  if (status != NATS_OK) return tl::unexpected(connection_.error("call the workers", status));
  natsMsg* first = nullptr;
  status =
      natsConnection_RequestString(&first, connection_.handle(), subject.c_str(), "", kDiscoveryMs);
  const Message message(first);
  if (message) report_came(message);
  return {};
}

ClusterCore::~ClusterCore() {
  {
    const std::lock_guard guard(lock_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (watch_.joinable()) watch_.join();
  for (const auto& job : jobs()) job->end();
}

// ---- Jobs

std::shared_ptr<RemoteJob> ClusterCore::job_of(
    const void* run, const std::function<std::unique_ptr<ChunkFeed>()>& make,
    const std::shared_ptr<ResultJournal>& journal) {
  const std::lock_guard guard(lock_);
  auto& job = jobs_[run];
  if (!job) {
    const std::string id = fmt::format("{}-{}", jobs_prefix_, jobs_begun_++);
    // Should that fail, so will the first result.
    if (journal) static_cast<void>(journal->begin_job(id));
    job = std::make_shared<RemoteJob>(
        RemoteJob::Host{*queue_, queue_->results(), options_,
                        [this](const std::vector<TaskKey>& tasks) { return view_of(tasks); },
                        own_.get(), journal},
        id, make());
  }
  return job;
}

Result<void> ClusterCore::purge_jobs(const std::vector<std::string>& jobs) const {
  for (const std::string& job : jobs) {
    if (auto purged = queue_->purge_job(job); !purged) return purged;
  }
  return {};
}

void ClusterCore::ended(const void* run) {
  std::shared_ptr<RemoteJob> job;
  {
    const std::lock_guard guard(lock_);
    const auto at = jobs_.find(run);
    if (at == jobs_.end()) return;
    job = std::move(at->second);
    jobs_.erase(at);
  }
  job->end();
  const std::lock_guard guard(lock_);
  add(ended_, job->counts());
}

std::vector<std::shared_ptr<RemoteJob>> ClusterCore::jobs() const {
  const std::lock_guard guard(lock_);
  std::vector<std::shared_ptr<RemoteJob>> all;
  all.reserve(jobs_.size());
  for (const auto& [run, job] : jobs_) all.push_back(job);
  return all;
}

std::shared_ptr<RemoteJob> ClusterCore::job_by_id(std::string_view id) const {
  const std::lock_guard guard(lock_);
  for (const auto& [run, job] : jobs_) {
    if (job->id() == id) return job;
  }
  return nullptr;
}

JobCounts ClusterCore::counts() const {
  JobCounts sum;
  {
    const std::lock_guard guard(lock_);
    sum = ended_;
  }
  for (const auto& job : jobs()) add(sum, job->counts());
  return sum;
}

// ---- Workers

std::size_t ClusterCore::width() const {
  return std::clamp(kWidthPerCredit * view_of({}).credit, kWidthMin, kWidthMax);
}

std::vector<WorkerReport> ClusterCore::workers() const {
  const std::lock_guard guard(roster_lock_);
  return roster_.workers();
}

WorkersView ClusterCore::view_of(const std::vector<TaskKey>& tasks) const {
  const std::lock_guard guard(roster_lock_);
  const Roster::Strength strength = roster_.strength(tasks);
  WorkersView view{
      .credit = strength.credit, .out_max = out_max(strength), .anybody = !roster_.empty()};
  if (own_) {
    view.credit = strength.threads + strength.workers * (options_.per_worker - 1);
    view.out_max = view.credit;
  }
  for (const TaskKey& task : tasks) {
    view.known = roster_.check_task(task);
    if (!view.known) break;
  }
  return view;
}

void ClusterCore::report_came(const Message& message) {
  auto report = decode_worker_report(payload_of(message));
  if (!report) return;
  bool changed = false;
  {
    const std::lock_guard guard(roster_lock_);
    changed = roster_.heard(*report, steady_now());
  }
  for (const auto& job : jobs()) {
    job->worker_reported(*report);
    if (changed) job->workers_changed();
  }
}

void ClusterCore::result_came(const Message& message) {
  const auto result = decode_chunk_result(payload_of(message));
  if (!result) return;
  auto job = job_by_id(result->job);
  if (!job) return;
  job->result_came(*result);
  if (std::ranges::find(with_results_, job) == with_results_.end()) {
    with_results_.push_back(std::move(job));
  }
}

void ClusterCore::results_came() {
  for (const auto& job : with_results_) job->results_came();
  with_results_.clear();
}

// ---- The thread that looks after the jobs

void ClusterCore::run() {
  Duration tick = std::min(kTickMax, options_.lease / 4);
  if (own_) tick = std::min(tick, own_->interval());
  std::unique_lock guard(lock_);
  while (!stopping_) {
    changed_.wait_for(guard, tick, [this] { return stopping_; });
    if (stopping_) return;
    guard.unlock();
    bool lost = false;
    {
      const std::lock_guard roster_guard(roster_lock_);
      lost = roster_.forget_silent(steady_now());
    }
    if (lost) {
      for (const auto& job : jobs()) job->workers_changed();
    }
    const bool restored = signals_->restored.exchange(false);
    if (connection_.is_connected()) {
      if (own_) tend_own_queues(restored);
      handle_given_up();
      for (const auto& job : jobs()) {
        if (restored) job->doubt();
        job->tick(steady_now());
      }
    }
    guard.lock();
  }
}

// A queue for everybody who has come, nothing for those who have left; beacons.
void ClusterCore::tend_own_queues(bool restored) {
  const Instant now = steady_now();
  std::map<std::string, WorkerReport> there;
  for (WorkerReport& report : workers()) there.emplace(report.worker, std::move(report));

  for (const std::string& worker : own_->workers()) {
    const auto at = there.find(worker);
    if (at == there.end()) {
      worker_left(worker, nullptr);
    } else if (at->second.draining) {
      worker_left(worker, &at->second);
    } else if (restored) {  // should that fail, its chunks are looked for
      static_cast<void>(queue_->make_own(worker));
    }
  }
  bool joined = false;
  bool unheard = false;
  for (const auto& [worker, report] : there) {
    if (report.draining) continue;
    unheard = unheard || !report.own_queue;
    if (own_->has(worker) || !queue_->make_own(worker)) continue;
    own_->join(worker, report.threads, now);
    joined = true;
  }
  if (unheard) {
    const std::string call(kPullYourOwn);
    static_cast<void>(natsConnection_PublishString(connection_.handle(),
                                                   subjects_.discovery().c_str(), call.c_str()));
  }
  if (joined) {
    for (const auto& job : jobs()) job->workers_changed();
  }
  for (const auto& [worker, number] : own_->due_beacons(now, options_.lease)) {
    static_cast<void>(queue_->send_beacon(worker, {number, beacon_inbox_}));
  }
  own_->tick(now);
}

// Others get what it had; `last`: it finishes what it says to be at.
void ClusterCore::worker_left(const std::string& worker, const WorkerReport* last) {
  const auto chunks = own_->leave(worker, steady_now());
  // Whatever of it stays there, the server drops some time.
  static_cast<void>(queue_->drop_own(worker));
  for (const ChunkAddress& chunk : chunks) {
    const bool working =
        last != nullptr && std::ranges::any_of(last->held, [&](const auto& held) {
          return held.job == chunk.job && held.index == chunk.index && held.running > Duration{};
        });
    if (const auto job = job_by_id(chunk.job)) job->worker_left(chunk.index, working);
  }
}

void ClusterCore::handle_given_up() {
  std::vector<std::uint64_t> sequences;
  {
    const std::lock_guard guard(lock_);
    sequences.swap(given_up_);
  }
  for (const std::uint64_t sequence : sequences) {
    const auto order = queue_->read(sequence).value_or(std::nullopt);
    if (!order) continue;
    // Those of other masters are theirs.
    if (const auto job = job_by_id(order->job)) job->given_up(*order, sequence);
  }
}

}  // namespace artel::cluster::detail
