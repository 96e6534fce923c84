#include "artel/cluster/dead_letters.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/given_up_number.hpp"
#include "artel/cluster/detail/stored_message.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

// The numbers of the first and last message of the stream; nothing: there is no such stream.
struct Extent {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
Result<std::optional<Extent>> extent_of(const Connection& connection, const std::string& stream) {
  jsStreamInfo* made = nullptr;
  jsErrCode detail{};
  const natsStatus status =
      js_GetStreamInfo(&made, connection.jetstream(), stream.c_str(), nullptr, &detail);
  const std::unique_ptr<jsStreamInfo, decltype(&jsStreamInfo_Destroy)> info(made,
                                                                            &jsStreamInfo_Destroy);
  if (detail == JSStreamNotFoundErr) return std::nullopt;
  if (status != NATS_OK) return tl::unexpected(connection.error("read " + stream, status));
  // A stream that never had a message may say that its first one is number 0.
  return Extent{std::max<std::uint64_t>(info->State.FirstSeq, 1), info->State.LastSeq};
}

// The order in it; why it is worth nothing.
std::string read_order(const Connection& connection, DeadLetter& letter) {
  const std::string sealed = std::move(letter.order.sealed);
  auto order = decode_chunk_order(MessageSeal::content(sealed));
  letter.order = order ? std::move(*order) : ChunkOrder{};
  letter.order.sealed = sealed;
  const MessageSeal& seal = connection.seal();
  const auto genuine = seal.open(SealedKind::order, sealed);
  if (!genuine && !seal.is_ours(SealedKind::order, sealed)) return genuine.error().what;
  return order ? "" : order.error().what;
}

// Somebody has put it there: one of the pool, or one who says so.
GivenUpChunk buried_chunk(const Connection& connection, const detail::Message& message) {
  const std::string_view bytes = detail::payload_of(message);
  GivenUpChunk chunk;
  auto letter = decode_dead_letter(MessageSeal::content(bytes));
  if (!letter) {
    chunk.doubt = letter.error().what;
    return chunk;
  }
  chunk.letter = std::move(*letter);
  chunk.doubt = read_order(connection, chunk.letter);
  const MessageSeal& seal = connection.seal();
  const auto genuine = seal.open(SealedKind::letter, bytes);
  if (chunk.doubt.empty() && !genuine && !seal.is_ours(SealedKind::letter, bytes))
    chunk.doubt = genuine.error().what;
  return chunk;
}

// What the server noted when it gave up this message of the queue. Nothing: somebody has dealt with
// it.
Result<std::optional<GivenUpChunk>> abandoned_chunk(const Connection& connection,
                                                    const Subjects& subjects,
                                                    const detail::Message& advisory) {
  const auto number = detail::given_up_number(advisory);
  if (!number) return std::nullopt;
  auto message = detail::stored_message(connection, subjects.stream(), *number);
  if (!message) return fail(message);
  if (!*message) return std::nullopt;
  GivenUpChunk chunk;
  chunk.letter.reason = "every worker that had it was lost, and its master too";
  chunk.letter.order.sealed = detail::payload_of(*message);
  chunk.doubt = read_order(connection, chunk.letter);
  chunk.abandoned = *number;
  return std::optional(std::move(chunk));
}

// Whether two letters are of one chunk, maybe of copies of it: not of one that only says so.
bool same_chunk(const GivenUpChunk& one, const GivenUpChunk& other) {
  const auto parts = [](const ChunkOrder& order) {
    return std::tie(order.job, order.index, order.map, order.fold, order.needs, order.first,
                    order.count, order.items_from, order.init, order.items);
  };
  const auto is_plain = [](const GivenUpChunk& chunk) {
    return chunk.abandoned == 0 && chunk.doubt.empty();
  };
  return is_plain(one) && is_plain(other) && parts(one.letter.order) == parts(other.letter.order);
}

// Adds it, in the place of an older letter of the same chunk.
class ChunksFound {
 public:
  void add(GivenUpChunk chunk) {
    const ChunkOrder& order = chunk.letter.order;
    auto [at, end] = places_.equal_range({order.job, order.index});
    while (at != end && !same_chunk(found_[at->second], chunk)) ++at;
    if (at == end) {
      places_.emplace(std::pair(order.job, order.index), found_.size());
      found_.push_back(std::move(chunk));
      return;
    }
    GivenUpChunk& same = found_[at->second];
    chunk.older = std::move(same.older);
    chunk.older.push_back(same.number);
    same = std::move(chunk);
  }
  std::vector<GivenUpChunk> take() { return std::move(found_); }

 private:
  std::vector<GivenUpChunk> found_;
  std::multimap<std::pair<std::string, std::uint64_t>, std::size_t> places_;
};

}  // namespace

bool is_old(const GivenUpChunk& chunk) {
  const std::uint64_t sent = chunk.letter.order.sent_s;
  return chunk.stored_s > sent && chunk.stored_s - sent > kOldOrderSeconds;
}

Result<void> bury(const Connection& connection, const Subjects& subjects, DeadLetter letter) {
  constexpr std::size_t kReasonMax = 4096;
  constexpr std::size_t kReasonMin = 100;
  constexpr std::size_t kRest = 256;  // seal, worker, msgpack's own
  const MessageSeal& seal = connection.seal();
  ChunkOrder& order = letter.order;
  if (order.sealed.empty()) order.sealed = seal.close(SealedKind::order, encode(order));
  const std::size_t taken = order.sealed.size() + kRest;
  const std::size_t most = connection.payload_bytes_max();
  const std::size_t room = most > taken ? most - taken : 0;
  letter.reason.resize(std::min(letter.reason.size(), std::clamp(room, kReasonMin, kReasonMax)));
  return detail::store_message(connection, subjects.dead_letter({order.job, order.index}),
                               seal.close(SealedKind::letter, encode(letter)),
                               "keep a dead letter");
}

Result<std::vector<GivenUpChunk>> dead_letters(const Connection& connection,
                                               const Subjects& subjects) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::string stream = subjects.dead_stream();
  const auto extent = extent_of(connection, stream);
  if (!extent) return fail(extent);
  const Extent all = extent->value_or(Extent{.first = 1, .last = 0});
  ChunksFound found;
  for (std::uint64_t number = all.first; number <= all.last; ++number) {
    const auto message = detail::stored_message(connection, stream, number);
    if (!message) return fail(message);
    if (!*message) continue;
    std::optional<GivenUpChunk> chunk;
    if (detail::subject_of(*message).starts_with("$JS.")) {
      auto abandoned = abandoned_chunk(connection, subjects, *message);
      if (!abandoned) return fail(abandoned);
      chunk = std::move(*abandoned);
    } else {
      chunk = buried_chunk(connection, *message);
    }
    if (!chunk) continue;
    chunk->number = number;
    const std::int64_t stored_ns = natsMsg_GetTime(message->get());
    chunk->stored_s = static_cast<std::uint64_t>(std::max<std::int64_t>(0, stored_ns)) / kSecond;
    found.add(std::move(*chunk));
  }
  return found.take();
}

Result<void> discard(const Connection& connection, const Subjects& subjects,
                     const GivenUpChunk& chunk) {
  if (chunk.abandoned != 0) {
    auto erased = detail::erase_stored(connection, subjects.stream(), chunk.abandoned);
    if (!erased) return erased;
  }
  for (const auto number : chunk.older) {
    auto erased = detail::erase_stored(connection, subjects.dead_stream(), number);
    if (!erased) return erased;
  }
  return detail::erase_stored(connection, subjects.dead_stream(), chunk.number);
}

Result<void> requeue(const Connection& connection, const Subjects& subjects,
                     const GivenUpChunk& chunk) {
  const ChunkOrder& order = chunk.letter.order;
  const auto refused = [&](std::string_view why) {
    return fail(ErrorCode::unsupported,
                fmt::format("dead letter {} cannot be requeued: {}", chunk.number, why),
                connection.servers());
  };
  if (!chunk.doubt.empty()) return refused(chunk.doubt);
  if (!order.items_from.empty()) {
    return refused(
        "its items were larger than a message, and only its master had them; map them "
        "again");
  }
  // Without an id: the server would take it for the copy that it knows, and a worker that does not
  // take it knows by that to put it back.
  auto sent =
      detail::store_message(connection,
                            subjects.task(Subjects::queue_of(order.map, order.fold, order.needs),
                                          {order.job, order.index}),
                            order.sealed, fmt::format("requeue dead letter {}", chunk.number));
  if (!sent) return sent;
  return discard(connection, subjects, chunk);
}

}  // namespace artel::cluster
