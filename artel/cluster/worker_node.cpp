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

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/chunk_pull.hpp"
#include "artel/cluster/detail/leased_chunk.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/protocol.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/core/cpu_quota.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::cluster {
namespace {

using std::chrono::milliseconds;

constexpr unsigned kThreadsMax = 4096;
constexpr std::size_t kOwnFetch = 64;  // messages of the worker's own queue at once
constexpr int kRenewals = 3;           // per lease
constexpr int kReportsMax = 20;        // instead of one, while the credit changes
// Chunks that wait behind the threads are work for about as long as it takes to get more: one, if
// chunks take long, since it might be done sooner elsewhere; up to kAheadMax of the shortest.
constexpr Duration kAhead = milliseconds(1);
constexpr std::int64_t kAheadMax = 16;
constexpr Duration kBrief = std::chrono::microseconds(50);  // results of such chunks leave together
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
  using Chunk = std::shared_ptr<detail::LeasedChunk>;

  const WorkerOptions options;
  const TaskRegistry& registry;
  const Connection connection;
  const Subjects subjects;
  const std::string id = new_worker_id();
  const unsigned threads;
  const Instant begun = steady_now();

  mutable std::mutex lock;              // guards down to ahead
  std::condition_variable_any changed;  // nothing left in hand, or to come
  std::condition_variable_any touch;    // to renew a lease or to report sooner; own queue
  std::unordered_set<Chunk> held;
  WorkerReport counts;  // done, failed, refused, returned, busy
  bool has_own_queue = false;
  bool draining = false;
  bool leaving = false;
  Instant next_renewal = kNever;
  Instant told = begun;  // the last report
  Instant next_report = later(begun, options.report_every);
  Duration mean_work{};        // of a chunk
  std::size_t ahead = 1;       // chunks in hand besides those that the threads work on
  std::size_t ahead_told = 1;  // in the last report

  // Where chunks come from.
  struct Queue {
    std::string consumer;
    detail::ChunkPull pull;
    bool asks = false;  // it is there, and more is wanted
  };
  Queue shared;  // all workers pull from it
  Queue own;     // its masters see to it that there is not too much in it

  std::vector<detail::Subscription> subscriptions;
  pool::Pool pool;
  std::vector<detail::Subscription> pulled;  // while there is a pool

  State(WorkerOptions given, Connection made, unsigned width)
      : options(std::move(given)),
        registry(options.registry != nullptr ? *options.registry : TaskRegistry::linked()),
        connection(std::move(made)),
        subjects(options.cluster.pool),
        threads(width),
        shared(queue(std::string(Subjects::kSharedConsumer))),
        own(queue(Subjects::own_consumer(id))),
        pool({.name = "worker", .workers = width}) {}

  [[nodiscard]] Queue queue(const std::string& consumer) const {
    return {consumer, detail::ChunkPull(subjects.stream(), consumer)};
  }

  void problem(const Error& error) const {
    if (options.on_problem) options.on_problem(error);
  }

  // ---- Getting chunks

  // How many more chunks it may ask for. Half of those that may wait are asked for together, as a
  // request costs about as much as a chunk. Shape: under the lock.
  [[nodiscard]] std::size_t room(const Queue& from) const {
    if (!from.asks) return 0;
    if (&from == &own) return kOwnFetch;
    if (held.size() + (ahead + 1) / 2 > threads + ahead) return 0;
    return threads + ahead - held.size();
  }

  void ask_for_chunks(Queue& from) {
    detail::ChunkPull::Request request;
    {
      const std::lock_guard guard(lock);
      const Instant now = steady_now();
      const std::size_t chunks = room(from);
      if (chunks == 0 || !from.pull.may_ask(now)) return;
      request = from.pull.ask(chunks, now);
    }
    static_cast<void>(natsConnection_PublishRequest(
        connection.handle(), from.pull.subject().c_str(), request.reply.c_str(),
        request.body.data(), static_cast<int>(request.body.size())));
  }

  // Requires: under the lock.
  void note_work(Duration worked) {
    mean_work += mean_work == Duration{} ? worked : (worked - mean_work) / kMeanOf;
    const auto chunks = kAhead * threads / std::max(mean_work, Duration(1));
    ahead = static_cast<std::size_t>(std::clamp<std::int64_t>(chunks, 1, kAheadMax));
    // Masters send as much as they know of.
    if (ahead < 2 * ahead_told && ahead_told < 2 * ahead) return;
    next_report = std::min(next_report, later(told, options.report_every / kReportsMax));
  }

  // The server says nothing to requests for chunks of a queue that is not there.
  [[nodiscard]] bool is_there(const Queue& from, bool was_there) const {
    if (was_there && !connection.is_connected()) return true;
    const auto found = detail::find_consumer(connection, subjects.stream(), from.consumer);
    if (found || found.error().code == ErrorCode::not_found) return found.has_value();
    if (!was_there) problem(found.error());
    return was_there;
  }

  // Until asked to stop, and what was asked for before is there. Mostly others ask: whoever has
  // made room, or taken the last chunk that was to come.
  void fetch(Queue& from, const std::stop_token& stop) {
    std::unique_lock guard(lock);
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
      changed.wait_for(guard, stop, std::max(quiet, detail::ChunkPull::kPause),
                       [] { return false; });
    }
    from.asks = false;
    const auto closed = [&] { return !from.pull.is_open(steady_now()); };
    while (!closed()) changed.wait_for(guard, from.pull.quiet_until() - steady_now(), closed);
  }

  // When a master says that there is one.
  void fetch_own(const std::stop_token& stop) {
    {
      std::unique_lock guard(lock);
      if (!touch.wait(guard, stop, [this] { return has_own_queue; })) return;
    }
    fetch(own, stop);
  }

  void discovered(const detail::Message& call) {
    if (detail::payload_of(call) == kPullYourOwn) {
      {
        const std::lock_guard guard(lock);
        has_own_queue = true;
      }
      touch.notify_all();
    }
    const std::string_view reply = detail::reply_of(call);
    publish_report(reply.empty() ? subjects.heartbeat(id) : std::string(reply));
  }

  void came(Queue& from, detail::Message message) {
    const char* status = nullptr;
    if (detail::payload_of(message).empty() &&
        natsMsgHeader_Get(message.get(), "Status", &status) == NATS_OK) {
      const std::lock_guard guard(lock);
      from.pull.status_came(detail::subject_of(message), status, steady_now());
      if (!from.asks) changed.notify_all();
    } else if (detail::subject_of(message) == subjects.beacon(id)) {
      count(from);
      accept_beacon(message);
    } else {
      accept(from, std::move(message));
    }
    ask_for_chunks(from);
  }

  void count(Queue& from) {
    const std::lock_guard guard(lock);
    from.pull.chunk_came();
    if (!from.asks) changed.notify_all();
  }

  // It takes its place behind the chunks that came before it.
  void accept_beacon(const detail::Message& message) {
    detail::tell_server(connection, message, "+ACK");
    const auto beacon = decode_beacon(detail::payload_of(message));
    if (!beacon) return problem(beacon.error());
    static_cast<void>(pool.post([this, beacon = *beacon] { answer(beacon); }));
  }

  void accept(Queue& from, detail::Message message) {
    auto order = decode_chunk_order(detail::payload_of(message));
    if (!order) {
      detail::tell_server(connection, message, "+TERM");
      count(from);
      {
        const std::lock_guard guard(lock);
        ++counts.refused;
      }
      return problem(order.error());
    }
    auto chunk =
        std::make_shared<detail::LeasedChunk>(connection, std::move(message), std::move(*order));
    bool sooner = false;
    {
      const std::lock_guard guard(lock);
      from.pull.chunk_came();
      if (!from.asks) changed.notify_all();
      held.insert(chunk);
      const Instant renewal = later(steady_now(), chunk->order().lease / kRenewals);
      sooner = renewal < next_renewal;
      next_renewal = std::min(next_renewal, renewal);
    }
    if (sooner) touch.notify_all();
    if (pool.post([this, chunk] { work(chunk); }) != pool::Admission::accepted) {
      chunk->hand_back();
      let_go(chunk, {});
    }
  }

  void let_go(const Chunk& chunk, const std::function<void(WorkerReport&)>& note) {
    bool tell = false;
    {
      const std::lock_guard guard(lock);
      held.erase(chunk);
      const Instant planned = next_report;
      if (note) note(counts);
      if (draining && held.empty()) changed.notify_all();
      tell = next_report < planned;
    }
    if (tell) touch.notify_all();
    ask_for_chunks(shared);
  }

  // ---- Working

  void work(const Chunk& chunk) {
    if (!chunk->begin(steady_now())) {
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

  // Whether the next result comes right after this one, and can leave together with it.
  [[nodiscard]] bool is_brief() const {
    const std::lock_guard guard(lock);
    return held.size() > threads && mean_work < kBrief;
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
    natsConnection* const way = is_brief() ? connection.bulk() : connection.handle();
    const natsStatus status = natsConnection_Publish(way, order.reply.c_str(), bytes.data(),
                                                     static_cast<int>(bytes.size()));
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
    const Instant now = steady_now();
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
    std::unique_lock guard(lock);
    while (!stop.stop_requested()) {
      const Instant planned = std::min(next_renewal, next_report);
      touch.wait_for(guard, stop, planned - steady_now(),
                     [&] { return std::min(next_renewal, next_report) < planned; });
      const Instant now = steady_now();
      const bool renews = now >= next_renewal;
      const bool reports = now >= next_report;
      if (reports) {
        next_report = later(now, options.report_every);
        told = now;
        ahead_told = ahead;
      }
      guard.unlock();
      if (renews) renew_leases();
      if (reports) publish_report(subjects.heartbeat(id));
      guard.lock();
    }
  }

  void renew_leases() {
    Instant next = kNever;
    for (const Chunk& chunk : in_hand()) {
      chunk->renew();
      next = std::min(next, later(steady_now(), chunk->order().lease / kRenewals));
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
  auto discovery = detail::Subscription::open(
      state->connection, state->subjects.discovery(),
      [self = state.get()](const detail::Message& message) { self->discovered(message); });
  if (!discovery) return fail(discovery);
  state->subscriptions.push_back(std::move(*discovery));
  for (State::Queue* queue : {&state->shared, &state->own}) {
    auto chunks = detail::Subscription::open(state->connection, queue->pull.answers(),
                                             [self = state.get(), queue](detail::Message message) {
                                               self->came(*queue, std::move(message));
                                             });
    if (!chunks) return fail(chunks);
    state->pulled.push_back(std::move(*chunks));
  }
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
      state.fetch(state.shared, stop);
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
