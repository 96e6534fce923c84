#include "artel/cluster/detail/message_pieces.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/bytes_of.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {
namespace {

std::uint64_t new_name() {
  std::random_device entropy;
  return std::uint64_t{entropy()} << 32U | entropy();
}

}  // namespace

std::string MessagePieces::piece(std::uint64_t name, std::uint64_t number, std::uint64_t count,
                                 std::string_view part) {
  std::string bytes("\xc7");
  bytes.reserve(kHead + part.size());
  for (const std::uint64_t head : {name, number, count}) bytes += bytes_of(head);
  bytes += part;
  return bytes;
}

MessagePieces::Taken MessagePieces::take(std::string_view piece, Instant now) {
  for (auto each = begun_.begin(); each != begun_.end();) {
    const auto next = std::next(each);
    if (now - each->second.at > kPatience) forget(each);
    each = next;
  }
  if (piece.size() <= kHead || !is_piece(piece)) return {};
  const std::uint64_t name = number_of(piece.substr(1));
  const std::uint64_t number = number_of(piece.substr(1 + kNumberBytes));
  const std::uint64_t count = number_of(piece.substr(1 + 2 * kNumberBytes));
  const auto part = piece.substr(kHead);

  auto known = begun_.find(name);
  if (number == 0 && known != begun_.end()) forget(std::exchange(known, begun_.end()));
  if (number == 0 && count > 0) known = begun_.emplace(name, Begun{.count = count}).first;
  if (known == begun_.end()) return {};
  Begun& begun = known->second;
  if (number != begun.next || count != begun.count ||
      begun.bytes.size() + part.size() > kPiecedMax || bytes_ + part.size() > most_) {
    forget(known);
    return {};
  }
  begun.bytes += part;
  begun.at = now;
  bytes_ += part.size();
  if (++begun.next < count) return {.taken = true};
  Taken taken{.taken = true, .whole = std::move(begun.bytes)};
  bytes_ -= taken.whole->size();
  begun_.erase(known);
  return taken;
}

void MessagePieces::forget(std::map<std::uint64_t, Begun>::iterator message) {
  bytes_ -= message->second.bytes.size();
  begun_.erase(message);
}

Result<void> send_in_pieces(const Connection& connection, const std::string& subject,
                            std::string_view message) {
  constexpr std::int64_t kAnswerMs = 10'000;
  const std::size_t most = connection.payload_bytes_max();
  const std::size_t room = std::min(kPartMax, most) - MessagePieces::kHead - MessageSeal::kOverhead;
  const std::uint64_t count = (message.size() + room - 1) / room;
  const std::uint64_t name = new_name();
  for (std::uint64_t number = 0; number < count; ++number) {
    const auto piece = connection.seal().close(
        SealedKind::piece,
        MessagePieces::piece(name, number, count, message.substr(number * room, room)));
    natsMsg* got = nullptr;
    const natsStatus status =
        natsConnection_Request(&got, connection.handle(), subject.c_str(), piece.data(),
                               static_cast<int>(piece.size()), kAnswerMs);
    const Message answer(got);
    if (status == NATS_OK && payload_of(answer) == "+") continue;
    const auto what = fmt::format("send piece {} of {} of a result", number + 1, count);
    if (status == NATS_TIMEOUT || status == NATS_NO_RESPONDERS || status == NATS_OK) {
      return fail(ErrorCode::not_found,
                  fmt::format("cannot {}: {}", what,
                              status == NATS_OK        ? "the master has no room for it"
                              : status == NATS_TIMEOUT ? "the master does not answer; may it "
                                                         "(allow_responses at the server)?"
                                                       : "nobody waits for it any more"),
                  connection.servers());
    }
    return tl::unexpected(connection.error(what, status));
  }
  return {};
}

bool is_piece(const Message& message) {
  return MessagePieces::is_piece(MessageSeal::content(payload_of(message)));
}

Result<std::optional<std::string>> receive_piece(const Connection& connection,
                                                 MessagePieces& pieces, const Message& message) {
  const auto piece = connection.seal().open(SealedKind::piece, payload_of(message));
  if (!piece) return fail(piece);
  auto taken = pieces.take(*piece, steady_now());
  const std::string reply(reply_of(message));
  if (is_reply_subject(reply)) {
    static_cast<void>(
        natsConnection_PublishString(connection.handle(), reply.c_str(), taken.taken ? "+" : "-"));
  }
  return std::move(taken.whole);
}

}  // namespace artel::cluster::detail
