#include "artel/cluster/detail/jetstream_queue.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/cluster/beacon_request.hpp"
#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letter.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/detail/given_up_number.hpp"
#include "artel/cluster/detail/stored_message.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/queue_options.hpp"
#include "artel/cluster/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::cluster::detail {
namespace {

constexpr Duration kDuplicateWindow = std::chrono::minutes(2);
constexpr std::int64_t kAckPendingMax = 65'536;  // chunks in the hands of workers, all together
constexpr std::int64_t kPullsMax = 4'096;        // workers that wait
constexpr Duration kIdleMax = std::chrono::minutes(5);  // of a worker's own queue
constexpr std::int64_t kDeadLettersMax = 10'000;
constexpr std::size_t kHeaderRoom = 512;  // of a message, and what a dead letter adds

// "already there, with other settings": those of whoever came first hold.
bool is_there(natsStatus status, jsErrCode detail) {
  return status == NATS_OK || detail == JSStreamNameExistErr;
}

}  // namespace

JetStreamQueue::JetStreamQueue(const Connection& connection, Subjects subjects,
                               QueueOptions options, Events events)
    : connection_(connection),
      subjects_(std::move(subjects)),
      options_(std::move(options)),
      events_(std::move(events)),
      inbox_(new_inbox()),
      results_(inbox_ + ".r") {}

Result<std::unique_ptr<JetStreamQueue>> JetStreamQueue::open(const Connection& connection,
                                                             const Subjects& subjects,
                                                             const QueueOptions& options,
                                                             Events events) {
  if (auto able = connection.require_jetstream(); !able) return fail(able);
  std::unique_ptr<JetStreamQueue> queue(
      new JetStreamQueue(connection, subjects, options, std::move(events)));
  if (auto made = queue->make(); !made) return fail(made);
  auto answers = Subscription::open(
      connection, queue->inbox_ + ".>",
      [self = queue.get()](Message message) { self->came(message); },
      [self = queue.get()] { self->events_.calm(); });
  if (!answers) return fail(answers);
  queue->subscriptions_.push_back(std::move(*answers));
  auto given_up =
      Subscription::open(connection, subjects.given_up(), [self = queue.get()](Message message) {
        if (const auto number = given_up_number(message)) self->events_.given_up(*number);
      });
  if (!given_up) return fail(given_up);
  queue->subscriptions_.push_back(std::move(*given_up));
  return queue;
}

Result<void> JetStreamQueue::make() const {
  const std::string stream = subjects_.stream();
  const std::string tasks = subjects_.tasks();
  const char* task_subjects[] = {tasks.c_str()};
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = stream.c_str();
  config.Subjects = task_subjects;
  config.SubjectsLen = 1;
  config.Retention = js_WorkQueuePolicy;
  config.Discard = js_DiscardNew;
  config.MaxMsgs = options_.chunks_max;
  config.Storage = options_.storage == Storage::file ? js_FileStorage : js_MemoryStorage;
  config.Replicas = options_.replicas;
  config.Duplicates = kDuplicateWindow.count();
  jsErrCode detail{};
  natsStatus status = js_AddStream(nullptr, connection_.jetstream(), &config, nullptr, &detail);
  if (!is_there(status, detail)) {
    return tl::unexpected(connection_.error(fmt::format("make stream {}", stream), status));
  }

  const std::string dead_stream = subjects_.dead_stream();
  const std::string letters = subjects_.dead_letters();
  const std::string given_up = subjects_.given_up();
  const char* dead_subjects[] = {letters.c_str(), given_up.c_str()};
  jsStreamConfig_Init(&config);
  config.Name = dead_stream.c_str();
  config.Subjects = dead_subjects;
  config.SubjectsLen = 2;
  config.MaxMsgs = kDeadLettersMax;
  config.Storage = options_.storage == Storage::file ? js_FileStorage : js_MemoryStorage;
  config.Replicas = options_.replicas;
  status = js_AddStream(nullptr, connection_.jetstream(), &config, nullptr, &detail);
  if (!is_there(status, detail)) {
    return tl::unexpected(connection_.error(fmt::format("make stream {}", dead_stream), status));
  }

  return make_consumer(std::string(Subjects::kSharedConsumer), subjects_.shared(), {});
}

Result<void> JetStreamQueue::make_own(const std::string& worker) const {
  return make_consumer(Subjects::own_consumer(worker), subjects_.own(worker), kIdleMax);
}

Result<void> JetStreamQueue::make_consumer(const std::string& name, const std::string& subject,
                                           Duration idle_max) const {
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
  consumer.InactiveThreshold = idle_max.count();
  jsErrCode detail{};
  const natsStatus status =
      js_AddConsumer(nullptr, connection_.jetstream(), stream.c_str(), &consumer, nullptr, &detail);
  if (status == NATS_OK) return {};
  return tl::unexpected(
      connection_.error(fmt::format("make consumer {} of stream {}", name, stream), status));
}

Result<void> JetStreamQueue::drop_own(const std::string& worker) const {
  if (auto purged = purge_subject(subjects_.own(worker)); !purged) return purged;
  jsErrCode detail{};
  const natsStatus status =
      js_DeleteConsumer(connection_.jetstream(), subjects_.stream().c_str(),
                        Subjects::own_consumer(worker).c_str(), nullptr, &detail);
  if (status == NATS_OK || status == NATS_NOT_FOUND) return {};
  return tl::unexpected(connection_.error(fmt::format("drop the queue of {}", worker), status));
}

Result<void> JetStreamQueue::send_beacon(const std::string& worker,
                                         const BeaconRequest& beacon) const {
  const std::string bytes = encode(beacon);
  const natsStatus status =
      natsConnection_Publish(connection_.handle(), subjects_.beacon(worker).c_str(), bytes.data(),
                             static_cast<int>(bytes.size()));
  if (status == NATS_OK) return {};
  return tl::unexpected(connection_.error("send a beacon", status));
}

Result<void> JetStreamQueue::send(const ChunkOrder& order, const std::string& worker,
                                  Urgency urgency) const {
  const std::string subject = task_subject({order.job, order.index}, worker);
  const std::string reply = fmt::format("{}.{}.{}", inbox_, order.job, order.index);
  const std::string id = fmt::format("{}.{}.{}", order.job, order.index, order.epoch);
  const std::string bytes = encode(order);
  if (bytes.size() + kHeaderRoom > connection_.payload_bytes_max()) {
    return fail(ErrorCode::too_large,
                fmt::format("chunk {} has {} bytes; the server's limit is {}: use smaller chunks "
                            "(MapOptions::chunk), or raise max_payload at the server, up to 8MB",
                            order.index, bytes.size(), connection_.payload_bytes_max()));
  }
  natsMsg* made = nullptr;
  natsStatus status = natsMsg_Create(&made, subject.c_str(), reply.c_str(), bytes.data(),
                                     static_cast<int>(bytes.size()));
  const Message message(made);
  if (status == NATS_OK) status = natsMsgHeader_Set(made, "Nats-Msg-Id", id.c_str());
  natsConnection* const way = urgency == Urgency::now ? connection_.handle() : connection_.bulk();
  if (status == NATS_OK) status = natsConnection_PublishMsg(way, made);
  if (status != NATS_OK) return tl::unexpected(connection_.error("send a chunk", status));
  return {};
}

// A result; or the server's answer to a chunk: kept, or not.
void JetStreamQueue::came(const Message& message) const {
  if (subject_of(message) == results_) return events_.result(message);
  const bool lost = natsMsg_IsNoResponders(message.get());
  if (!lost && payload_of(message).find("\"error\"") == std::string_view::npos) return;
  const std::string_view chunk = subject_of(message).substr(inbox_.size() + 1);
  const std::size_t dot = chunk.find('.');
  if (dot == std::string_view::npos) return;
  const auto index = parse_number<std::uint64_t>(chunk.substr(dot + 1));
  if (index) events_.not_sent({std::string(chunk.substr(0, dot)), *index});
}

std::string JetStreamQueue::task_subject(const ChunkAddress& chunk,
                                         const std::string& worker) const {
  return worker.empty() ? subjects_.task(chunk) : subjects_.own_task(worker, chunk);
}

Result<JetStreamQueue::FoundMessage> JetStreamQueue::look_for(const ChunkAddress& chunk,
                                                              const std::string& worker) const {
  const std::string stream = subjects_.stream();
  const std::string subject = task_subject(chunk, worker);
  const std::string consumer =
      worker.empty() ? std::string(Subjects::kSharedConsumer) : Subjects::own_consumer(worker);
  natsMsg* found = nullptr;
  jsErrCode detail{};
  natsStatus status = js_GetLastMsg(&found, connection_.jetstream(), stream.c_str(),
                                    subject.c_str(), nullptr, &detail);
  const Message message(found);
  if (detail == JSNoMessageFoundErr) return FoundMessage{MessageState::absent};
  if (detail == JSStreamNotFoundErr) return FoundMessage{MessageState::gone};
  if (status != NATS_OK) return tl::unexpected(connection_.error("look for a chunk", status));
  const std::uint64_t sequence = natsMsg_GetSequence(found);

  jsConsumerInfo* info = nullptr;
  status = js_GetConsumerInfo(&info, connection_.jetstream(), stream.c_str(), consumer.c_str(),
                              nullptr, &detail);
  const std::unique_ptr<jsConsumerInfo, decltype(&jsConsumerInfo_Destroy)> held(
      info, &jsConsumerInfo_Destroy);
  if (detail == JSConsumerNotFoundErr) return FoundMessage{MessageState::gone};
  if (status != NATS_OK) return tl::unexpected(connection_.error("look for a chunk", status));
  // After it was killed, the server may keep messages that were acknowledged.
  return FoundMessage{
      sequence <= info->AckFloor.Stream ? MessageState::orphan : MessageState::queued, sequence};
}

Result<std::optional<ChunkOrder>> JetStreamQueue::read(std::uint64_t sequence) const {
  const auto message = stored_message(connection_, subjects_.stream(), sequence);
  if (!message) return fail(message);
  if (!*message) return std::nullopt;
  auto order = decode_chunk_order(payload_of(*message));
  if (!order) return fail(order);
  return std::optional(std::move(*order));
}

Result<void> JetStreamQueue::erase(std::uint64_t sequence) const {
  return erase_stored(connection_, subjects_.stream(), sequence);
}

Result<void> JetStreamQueue::purge_job(std::string_view job) const {
  if (options_.dispatch) {
    if (auto purged = purge_subject(subjects_.own_job("*", job)); !purged) return purged;
  }
  return purge_subject(subjects_.job(job));
}
Result<void> JetStreamQueue::purge(const ChunkAddress& chunk) const {
  if (options_.dispatch) {
    if (auto purged = purge_subject(subjects_.own_task("*", chunk)); !purged) return purged;
  }
  return purge_subject(subjects_.task(chunk));
}

Result<void> JetStreamQueue::purge_subject(const std::string& subject) const {
  jsOptions options;
  jsOptions_Init(&options);
  options.Stream.Purge.Subject = subject.c_str();
  jsErrCode detail{};
  const natsStatus status =
      js_PurgeStream(connection_.jetstream(), subjects_.stream().c_str(), &options, &detail);
  if (status == NATS_OK || detail == JSStreamNotFoundErr) return {};
  return tl::unexpected(connection_.error("remove what waits", status));
}

Result<void> JetStreamQueue::bury(const DeadLetter& letter) const {
  return cluster::bury(connection_, subjects_, letter);
}

}  // namespace artel::cluster::detail
