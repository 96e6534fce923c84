#include "artel/cluster/detail/worker_session.hpp"

#include <nats/nats.h>
#include <nats/status.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/beacon_request.hpp"
#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/chunk_result.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/chunk_pull.hpp"
#include "artel/cluster/detail/encode_within.hpp"
#include "artel/cluster/detail/leased_chunk.hpp"
#include "artel/cluster/detail/new_worker_id.hpp"
#include "artel/cluster/detail/run_chunk.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::size_t kOwnFetch = 64;  // messages of the worker's own queue at once
constexpr int kRenewals = 3;           // per lease
constexpr int kReportsMax = 20;        // instead of one, while the credit changes

}  // namespace

WorkerSession::WorkerSession(WorkerOptions options, Connection connection, unsigned threads)
    : options_(std::move(options)),
      registry_(options_.registry != nullptr ? *options_.registry : TaskRegistry::linked()),
      connection_(std::move(connection)),
      subjects_(options_.cluster.pool),
      threads_(threads),
      ahead_(threads),
      shared_(subjects_.stream(), std::string(Subjects::kSharedConsumer)),
      own_(subjects_.stream(), Subjects::own_consumer(id_)),
      pool_({.name = "worker", .workers = threads}) {}

Result<void> WorkerSession::open() {
  auto discovery = Subscription::open(connection_, subjects_.discovery(),
                                      [this](const Message& message) { discovered(message); });
  if (!discovery) return fail(discovery);
  subscriptions_.push_back(std::move(*discovery));
  for (Queue* queue : {&shared_, &own_}) {
    auto chunks =
        Subscription::open(connection_, queue->pull.answers(),
                           [this, queue](Message message) { came(*queue, std::move(message)); });
    if (!chunks) return fail(chunks);
    pulled_.push_back(std::move(*chunks));
  }
  return {};
}

WorkerReport WorkerSession::run(const std::stop_token& stop) {
  publish_report(subjects_.heartbeat(id_));
  {
    std::jthread touch([this](const std::stop_token& ended) { keep_in_touch(ended); });
    {
      const std::jthread own([this](const std::stop_token& ended) { fetch_own(ended); });
      fetch(shared_, stop);
    }
    for (const auto& chunk : in_hand()) chunk->hand_back_unless_begun();
    {
      const std::lock_guard guard(lock_);
      draining_ = true;
    }
    publish_report(subjects_.heartbeat(id_));
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return held_.empty(); });
    leaving_ = true;
  }
  publish_report(subjects_.heartbeat(id_));
  static_cast<void>(connection_.flush(std::chrono::seconds(1)));
  return report();
}

void WorkerSession::hand_back_all() {
  for (const auto& chunk : in_hand()) chunk->hand_back();
  static_cast<void>(connection_.flush(std::chrono::seconds(1)));
}

void WorkerSession::problem(const Error& error) const {
  if (options_.on_problem) options_.on_problem(error);
}

// ---- Getting chunks

// How many more chunks it may ask for. Half of those that may wait are asked for together, as a
// request costs about as much as a chunk. Requires: under the lock.
std::size_t WorkerSession::room(const Queue& from) const {
  if (!from.asks) return 0;
  if (&from == &own_) return kOwnFetch;
  const std::size_t ahead = ahead_.get();
  if (held_.size() + (ahead + 1) / 2 > threads_ + ahead) return 0;
  return threads_ + ahead - held_.size();
}

void WorkerSession::ask_for_chunks(Queue& from) {
  ChunkPull::Request request;
  {
    const std::lock_guard guard(lock_);
    const Instant now = steady_now();
    const std::size_t chunks = room(from);
    if (chunks == 0 || !from.pull.may_ask(now)) return;
    request = from.pull.ask(chunks, now);
  }
  static_cast<void>(natsConnection_PublishRequest(connection_.handle(), from.pull.subject().c_str(),
                                                  request.reply.c_str(), request.body.data(),
                                                  static_cast<int>(request.body.size())));
}

// Requires: under the lock.
void WorkerSession::note_work(Duration worked) {
  ahead_.note_work(worked);
  if (!ahead_.is_news()) return;
  next_report_ = std::min(next_report_, later(told_, options_.report_every / kReportsMax));
}

// The server says nothing to requests for chunks of a queue that is not there.
bool WorkerSession::is_there(const Queue& from, bool was_there) const {
  if (was_there && !connection_.is_connected()) return true;
  const auto found = find_consumer(connection_, subjects_.stream(), from.consumer);
  if (found || found.error().code == ErrorCode::not_found) return found.has_value();
  if (!was_there) problem(found.error());
  return was_there;
}

// Until asked to stop, and what was asked for before is there. Mostly others ask: whoever has
// made room, or taken the last chunk that was to come.
void WorkerSession::fetch(Queue& from, const std::stop_token& stop) {
  std::unique_lock guard(lock_);
  while (!stop.stop_requested()) {
    if (!from.asks || from.pull.was_lost(steady_now())) {
      const bool was_there = std::exchange(from.asks, false);
      guard.unlock();
      const bool there = is_there(from, was_there);
      guard.lock();
      from.asks = there;
    }
    guard.unlock();
    ask_for_chunks(from);
    guard.lock();
    const Duration quiet = from.pull.quiet_until() - steady_now();
    changed_.wait_for(guard, stop, std::max(quiet, ChunkPull::kPause), [] { return false; });
  }
  from.asks = false;
  const auto closed = [&] { return !from.pull.is_open(steady_now()); };
  while (!closed()) changed_.wait_for(guard, from.pull.quiet_until() - steady_now(), closed);
}

// When a master says that there is one.
void WorkerSession::fetch_own(const std::stop_token& stop) {
  {
    std::unique_lock guard(lock_);
    if (!touch_.wait(guard, stop, [this] { return has_own_queue_; })) return;
  }
  fetch(own_, stop);
}

void WorkerSession::discovered(const Message& call) {
  if (payload_of(call) == kPullYourOwn) {
    {
      const std::lock_guard guard(lock_);
      has_own_queue_ = true;
    }
    touch_.notify_all();
  }
  const std::string_view reply = reply_of(call);
  publish_report(reply.empty() ? subjects_.heartbeat(id_) : std::string(reply));
}

void WorkerSession::came(Queue& from, Message message) {
  const char* status = nullptr;
  if (payload_of(message).empty() &&
      natsMsgHeader_Get(message.get(), "Status", &status) == NATS_OK) {
    const std::lock_guard guard(lock_);
    from.pull.status_came(subject_of(message), status, steady_now());
    if (!from.asks) changed_.notify_all();
  } else if (subject_of(message) == subjects_.beacon(id_)) {
    count(from, false);
    accept_beacon(message);
  } else {
    accept(from, std::move(message));
  }
  ask_for_chunks(from);
}

void WorkerSession::count(Queue& from, bool refused) {
  const std::lock_guard guard(lock_);
  from.pull.chunk_came();
  if (refused) ++counts_.refused;
  if (!from.asks) changed_.notify_all();
}

// It takes its place behind the chunks that came before it.
void WorkerSession::accept_beacon(const Message& message) {
  tell_server(connection_, message, "+ACK");
  const auto beacon = decode_beacon_request(payload_of(message));
  if (!beacon) return problem(beacon.error());
  static_cast<void>(pool_.post([this, beacon = *beacon] { answer(beacon); }));
}

void WorkerSession::accept(Queue& from, Message message) {
  auto order = decode_chunk_order(payload_of(message));
  if (!order) {
    tell_server(connection_, message, "+TERM");
    count(from, true);
    return problem(order.error());
  }
  auto chunk = std::make_shared<LeasedChunk>(connection_, std::move(message), std::move(*order));
  bool sooner = false;
  {
    const std::lock_guard guard(lock_);
    from.pull.chunk_came();
    if (!from.asks) changed_.notify_all();
    held_.insert(chunk);
    const Instant renewal = later(steady_now(), chunk->order().lease / kRenewals);
    sooner = renewal < next_renewal_;
    next_renewal_ = std::min(next_renewal_, renewal);
  }
  if (sooner) touch_.notify_all();
  if (pool_.post([this, chunk] { work(chunk); }) != pool::Admission::accepted) {
    chunk->hand_back();
    let_go(chunk, {});
  }
}

void WorkerSession::let_go(const Chunk& chunk, const std::function<void(WorkerReport&)>& note) {
  bool tell = false;
  {
    const std::lock_guard guard(lock_);
    held_.erase(chunk);
    const Instant planned = next_report_;
    if (note) note(counts_);
    if (draining_ && held_.empty()) changed_.notify_all();
    tell = next_report_ < planned;
  }
  if (tell) touch_.notify_all();
  ask_for_chunks(shared_);
}

// ---- Working

void WorkerSession::work(const Chunk& chunk) {
  if (!chunk->begin(steady_now())) {
    return let_go(chunk, [](WorkerReport& sum) { ++sum.returned; });
  }
  ChunkResult result = run_chunk(registry_, chunk->order());
  result.worker = id_;
  result.delivery = chunk->delivery();
  if (result.outcome == ChunkOutcome::failed && chunk->delivery() < chunk->order().tries) {
    chunk->hand_back(options_.retry_delay);
    return let_go(chunk, [&](WorkerReport& sum) {
      ++sum.returned;
      sum.busy += result.worked;
    });
  }
  if (result.outcome == ChunkOutcome::failed) {
    const auto kept =
        bury(connection_, subjects_,
             {result.problems.empty() ? "" : result.problems.back().what, id_, chunk->order()});
    if (!kept) problem(kept.error());
  }
  if (answer(chunk->order(), result)) {
    if (result.outcome == ChunkOutcome::failed) {
      chunk->give_up();
    } else {
      chunk->acknowledge();
    }
  }  // else its lease ends, and somebody does it again
  let_go(chunk, [&](WorkerReport& sum) {
    note_work(result.worked);
    sum.busy += result.worked;
    ++(result.outcome == ChunkOutcome::done      ? sum.done
       : result.outcome == ChunkOutcome::refused ? sum.refused
                                                 : sum.failed);
  });
}

// Whether the next result comes right after this one, and can leave together with it.
bool WorkerSession::is_brief() const {
  const std::lock_guard guard(lock_);
  return held_.size() > threads_ && ahead_.is_brief();
}

// The result is on its way when this returns true.
bool WorkerSession::answer(const ChunkOrder& order, ChunkResult& result) {
  const std::string bytes = encode_within(connection_.payload_bytes_max(), order, result);
  natsConnection* const way = is_brief() ? connection_.bulk() : connection_.handle();
  const natsStatus status = natsConnection_Publish(way, order.reply.c_str(), bytes.data(),
                                                   static_cast<int>(bytes.size()));
  if (status != NATS_OK) problem(connection_.error("send a result", status));
  return status == NATS_OK;
}

void WorkerSession::answer(const BeaconRequest& beacon) {
  BeaconAnswer answer{.worker = id_, .number = beacon.number};
  {
    const std::lock_guard guard(lock_);
    answer.queued = static_cast<std::uint32_t>(held_.size());
    answer.done = counts_.done + counts_.failed + counts_.refused + counts_.returned;
  }
  const std::string bytes = encode(answer);
  static_cast<void>(natsConnection_Publish(connection_.handle(), beacon.reply.c_str(), bytes.data(),
                                           static_cast<int>(bytes.size())));
}

// ---- Telling

std::vector<WorkerSession::Chunk> WorkerSession::in_hand() const {
  const std::lock_guard guard(lock_);
  return {held_.begin(), held_.end()};
}

WorkerReport WorkerSession::report() const {
  const Instant now = steady_now();
  const auto chunks = in_hand();
  WorkerReport report;
  {
    const std::lock_guard guard(lock_);
    report = counts_;
    report.own_queue = has_own_queue_;
    report.draining = draining_;
    report.leaving = leaving_;
    report.credit = static_cast<std::uint32_t>(threads_ + ahead_.get());
  }
  report.worker = id_;
  report.host = host_name();
  report.pid = getpid();
  report.every = options_.report_every;
  report.uptime = now - begun_;
  report.threads = threads_;
  for (const Chunk& chunk : chunks) report.held.push_back(chunk->report(now));
  report.tasks = registry_.catalogue();
  return report;
}

void WorkerSession::publish_report(const std::string& subject) const {
  const std::string bytes = encode(report());
  static_cast<void>(natsConnection_Publish(connection_.handle(), subject.c_str(), bytes.data(),
                                           static_cast<int>(bytes.size())));
}

// Leases and reports.
void WorkerSession::keep_in_touch(const std::stop_token& stop) {
  std::unique_lock guard(lock_);
  while (!stop.stop_requested()) {
    const Instant planned = std::min(next_renewal_, next_report_);
    touch_.wait_for(guard, stop, planned - steady_now(),
                    [&] { return std::min(next_renewal_, next_report_) < planned; });
    const Instant now = steady_now();
    const bool renews = now >= next_renewal_;
    const bool reports = now >= next_report_;
    if (reports) {
      next_report_ = later(now, options_.report_every);
      told_ = now;
      ahead_.told();
    }
    guard.unlock();
    if (renews) renew_leases();
    if (reports) publish_report(subjects_.heartbeat(id_));
    guard.lock();
  }
}

void WorkerSession::renew_leases() {
  Instant next = kNever;
  for (const Chunk& chunk : in_hand()) {
    chunk->renew();
    next = std::min(next, later(steady_now(), chunk->order().lease / kRenewals));
  }
  const std::lock_guard guard(lock_);
  next_renewal_ = next;
}

}  // namespace artel::cluster::detail
