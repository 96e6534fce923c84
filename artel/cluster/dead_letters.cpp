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
#include <tl/expected.hpp>
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
  auto order = decode_chunk_order(MessageSeal::content(detail::payload_of(*message)));
  if (!order) return std::nullopt;
  GivenUpChunk chunk;
  chunk.letter = {"every worker that had it was lost, and its master too", "", std::move(*order)};
  chunk.abandoned = *number;
  return std::optional(std::move(chunk));
}

}  // namespace

Result<void> bury(const Connection& connection, const Subjects& subjects,
                  const DeadLetter& letter) {
  return detail::store_message(connection,
                               subjects.dead_letter({letter.order.job, letter.order.index}),
                               encode(letter), "keep a dead letter");
}

Result<std::vector<GivenUpChunk>> dead_letters(const Connection& connection,
                                               const Subjects& subjects) {
  const std::string stream = subjects.dead_stream();
  const auto extent = extent_of(connection, stream);
  if (!extent) return fail(extent);
  const Extent all = extent->value_or(Extent{.first = 1, .last = 0});
  std::vector<GivenUpChunk> found;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> place_of;  // of those buried
  for (std::uint64_t number = all.first; number <= all.last; ++number) {
    const auto message = detail::stored_message(connection, stream, number);
    if (!message) return fail(message);
    if (!*message) continue;
    std::optional<GivenUpChunk> chunk;
    if (subjects.chunk_of(detail::subject_of(*message))) {
      if (auto letter = decode_dead_letter(detail::payload_of(*message))) {
        chunk.emplace().letter = std::move(*letter);
      }
    } else {
      auto abandoned = abandoned_chunk(connection, subjects, *message);
      if (!abandoned) return fail(abandoned);
      chunk = std::move(*abandoned);
    }
    if (!chunk) continue;
    chunk->number = number;
    if (chunk->abandoned == 0) {
      const auto& order = chunk->letter.order;
      const auto [place, is_first] = place_of.try_emplace({order.job, order.index}, found.size());
      if (!is_first) {
        GivenUpChunk& same = found[place->second];
        chunk->older = std::move(same.older);
        chunk->older.push_back(same.number);
        same = std::move(*chunk);
        continue;
      }
    }
    found.push_back(std::move(*chunk));
  }
  return found;
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
  if (!order.items_from.empty()) {
    return fail(ErrorCode::unsupported,
                fmt::format("dead letter {} cannot be requeued: its items were larger than a "
                            "message, and only its master had them; map them again",
                            chunk.number),
                connection.servers());
  }
  // Without an id: the server would take it for the copy that it knows.
  auto sent =
      detail::store_message(connection,
                            subjects.task(Subjects::queue_of(order.map, order.fold, order.needs),
                                          {order.job, order.index}),
                            connection.seal().close(SealedKind::order, encode(order)),
                            fmt::format("requeue chunk {} of {}", order.index, order.job));
  if (!sent) return sent;
  return discard(connection, subjects, chunk);
}

}  // namespace artel::cluster
