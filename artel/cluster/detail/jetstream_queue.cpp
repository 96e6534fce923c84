#include "artel/cluster/detail/jetstream_queue.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/bytes_of.hpp"
#include "artel/cluster/detail/given_up_number.hpp"
#include "artel/cluster/detail/message_pieces.hpp"
#include "artel/cluster/detail/pool_streams.hpp"
#include "artel/cluster/detail/stored_message.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/printable_text.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::int64_t kAckPendingMax = 65'536;  // chunks in the hands of workers, all together
constexpr std::int64_t kPullsMax = 4'096;        // workers that wait
constexpr Duration kIdleMax = std::chrono::minutes(5);  // of a consumer
constexpr std::size_t kHeaderRoom = 512;                // of a message, and what a dead letter adds

// What an answer of the server is about: a token of its subject.
constexpr std::string_view kStored = "s";
constexpr std::string_view kFound = "q";
constexpr std::string_view kQueue = "c";
constexpr std::string_view kBeacon = "b";
constexpr std::string_view kErased = "e";  // nobody listens

// The tokens of a subject up to the next dot; what is left is behind it.
std::string_view next_token(std::string_view& rest) {
  const std::size_t dot = rest.find('.');
  const std::string_view token = rest.substr(0, dot);
  rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
  return token;
}

// The number after `"name":` in what the server says; 0: it does not say it.
std::uint64_t number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + name.size());
  while (text.starts_with(' ') || text.starts_with(':')) text.remove_prefix(1);
  return parse_number<std::uint64_t>(text.substr(0, text.find_first_not_of("0123456789")))
      .value_or(0);
}

// Why the server refuses something; empty: it does not say it.
std::string words_in(std::string_view text) {
  constexpr std::string_view kBefore = "\"description\":\"";
  const std::size_t at = text.find(kBefore);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + kBefore.size());
  return printable_text(std::string(text.substr(0, text.find('"'))), Lines::one);
}

// All but the items, and what folding them begins with.
ChunkOrder head_of(const ChunkOrder& order) {
  return {.job = order.job,
          .index = order.index,
          .epoch = order.epoch,
          .reply = order.reply,
          .lease = order.lease,
          .tries = order.tries,
          .kind = order.kind,
          .map = order.map,
          .fold = order.fold,
          .needs = order.needs,
          .retries = order.retries,
          .first = order.first,
          .count = order.count,
          .sent_s = order.sent_s};
}

}  // namespace

JetStreamQueue::JetStreamQueue(const Connection& connection, Subjects subjects,
                               QueueOptions options, Events events)
    : connection_(connection),
      subjects_(std::move(subjects)),
      options_(std::move(options)),
      streams_(connection, subjects_, options_),
      events_(std::move(events)),
      inbox_(connection.new_inbox()),
      results_(inbox_ + ".r"),
      items_(inbox_ + ".i") {}

Result<std::unique_ptr<JetStreamQueue>> JetStreamQueue::open(const Connection& connection,
                                                             const Subjects& subjects,
                                                             const QueueOptions& options,
                                                             Events events) {
  if (auto able = connection.require_jetstream(); !able) return fail(able);
  std::unique_ptr<JetStreamQueue> queue(
      new JetStreamQueue(connection, subjects, options, std::move(events)));
  if (auto made = queue->streams_.make(); !made) return fail(made);
  auto answers = Subscription::open(
      connection, queue->inbox_ + ".>",
      [self = queue.get()](Message message) { self->came(message); },
      [self = queue.get()] { self->events_.calm(); });
  if (!answers) return fail(answers);
  queue->subscriptions_.push_back(std::move(*answers));
  auto given_up =
      Subscription::open(connection, subjects.given_up(), [self = queue.get()](Message message) {
        if (const auto number = given_up_number(message)) {
          self->events_.said(MessageGivenUp{*number});
        }
      });
  if (!given_up) return fail(given_up);
  queue->subscriptions_.push_back(std::move(*given_up));
  return queue;
}

Result<void> JetStreamQueue::make(const std::string& queue) const {
  if (auto made = streams_.make(); !made) return made;
  return make_consumer(queue, subjects_.shared(queue));
}

Result<void> JetStreamQueue::make_own(const std::string& worker) const {
  return make_consumer(Subjects::own_consumer(worker), subjects_.own(worker));
}

Result<void> JetStreamQueue::make_consumer(const std::string& name,
                                           const std::string& subject) const {
  const std::string stream = subjects_.stream();
  jsConsumerConfig consumer;
  jsConsumerConfig_Init(&consumer);
  consumer.Durable = name.c_str();
  consumer.FilterSubject = subject.c_str();
  consumer.AckPolicy = js_AckExplicit;
  consumer.AckWait = options_.lease.count();
  consumer.MaxDeliver = options_.tries;
  consumer.MaxAckPending = kAckPendingMax;
  consumer.MaxWaiting = kPullsMax;
  consumer.InactiveThreshold = kIdleMax.count();
  jsErrCode detail{};
  const natsStatus status =
      js_AddConsumer(nullptr, connection_.jetstream(), stream.c_str(), &consumer, nullptr, &detail);
  if (status == NATS_OK) return {};
  return tl::unexpected(
      connection_.error(fmt::format("make consumer {} of stream {}", name, stream), status));
}

Result<void> JetStreamQueue::drop_own(const std::string& worker) const {
  return drop(Subjects::own_consumer(worker));
}

Result<void> JetStreamQueue::drop(const std::string& queue) const {
  jsErrCode detail{};
  const natsStatus status = js_DeleteConsumer(connection_.jetstream(), subjects_.stream().c_str(),
                                              queue.c_str(), nullptr, &detail);
  if (status == NATS_OK || status == NATS_NOT_FOUND) return {};
  return tl::unexpected(connection_.error(fmt::format("drop the queue {}", queue), status));
}

// ---- At once

Result<void> JetStreamQueue::send(const std::shared_ptr<const ChunkOrder>& sent,
                                  const std::string& queue, const std::string& worker,
                                  Urgency urgency) {
  const ChunkOrder& order = *sent;
  const std::string subject = worker.empty() ? subjects_.task(queue, {order.job, order.index})
                                             : subjects_.own_task(worker, {order.job, order.index});
  const std::string id = fmt::format("{}.{}.{}", order.job, order.index, order.epoch);
  const std::string reply = fmt::format("{}.{}.{}", inbox_, kStored, id);
  std::string bytes = connection_.seal().close(SealedKind::order, encode(order));
  if (bytes.size() > kPiecedMax) {
    return fail(ErrorCode::too_large,
                fmt::format("chunk {} has {} bytes; {} are the most: use smaller chunks "
                            "(MapOptions::chunk), or send the path of a file",
                            order.index, bytes.size(), kPiecedMax));
  }
  if (bytes.size() + kHeaderRoom > connection_.payload_bytes_max()) {
    large_.keep(sent, std::move(bytes));
    ChunkOrder rest = head_of(order);
    rest.items_from = items_;
    bytes = connection_.seal().close(SealedKind::order, encode(rest));
  }
  natsMsg* made = nullptr;
  natsStatus status = natsMsg_Create(&made, subject.c_str(), reply.c_str(), bytes.data(),
                                     static_cast<int>(bytes.size()));
  const Message message(made);
  if (status == NATS_OK) status = natsMsgHeader_Set(made, "Nats-Msg-Id", id.c_str());
  natsConnection* const way =
      urgency == Urgency::now ? connection_.handle() : connection_.way_together(bytes.size());
  if (status == NATS_OK) status = natsConnection_PublishMsg(way, made);
  if (status != NATS_OK) return tl::unexpected(connection_.error("send a chunk", status));
  return {};
}

void JetStreamQueue::ask(const std::string& call, const std::string& reply,
                         const std::string& body) const {
  static_cast<void>(natsConnection_PublishRequest(connection_.handle(), call.c_str(), reply.c_str(),
                                                  body.data(), static_cast<int>(body.size())));
}

void JetStreamQueue::look_up(const LookUpChunk& chunk) const {
  const std::string subject = chunk.worker.empty() ? subjects_.task(chunk.queue, chunk.chunk)
                                                   : subjects_.own_task(chunk.worker, chunk.chunk);
  ask("$JS.API.STREAM.MSG.GET." + subjects_.stream(),
      fmt::format("{}.{}.{}.{}.{}", inbox_, kFound, chunk.chunk.job, chunk.chunk.index,
                  chunk.worker.empty() ? chunk.queue : Subjects::own_consumer(chunk.worker)),
      fmt::format(R"({{"last_by_subj":"{}"}})", subject));
}

void JetStreamQueue::send_beacon(const std::string& worker, const BeaconRequest& beacon) const {
  ask(subjects_.beacon(worker), fmt::format("{}.{}.{}", inbox_, kBeacon, worker),
      connection_.seal().close(SealedKind::beacon, encode(beacon)));
}

void JetStreamQueue::erase(StoredNumber number) const {
  ask("$JS.API.STREAM.MSG.DELETE." + subjects_.stream(), fmt::format("{}.{}", inbox_, kErased),
      fmt::format(R"({{"seq":{},"no_erase":true}})", number));
}

// A result, or the server's answer to something.
void JetStreamQueue::came(const Message& message) {
  const std::string_view subject = subject_of(message);
  if (subject == items_) return items_wanted(message);
  if (subject != results_) return answer_came(subject.substr(inbox_.size() + 1), message);
  if (!is_piece(message)) return events_.result(payload_of(message));
  const auto received = receive_piece(connection_, pieces_, message);
  if (!received) return events_.result(payload_of(message));  // as forged as that, and so counted
  const std::optional<std::string>& whole = *received;
  if (whole) events_.result(*whole);
}

void JetStreamQueue::items_wanted(const Message& message) {
  const std::string reply(reply_of(message));
  if (!is_reply_subject(reply)) return;
  const std::size_t room = std::min(kPartMax, connection_.payload_bytes_max()) - kNumberBytes;
  const std::string answer = large_.answer(payload_of(message), room);
  static_cast<void>(natsConnection_Publish(connection_.handle(), reply.c_str(), answer.data(),
                                           static_cast<int>(answer.size())));
}

void JetStreamQueue::answer_came(std::string_view about, const Message& message) const {
  const std::string_view kind = next_token(about);
  const std::string_view text = payload_of(message);
  const bool unheard = natsMsg_IsNoResponders(message.get());
  const bool refused = unheard || text.find("\"error\"") != std::string_view::npos;
  const StoredNumber number = refused ? 0 : number_after(text, "\"seq\"");
  if (kind == kBeacon && number > 0) return events_.said(BeaconStored{std::string(about), number});
  if (kind != kStored && kind != kFound && kind != kQueue) return;
  ChunkAddress chunk{.job = std::string(next_token(about))};
  const auto index = parse_number<std::uint64_t>(next_token(about));
  if (!index) return;
  chunk.index = *index;
  if (kind == kStored) {
    const auto epoch = parse_number<std::uint32_t>(about);
    if (refused) {
      return events_.said(ChunkNotStored{std::move(chunk), !unheard, words_in(text)});
    }
    if (number > 0 && epoch) events_.said(ChunkStored{std::move(chunk), *epoch, number});
    return;
  }
  if (kind == kQueue) return queue_found(std::move(chunk), about, unheard ? "" : text);
  if (number > 0) {  // and how is it with its queue?
    return ask(fmt::format("$JS.API.CONSUMER.INFO.{}.{}", subjects_.stream(), about),
               fmt::format("{}.{}.{}.{}.{}", inbox_, kQueue, chunk.job, chunk.index, number), "");
  }
  const std::uint64_t why = unheard ? 0 : number_after(text, "\"err_code\"");
  if (why == JSNoMessageFoundErr) events_.said(ChunkFound{chunk, MessageState::absent});
  if (why == JSStreamNotFoundErr) events_.said(ChunkFound{chunk, MessageState::gone});
}

// `about`: the number of the chunk's message.
void JetStreamQueue::queue_found(ChunkAddress chunk, std::string_view about,
                                 std::string_view text) const {
  ChunkFound found{std::move(chunk), MessageState::queued,
                   parse_number<std::uint64_t>(about).value_or(0)};
  if (text.find("\"error\"") == std::string_view::npos) {
    const std::size_t floor = text.find("\"ack_floor\"");
    if (floor == std::string_view::npos) return;
    found.queue = {.done_to = number_after(text.substr(floor), "\"stream_seq\""),
                   .waiting = number_after(text, "\"num_pending\""),
                   .in_hand = number_after(text, "\"num_ack_pending\"")};
  } else if (number_after(text, "\"err_code\"") != JSConsumerNotFoundErr) {
    return;
  }
  events_.said(std::move(found));
}

std::shared_ptr<const ChunkOrder> JetStreamQueue::read(StoredNumber number) const {
  const auto message = stored_message(connection_, subjects_.stream(), number);
  if (!message || !*message) return nullptr;
  auto order = decode_chunk_order(MessageSeal::content(payload_of(*message)));
  if (order) order->sealed = payload_of(*message);
  return order ? std::make_shared<const ChunkOrder>(std::move(*order)) : nullptr;
}

}  // namespace artel::cluster::detail
