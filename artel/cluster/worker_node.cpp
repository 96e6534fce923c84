#include "artel/cluster/worker_node.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "artel/cluster/chunk_in_hand.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/protocol.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/cluster/subscription.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/error/error.hpp"
#include "artel/pool/futex.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/unit/cpu_quota.hpp"
#include "artel/unit/instant.hpp"

namespace artel::cluster {
namespace {

using std::chrono::milliseconds;

constexpr unsigned kThreadsMax = 4096;
constexpr std::int64_t kFetchMs = 500;          // also how long leaving may take to be noticed
constexpr std::size_t kOwnFetch = 64;           // messages of the worker's own queue at once
constexpr Duration kPause = milliseconds(100);  // after the server refused or was not there
constexpr int kRenewals = 3;                    // per lease
// Chunks that wait behind the threads are work for about as long as it takes to get more: one, if
// chunks take long, since it might be done sooner elsewhere; up to kAheadMax of the shortest.
constexpr Duration kAhead = milliseconds(1);
constexpr std::int64_t kAheadMax = 16;
constexpr int kMeanOf = 8;  // chunks, about: how fast the mean of their times follows

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

// "host-pid-4a1f": a token of subjects, and not the same after a restart with the same pid.
std::string new_worker_id() {
  std::string host = host_name().substr(0, 32);
  std::ranges::replace_if(
      host, [](char c) { return !is_subject_token(std::string_view(&c, 1)); }, '-');
  std::random_device entropy;
  return fmt::format("{}-{}-{:04x}", host, getpid(), entropy() & 0xffffU);
}

}  // namespace

struct WorkerNode::State {
  using Chunk = std::shared_ptr<ChunkInHand>;

  const WorkerOptions options;
  const TaskRegistry& registry;
  const Connection connection;
  const Subjects subjects;
  const std::string id = new_worker_id();
  const unsigned threads;
  const Instant begun = pool::now();

  mutable std::mutex lock;              // guards down to ahead
  std::condition_variable_any changed;  // room, or nothing left in hand
  std::condition_variable_any touch;    // a lease has to be renewed sooner; to pause; own queue
  std::unordered_set<Chunk> held;
  WorkerReport counts;  // done, failed, refused, returned, busy
  bool has_own_queue = false;
  bool draining = false;
  bool leaving = false;
  Instant next_renewal = kNever;
  Duration mean_work{};   // of a chunk
  std::size_t ahead = 1;  // chunks in hand besides those that the threads work on

  std::vector<Subscription> subscriptions;
  pool::Pool pool;

  State(WorkerOptions given, Connection made, unsigned width)
      : options(std::move(given)),
        registry(options.registry != nullptr ? *options.registry : TaskRegistry::linked()),
        connection(std::move(made)),
        subjects(options.cluster.pool),
        threads(width),
        pool({.name = "worker", .workers = width}) {}

  void problem(const Error& error) const {
    if (options.on_problem) options.on_problem(error);
  }

  // ---- Getting chunks

  // Of the queue that all share, or the worker's own.
  struct Queue {
    std::string consumer;
    std::string subject;
    // How many more chunks it could take; 0: asked to stop.
    std::function<std::size_t(const std::stop_token&)> wait_for_room;
  };
  Queue shared_queue() {
    return {std::string(Subjects::kSharedConsumer), subjects.shared(),
            [this](const std::stop_token& stop) { return wait_for_room(stop); }};
  }
  // Its masters see to it that there is not too much in it.
  Queue own_queue() {
    return {Subjects::own_consumer(id), subjects.own(id),
            [](const std::stop_token& stop) { return stop.stop_requested() ? 0 : kOwnFetch; }};
  }

  EngineHandle<natsSubscription> subscribe(const Queue& queue) {
    auto pull = pull_from(connection, subjects.stream(), queue.consumer, queue.subject);
    if (pull) return std::move(*pull);
    if (pull.error().code != ErrorCode::not_found) problem(pull.error());
    return nullptr;
  }

  // How many more chunks it could take; 0: asked to stop. Half of those that may wait are asked for
  // together, as a request costs about as much as a chunk.
  std::size_t wait_for_room(const std::stop_token& stop) {
    std::unique_lock guard(lock);
    changed.wait(guard, stop, [this] { return held.size() + (ahead + 1) / 2 <= threads + ahead; });
    return stop.stop_requested() ? 0 : threads + ahead - held.size();
  }

  // Shape: under the lock.
  void note_work(Duration worked) {
    mean_work += mean_work == Duration{} ? worked : (worked - mean_work) / kMeanOf;
    const auto chunks = kAhead * threads / std::max(mean_work, Duration(1));
    ahead = static_cast<std::size_t>(std::clamp<std::int64_t>(chunks, 1, kAheadMax));
  }

  void pause(const std::stop_token& stop) {
    std::unique_lock guard(lock);
    touch.wait_for(guard, stop, kPause, [] { return false; });
  }

  void fetch(const Queue& queue, const std::stop_token& stop) {
    std::shared_ptr<natsSubscription> pull;
    while (const std::size_t room = queue.wait_for_room(stop)) {
      if (!pull) pull = subscribe(queue);
      if (!pull) {
        pause(stop);
        continue;
      }
      natsMsgList list{};
      jsErrCode detail{};
      const natsStatus status =
          natsSubscription_Fetch(&list, pull.get(), static_cast<int>(room), kFetchMs, &detail);
      for (int i = 0; i < list.Count; ++i) {
        accept(Message(std::exchange(list.Msgs[i], nullptr)), pull);
      }
      natsMsgList_Destroy(&list);
      if (status == NATS_OK || status == NATS_TIMEOUT) continue;
      pause(stop);
      if (natsSubscription_IsValid(pull.get())) continue;
      pull.reset();
    }
  }

  // When a master says that there is one.
  void fetch_own(const std::stop_token& stop) {
    {
      std::unique_lock guard(lock);
      if (!touch.wait(guard, stop, [this] { return has_own_queue; })) return;
    }
    fetch(own_queue(), stop);
  }

  void roll_called(const Message& call) {
    if (payload_of(call) == kPullYourOwn) {
      {
        const std::lock_guard guard(lock);
        has_own_queue = true;
      }
      touch.notify_all();
    }
    const std::string_view reply = reply_of(call);
    publish_report(reply.empty() ? subjects.heartbeat(id) : std::string(reply));
  }

  // It takes its place behind the chunks that came before it.
  void accept_beacon(const Message& message) {
    static_cast<void>(natsMsg_Ack(message.get(), nullptr));
    const auto beacon = decode_beacon(payload_of(message));
    if (!beacon) return problem(beacon.error());
    static_cast<void>(pool.post([this, beacon = *beacon] { answer(beacon); }));
  }

  void accept(Message message, const std::shared_ptr<natsSubscription>& source) {
    if (subject_of(message) == subjects.beacon(id)) return accept_beacon(message);
    auto order = decode_chunk_order(payload_of(message));
    if (!order) {
      static_cast<void>(natsMsg_Term(message.get(), nullptr));
      const std::lock_guard guard(lock);
      ++counts.refused;
      return problem(order.error());
    }
    auto chunk = std::make_shared<ChunkInHand>(std::move(message), std::move(*order), source);
    bool sooner = false;
    {
      const std::lock_guard guard(lock);
      held.insert(chunk);
      const Instant renewal = later(pool::now(), chunk->order().lease / kRenewals);
      sooner = renewal < next_renewal;
      next_renewal = std::min(next_renewal, renewal);
    }
    if (sooner) touch.notify_all();
    if (pool.post([this, chunk] { work(chunk); }) != pool::Admission::accepted) {
      chunk->hand_back();
      let_go(chunk, {});
    }
  }

  void let_go(const Chunk& chunk, const std::function<void(WorkerReport&)>& count) {
    {
      const std::lock_guard guard(lock);
      held.erase(chunk);
      if (count) count(counts);
    }
    changed.notify_all();
  }

  // ---- Working

  void work(const Chunk& chunk) {
    if (!chunk->begin(pool::now())) {
      return let_go(chunk, [](WorkerReport& sum) { ++sum.returned; });
    }
    ChunkResult result = run_chunk(registry, chunk->order());
    result.worker = id;
    result.delivery = chunk->delivery();
    if (result.outcome == ChunkOutcome::failed && chunk->delivery() < chunk->order().tries) {
      chunk->hand_back(options.retry_delay);
      return let_go(chunk, [&](WorkerReport& sum) {
        ++sum.returned;
        sum.busy += result.worked;
      });
    }
    if (result.outcome == ChunkOutcome::failed) {
      const auto kept =
          bury(connection, subjects,
               {result.problems.empty() ? "" : result.problems.back().what, id, chunk->order()});
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

  // The result is on its way when this returns true.
  bool answer(const ChunkOrder& order, ChunkResult& result) {
    std::string bytes = encode(result);
    const std::size_t limit = connection.payload_bytes_max();
    if (limit > 0 && bytes.size() > limit) {
      result.outcome = ChunkOutcome::failed;  // which would be so anywhere
      result.output.clear();
      result.count = 0;
      result.problems = {{order.first, 1, "",
                          fmt::format("the results have {} bytes, the server's limit is {}: use "
                                      "smaller chunks (MapOptions::chunk), or raise max_payload "
                                      "at the server, up to 8MB",
                                      bytes.size(), limit)}};
      bytes = encode(result);
    }
    const natsStatus status = natsConnection_Publish(connection.handle(), order.reply.c_str(),
                                                     bytes.data(), static_cast<int>(bytes.size()));
    if (status != NATS_OK) problem(connection.error("send a result", status));
    return status == NATS_OK;
  }

  void answer(const Beacon& beacon) {
    BeaconAnswer answer{.worker = id, .number = beacon.number};
    {
      const std::lock_guard guard(lock);
      answer.queued = static_cast<std::uint32_t>(held.size());
      answer.done = counts.done + counts.failed + counts.refused + counts.returned;
    }
    const std::string bytes = encode(answer);
    static_cast<void>(natsConnection_Publish(connection.handle(), beacon.reply.c_str(),
                                             bytes.data(), static_cast<int>(bytes.size())));
  }

  // ---- Telling

  [[nodiscard]] std::vector<Chunk> in_hand() const {
    const std::lock_guard guard(lock);
    return {held.begin(), held.end()};
  }

  [[nodiscard]] WorkerReport report() const {
    const Instant now = pool::now();
    const auto chunks = in_hand();
    WorkerReport report;
    {
      const std::lock_guard guard(lock);
      report = counts;
      report.own_queue = has_own_queue;
      report.draining = draining;
      report.leaving = leaving;
      report.credit = static_cast<std::uint32_t>(threads + ahead);
    }
    report.worker = id;
    report.host = host_name();
    report.pid = getpid();
    report.every = options.report_every;
    report.uptime = now - begun;
    report.threads = threads;
    for (const Chunk& chunk : chunks) report.held.push_back(chunk->report(now));
    report.tasks = registry.catalogue();
    return report;
  }

  void publish_report(const std::string& subject) const {
    const std::string bytes = encode(report());
    static_cast<void>(natsConnection_Publish(connection.handle(), subject.c_str(), bytes.data(),
                                             static_cast<int>(bytes.size())));
  }

  // Leases and reports.
  void keep_in_touch(const std::stop_token& stop) {
    Instant next_report = later(pool::now(), options.report_every);
    std::unique_lock guard(lock);
    while (!stop.stop_requested()) {
      const Instant planned = next_renewal;
      const Duration wait = std::min(planned, next_report) - pool::now();
      touch.wait_for(guard, stop, wait, [&] { return next_renewal < planned; });
      const bool renews = pool::now() >= next_renewal;
      guard.unlock();
      if (renews) renew_leases();
      if (pool::now() >= next_report) {
        publish_report(subjects.heartbeat(id));
        next_report = later(pool::now(), options.report_every);
      }
      guard.lock();
    }
  }

  void renew_leases() {
    Instant next = kNever;
    for (const Chunk& chunk : in_hand()) {
      chunk->renew();
      next = std::min(next, later(pool::now(), chunk->order().lease / kRenewals));
    }
    const std::lock_guard guard(lock);
    next_renewal = next;
  }
};

Result<std::unique_ptr<WorkerNode>> WorkerNode::connect(const WorkerOptions& options) {
  const unsigned threads = options.threads > 0 ? options.threads : usable_cpus();
  if (threads > kThreadsMax) {
    return fail(ErrorCode::invalid, fmt::format("threads is {}; at most {}", threads, kThreadsMax));
  }
  auto connection = Connection::connect(options.cluster, {.problem = options.on_problem});
  if (!connection) return fail(connection);
  auto state = std::make_unique<State>(options, std::move(*connection), threads);
  auto roll_call = Subscription::open(
      state->connection, state->subjects.roll_call(),
      [self = state.get()](const Message& message) { self->roll_called(message); });
  if (!roll_call) return fail(roll_call);
  state->subscriptions.push_back(std::move(*roll_call));
  return std::unique_ptr<WorkerNode>(new WorkerNode(std::move(state)));
}

WorkerNode::WorkerNode(std::unique_ptr<State> state) : state_(std::move(state)) {}
WorkerNode::~WorkerNode() = default;

const std::string& WorkerNode::id() const { return state_->id; }
WorkerReport WorkerNode::report() const { return state_->report(); }

void WorkerNode::hand_back_all() {
  for (const auto& chunk : state_->in_hand()) chunk->hand_back();
  static_cast<void>(state_->connection.flush(std::chrono::seconds(1)));
}

WorkerReport WorkerNode::run(const std::stop_token& stop) {
  State& state = *state_;
  state.publish_report(state.subjects.heartbeat(state.id));
  {
    std::jthread touch([&state](const std::stop_token& ended) { state.keep_in_touch(ended); });
    {
      const std::jthread own([&](const std::stop_token& ended) { state.fetch_own(ended); });
      state.fetch(state.shared_queue(), stop);
    }
    for (const auto& chunk : state.in_hand()) chunk->hand_back_unless_begun();
    {
      const std::lock_guard guard(state.lock);
      state.draining = true;
    }
    state.publish_report(state.subjects.heartbeat(state.id));
    std::unique_lock guard(state.lock);
    state.changed.wait(guard, [&state] { return state.held.empty(); });
    state.leaving = true;
  }
  state.publish_report(state.subjects.heartbeat(state.id));
  static_cast<void>(state.connection.flush(std::chrono::seconds(1)));
  return state.report();
}

Result<WorkerReport> serve(const WorkerOptions& options, const std::stop_token& stop) {
  auto node = WorkerNode::connect(options);
  if (!node) return fail(node);
  return (*node)->run(stop);
}

}  // namespace artel::cluster
