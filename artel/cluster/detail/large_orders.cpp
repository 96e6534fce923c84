#include "artel/cluster/detail/large_orders.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/bytes_of.hpp"
#include "artel/cluster/detail/message_pieces.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::int64_t kAnswerMs = 10'000;

}  // namespace

void LargeOrders::keep(const std::shared_ptr<const ChunkOrder>& order, std::string bytes) {
  const std::lock_guard guard(lock_);
  std::erase_if(kept_, [](const auto& kept) { return kept.second.order.expired(); });
  kept_[{order->job, order->index}] = {order, std::move(bytes)};
}

std::string LargeOrders::answer(std::string_view request, std::size_t room) {
  if (request.size() < 2 * kNumberBytes) return {};
  const ChunkAddress chunk{.job = std::string(request.substr(2 * kNumberBytes)),
                           .index = number_of(request)};
  const std::uint64_t number = number_of(request.substr(kNumberBytes));
  const std::lock_guard guard(lock_);
  std::erase_if(kept_, [](const auto& kept) { return kept.second.order.expired(); });
  const auto kept = kept_.find(chunk);
  if (kept == kept_.end()) return {};
  const std::string& bytes = kept->second.bytes;
  const std::uint64_t count = (bytes.size() + room - 1) / room;
  if (number >= count) return {};
  return bytes_of(count) + bytes.substr(number * room, room);
}

namespace {

// One piece, and how many there are.
Result<std::pair<std::string, std::uint64_t>> fetch_piece(const Connection& connection,
                                                          const ChunkOrder& order,
                                                          std::uint64_t number) {
  const std::string request = bytes_of(order.index) + bytes_of(number) + order.job;
  natsMsg* got = nullptr;
  const natsStatus status =
      natsConnection_Request(&got, connection.handle(), order.items_from.c_str(), request.data(),
                             static_cast<int>(request.size()), kAnswerMs);
  const Message answer(got);
  const auto what = fmt::format("get piece {} of the items", number + 1);
  if (status == NATS_TIMEOUT || status == NATS_NO_RESPONDERS) {
    return fail(ErrorCode::not_found,
                fmt::format("cannot {}: their master {}", what,
                            status == NATS_TIMEOUT
                                ? "does not answer; may it (allow_responses at the server)?"
                                : "is gone"));
  }
  if (status != NATS_OK) return tl::unexpected(connection.error(what, status));
  const std::string_view bytes = payload_of(answer);
  if (bytes.size() <= kNumberBytes) {
    return fail(ErrorCode::not_found,
                fmt::format("cannot {}: their master wants them no more", what));
  }
  return std::pair(std::string(bytes.substr(kNumberBytes)), number_of(bytes));
}

}  // namespace

Result<ChunkOrder> fetch_order(const Connection& connection, const ChunkOrder& order) {
  std::string bytes;
  for (std::uint64_t number = 0, count = 1; number < count; ++number) {
    auto piece = fetch_piece(connection, order, number);
    if (!piece) return fail(piece);
    if (number > 0 && piece->second != count)
      return fail(ErrorCode::not_found, "the items have changed meanwhile");
    count = piece->second;
    bytes += piece->first;
    if (bytes.size() > kPiecedMax) return fail(ErrorCode::too_large, "more items than may be");
  }
  const auto opened = connection.seal().open(SealedKind::order, bytes);
  if (!opened) return fail(opened);
  auto whole = decode_chunk_order(*opened);
  if (!whole) return whole;
  if (whole->job != order.job || whole->index != order.index)
    return fail(ErrorCode::invalid, "the items are those of another chunk");
  whole->epoch = order.epoch;  // it may have been sent again meanwhile: the same items
  return whole;
}

}  // namespace artel::cluster::detail
