#include "artel/cluster/detail/worker_session.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/ack_subject.hpp"
#include "artel/cluster/detail/encode_within.hpp"
#include "artel/cluster/detail/large_orders.hpp"
#include "artel/cluster/detail/message_pieces.hpp"
#include "artel/cluster/detail/new_worker_id.hpp"
#include "artel/cluster/detail/run_chunk.hpp"
#include "artel/cluster/detail/server_version.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/tell_problem.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_machine.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/cluster/worker_options.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::string_view kLook = "look";  // answers about queues come below this

const TaskRegistry& registry_of(const WorkerOptions& options) {
  return options.registry != nullptr ? *options.registry : TaskRegistry::linked();
}

std::vector<std::string> tags_of(const WorkerOptions& options) {
  std::vector<std::string> tags = options.tags;
  if (std::string host = "host:" + host_name(); is_tag_name(host)) tags.push_back(std::move(host));
  return tags;
}

std::vector<TaskKey> abilities(const TaskRegistry& registry, const std::vector<std::string>& tags) {
  std::vector<TaskKey> all = registry.catalogue();
  for (const std::string& tag : tags) all.push_back(tag_key(tag));
  return all;
}

}  // namespace

WorkerSession::WorkerSession(WorkerOptions options, Connection connection, unsigned threads,
                             std::shared_ptr<Signals> signals, std::string id)
    : options_(std::move(options)),
      registry_(registry_of(options_)),
      connection_(std::move(connection)),
      subjects_(options_.cluster.pool),
      tags_(tags_of(options_)),
      id_(std::move(id)),
      inbox_(connection_.new_inbox()),
      signals_(std::move(signals)),
      worker_({.id = id_,
               .host = host_name(),
               .pid = getpid(),
               .threads = threads,
               .report_every = options_.report_every,
               .retry_delay = options_.retry_delay,
               .tasks = abilities(registry_, tags_),
               .own_queue = Subjects::own_consumer(id_),
               .inbox = inbox_,
               .signed_only = connection_.seal().demands()},
              steady_now()),
      posted_(threads, {.ask_thread =
                            [this] {
                              return pool_.post([this] { posted_.run(); }) ==
                                     pool::Admission::accepted;
                            },
                        .begin = [this](LeaseId lease) { step(ThreadReady{lease}); },
                        .refused = [this](LeaseId lease) { step(NotPosted{lease}); }}),
      pool_({.name = "worker", .workers = threads}) {}

Result<void> WorkerSession::open() {
  auto discovery = Subscription::open(connection_, subjects_.discovery(),
                                      [this](const Message& message) { discovered(message); });
  if (!discovery) return fail(discovery);
  subscriptions_.push_back(std::move(*discovery));
  auto pulled = Subscription::open(
      connection_, inbox_ + ".>", [this](const Message& message) { came(message); },
      [this] { posted_.post(); });
  if (!pulled) return fail(pulled);
  pulled_.push_back(std::move(*pulled));
  return {};
}

WorkerReport WorkerSession::run(const std::stop_token& stop) {
  {
    const std::lock_guard guard(lock_);
    running_ = true;
  }
  {
    const std::jthread time([this](const std::stop_token& ended) { keep_time(ended); });
    std::unique_lock guard(lock_);
    changed_.wait(guard, stop, [this] { return shut(); });
    guard.unlock();
    step(DrainWanted{});
    guard.lock();
    changed_.wait(guard, [this] { return left_; });
  }
  static_cast<void>(connection_.flush(std::chrono::seconds(1)));
  return report();
}

void WorkerSession::hand_back_all() {
  step(EndWanted{});
  static_cast<void>(connection_.flush(std::chrono::seconds(1)));
}

WorkerReport WorkerSession::report() const {
  const std::lock_guard guard(lock_);
  return worker_.report(steady_now());
}

std::string WorkerSession::server_remark() const {
  const auto version = connection_.server_version();
  return version ? remarks_on_version(*version) : std::string();
}

void WorkerSession::problem(const Error& error) const {
  if (options_.on_problem) options_.on_problem(error);
}

void WorkerSession::publish(const std::string& subject, const std::string& bytes) const {
  static_cast<void>(natsConnection_Publish(connection_.handle(), subject.c_str(), bytes.data(),
                                           static_cast<int>(bytes.size())));
}

// ---- Events

void WorkerSession::step(const WorkerEvent& event, const std::string& result) {
  WorkerActions actions;
  bool sooner = false;
  {
    const std::lock_guard guard(lock_);
    const Instant planned = worker_.wake_at();
    actions = worker_.step(event, steady_now());
    sooner = worker_.wake_at() < planned;
  }
  if (sooner) changed_.notify_all();
  for (const bool long_ones : {false, true}) {
    for (const WorkerAction& action : actions) {
      if (std::holds_alternative<RunChunk>(action) != long_ones) continue;
      std::visit([&](const auto& one) { perform(one, result); }, action);
    }
  }
}

void WorkerSession::keep_time(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (signals_->restored.exchange(false)) step(WorkerReconnected{});
    if (shut()) changed_.notify_all();
    step(WorkerTick{});
    std::unique_lock guard(lock_);
    const Instant planned = worker_.wake_at();
    // No longer than that: nobody says that the connection is there again.
    const Duration quiet = std::min(planned - steady_now(), Duration(std::chrono::seconds(1)));
    changed_.wait_for(guard, stop, quiet,
                      [&] { return worker_.wake_at() < planned || signals_->restored.load(); });
  }
}

void WorkerSession::discovered(const Message& call) {
  if (payload_of(call).empty()) {
    const std::string_view reply = reply_of(call);
    if (reply.empty() || is_reply_subject(reply)) step(Discovered{std::string(reply)});
    return;
  }
  {
    const std::lock_guard guard(lock_);
    if (!running_) return;
  }
  const auto bytes = connection_.seal().open(SealedKind::call, payload_of(call));
  if (!bytes) return step(ForgedCame{});
  if (auto queue = decode_queue_call(*bytes)) step(QueueCalled{std::move(*queue)});
}

// A chunk, a beacon, or the server's word.
void WorkerSession::came(const Message& message) {
  if (reply_of(message).empty()) return answer_came(message);
  const std::string ack(reply_of(message));
  const AckSubject delivered = read_ack_subject(ack);
  if (subject_of(message) == subjects_.beacon(id_)) {
    const auto bytes = connection_.seal().open(SealedKind::beacon, payload_of(message));
    if (!bytes) return refused(message, bytes.error(), true);
    auto beacon = decode_beacon_request(*bytes);
    if (beacon) return step(BeaconCame{delivered.consumer, std::move(*beacon), ack});
    return refused(message, beacon.error(), false);
  }
  const auto bytes = connection_.seal().open(SealedKind::order, payload_of(message));
  if (!bytes) return refused(message, bytes.error(), true);
  auto order = decode_chunk_order(*bytes);
  if (!order) return refused(message, order.error(), false);
  order->sealed = payload_of(message);
  step(ChunkCame{delivered.consumer, std::make_shared<const ChunkOrder>(std::move(*order)),
                 delivered.delivery, ack});
}

// An order that was requeued by hand, and so has no id, becomes a dead letter again: nobody else
// has it any more.
void WorkerSession::refused(const Message& message, const Error& error, bool forged) {
  const char* id = nullptr;
  const auto chunk = subjects_.chunk_of(subject_of(message));
  if (chunk && natsMsgHeader_Get(message.get(), "Nats-Msg-Id", &id) != NATS_OK) {
    ChunkOrder order{.job = chunk->job, .index = chunk->index};
    order.sealed = payload_of(message);
    const auto kept = bury(connection_, subjects_,
                           {.reason = "not taken: " + error.what, .worker = id_, .order = order});
    if (!kept) return problem(kept.error());  // it is delivered again
  }
  if (forged) step(ForgedCame{});
  const std::string ack(reply_of(message));
  step(UnreadableCame{read_ack_subject(ack).consumer, ack, error});
}

void WorkerSession::answer_came(const Message& message) {
  const std::string_view about = subject_of(message).substr(inbox_.size() + 1);
  const char* status = nullptr;
  const bool has_status = natsMsgHeader_Get(message.get(), "Status", &status) == NATS_OK;
  if (!about.starts_with(kLook)) {
    if (has_status) step(PullEnded{std::string(subject_of(message)), status});
    return;
  }
  if (has_status) return;  // nobody knows
  const std::string_view text = payload_of(message);
  const bool missing = text.find(fmt::format(R"("err_code":{})", int{JSConsumerNotFoundErr})) !=
                           std::string_view::npos ||
                       text.find(fmt::format(R"("err_code":{})", int{JSStreamNotFoundErr})) !=
                           std::string_view::npos;
  const bool refused = text.find("\"error\"") != std::string_view::npos;
  if (!refused || missing)
    step(QueueLookedUp{std::string(about.substr(kLook.size() + 1)), !missing});
}

// ---- Actions

void WorkerSession::perform(const Pull& action, const std::string& /*result*/) {
  const std::string subject =
      fmt::format("$JS.API.CONSUMER.MSG.NEXT.{}.{}", subjects_.stream(), action.queue);
  const std::string body =
      fmt::format(R"({{"batch":{},"expires":{}}})", action.batch, action.expires.count());
  static_cast<void>(natsConnection_PublishRequest(connection_.handle(), subject.c_str(),
                                                  action.reply.c_str(), body.data(),
                                                  static_cast<int>(body.size())));
}

void WorkerSession::perform(const LookUpQueue& action, const std::string& /*result*/) {
  const std::string subject =
      fmt::format("$JS.API.CONSUMER.INFO.{}.{}", subjects_.stream(), action.queue);
  const std::string reply = fmt::format("{}.{}.{}", inbox_, kLook, action.queue);
  static_cast<void>(
      natsConnection_PublishRequest(connection_.handle(), subject.c_str(), reply.c_str(), "", 0));
}

void WorkerSession::perform(const TellServer& action, const std::string& /*result*/) {
  tell_server(connection_, action.ack, action.word);
}

void WorkerSession::perform(const PostLease& action, const std::string& /*result*/) {
  posted_.add(action.lease);
}

ChunkResult WorkerSession::work_on(const ChunkOrder& order) const {
  if (order.items_from.empty()) return run_chunk(registry_, order, tags_);
  const auto whole = fetch_order(connection_, order);
  if (whole) return run_chunk(registry_, *whole, tags_);
  problem(whole.error());
  return {.job = order.job,
          .index = order.index,
          .epoch = order.epoch,
          .outcome = ChunkOutcome::failed,
          .problems = {{.item = order.first, .attempts = 1, .what = whole.error().what}}};
}

void WorkerSession::perform(const RunChunk& action, const std::string& /*result*/) {
  ChunkResult result = work_on(*action.order);
  result.worker = id_;
  result.delivery = action.delivery;
  const bool failed = result.outcome == ChunkOutcome::failed;
  const std::size_t room = kPiecedMax - MessageSeal::kOverhead;
  const std::string bytes =
      connection_.seal().close(SealedKind::result, encode_within(room, *action.order, result));
  step(ChunkWorked{.lease = action.lease,
                   .outcome = result.outcome,
                   .worked = result.worked,
                   .why = result.problems.empty() ? "" : result.problems.back().what,
                   .hopeless = !failed},  // it is too large, if it has failed since
       bytes);
}

void WorkerSession::perform(const AnswerChunk& action, const std::string& result) {
  const std::string& to = action.order->reply;
  if (result.size() > connection_.payload_bytes_max()) {
    if (const auto sent = send_in_pieces(connection_, to, result); !sent)
      return problem(sent.error());
  } else {
    natsConnection* const way =
        action.together ? connection_.way_together(result.size()) : connection_.handle();
    const natsStatus status =
        natsConnection_Publish(way, to.c_str(), result.data(), static_cast<int>(result.size()));
    if (status != NATS_OK) return problem(connection_.error("send a result", status));
  }
  tell_server(connection_, action.ack, action.word);
}

void WorkerSession::perform(const BuryChunk& action, const std::string& /*result*/) {
  if (const auto kept = bury(connection_, subjects_, action.letter); !kept) problem(kept.error());
}

void WorkerSession::perform(const AnswerBeacon& action, const std::string& /*result*/) {
  publish(action.reply, connection_.seal().close(SealedKind::answer, encode(action.answer)));
}

void WorkerSession::perform(const SendReport& action, const std::string& /*result*/) {
  publish(action.reply.empty() ? subjects_.heartbeat(id_) : action.reply,
          connection_.seal().close(SealedKind::report, encode(action.report)));
}

void WorkerSession::perform(const TellProblem& action, const std::string& /*result*/) {
  problem(action.error);
}

void WorkerSession::perform(const WorkerLeft& /*action*/, const std::string& /*result*/) {
  {
    const std::lock_guard guard(lock_);
    left_ = true;
  }
  changed_.notify_all();
}

}  // namespace artel::cluster::detail
