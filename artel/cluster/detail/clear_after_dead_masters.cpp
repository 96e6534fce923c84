#include "artel/cluster/detail/clear_after_dead_masters.hpp"

#include <nats/nats.h>
#include <nats/status.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/stored_message.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/engine_subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::cluster::detail {
namespace {

using std::chrono::seconds;

// The job of a chunk in the shared queue (….JOB.INDEX) or in a worker's own; empty: no chunk.
std::string job_of(std::string_view subject) {
  const std::size_t last = subject.rfind('.');
  if (last == std::string_view::npos || !parse_number<std::uint64_t>(subject.substr(last + 1))) {
    return {};
  }
  const std::string_view before = subject.substr(0, last);
  return std::string(before.substr(before.rfind('.') + 1));
}

// Subjects of chunks in the queue, by job.
using Waiting = std::map<std::string, std::vector<std::string>>;

Result<Waiting> waiting_chunks(const Connection& connection, const Subjects& subjects) {
  const std::string tasks = subjects.tasks();
  jsOptions options;
  jsOptions_Init(&options);
  options.Stream.Info.SubjectsFilter = tasks.c_str();
  EngineHandle<jsStreamInfo> info;
  jsErrCode detail{};
  const natsStatus status = js_GetStreamInfo(OutHandle(info), connection.jetstream(),
                                             subjects.stream().c_str(), &options, &detail);
  if (detail == JSStreamNotFoundErr) return Waiting{};
  if (status != NATS_OK) return tl::unexpected(connection.error("see what waits", status));
  Waiting waiting;
  const auto* const all = info->State.Subjects;
  for (int i = 0; all != nullptr && i < all->Count; ++i) {
    const char* const subject = all->List[i].Subject;
    if (std::string job = job_of(subject); !job.empty()) {
      waiting[std::move(job)].emplace_back(subject);
    }
  }
  return waiting;
}

// The newest message of this subject that a master has sent; nothing: there is none.
Result<Message> sent_by_master(const Connection& connection, const std::string& stream,
                               const std::string& subject) {
  natsMsg* found = nullptr;
  jsErrCode detail{};
  const natsStatus status = js_GetLastMsg(&found, connection.jetstream(), stream.c_str(),
                                          subject.c_str(), nullptr, &detail);
  Message message(found);
  if (detail == JSNoMessageFoundErr) return Message();
  if (status != NATS_OK) return tl::unexpected(connection.error("see what waits", status));
  const char* id = nullptr;
  // dead_letters.hpp requeues without one.
  if (natsMsgHeader_Get(found, "Nats-Msg-Id", &id) != NATS_OK) return Message();
  return message;
}

// Which of these subjects nobody is subscribed to: the server says so before it answers the flush.
Result<std::set<std::string>> unheard(const Connection& connection,
                                      const std::set<std::string>& replies) {
  std::map<std::string, EngineSubscription> answers;
  for (const std::string& reply : replies) {
    const std::string back = connection.new_inbox();
    auto& answer = answers.try_emplace(reply, connection.new_subscription()).first->second;
    natsStatus status =
        natsConnection_SubscribeSync(answer.out(), connection.handle(), back.c_str());
    if (status == NATS_OK) {
      status =
          natsConnection_PublishRequest(connection.handle(), reply.c_str(), back.c_str(), "", 0);
    }
    if (status != NATS_OK) return tl::unexpected(connection.error("look for masters", status));
  }
  if (auto flushed = connection.flush(seconds(2)); !flushed) return fail(flushed);
  std::set<std::string> nobody;
  for (const auto& [reply, answer] : answers) {
    EngineHandle<natsMsg> message;
    const natsStatus got = natsSubscription_NextMsg(OutHandle(message), answer.get(), 1);
    const bool says_so = message != nullptr && natsMsg_IsNoResponders(message.get());
    if (got == NATS_NO_RESPONDERS || says_so) nobody.insert(reply);
  }
  return nobody;
}

// What masters have sent to these subjects. Returns how many it were.
Result<std::size_t> erase_chunks(const Connection& connection, const std::string& stream,
                                 const std::vector<std::string>& chunks) {
  std::size_t erased = 0;
  for (const std::string& chunk : chunks) {
    while (true) {
      const auto message = sent_by_master(connection, stream, chunk);
      if (!message) return fail(message);
      if (!*message) break;
      const std::uint64_t number = natsMsg_GetSequence(message->get());
      if (auto gone = erase_stored(connection, stream, number); !gone) return fail(gone);
      ++erased;
    }
  }
  return erased;
}

}  // namespace

Result<void> sweep_job(const Connection& connection, const Subjects& subjects,
                       const std::string& job) {
  const auto waiting = waiting_chunks(connection, subjects);
  if (!waiting) return fail(waiting);
  const auto chunks = waiting->find(job);
  if (chunks == waiting->end()) return {};
  const auto erased = erase_chunks(connection, subjects.stream(), chunks->second);
  if (!erased) return fail(erased);
  return {};
}

Result<std::size_t> clear_after_dead_masters(const Connection& connection,
                                             const Subjects& subjects) {
  const auto waiting = waiting_chunks(connection, subjects);
  if (!waiting) return fail(waiting);
  const std::string stream = subjects.stream();
  std::map<std::string, std::string> replies;  // of the jobs
  for (const auto& [job, chunks] : *waiting) {
    for (const std::string& chunk : chunks) {
      const auto message = sent_by_master(connection, stream, chunk);
      if (!message) return fail(message);
      if (!*message) continue;
      if (auto order = decode_chunk_order(MessageSeal::content(payload_of(*message))))
        replies[job] = order->reply;
      break;
    }
  }
  std::set<std::string> masters;
  for (const auto& [job, reply] : replies) masters.insert(reply);
  if (masters.empty()) return 0;
  const auto lost = unheard(connection, masters);
  if (!lost) return fail(lost);
  std::size_t removed = 0;
  for (const auto& [job, reply] : replies) {
    if (!lost->contains(reply)) continue;
    const auto erased = erase_chunks(connection, stream, waiting->at(job));
    if (!erased) return fail(erased);
    removed += *erased;
  }
  return removed;
}

}  // namespace artel::cluster::detail
