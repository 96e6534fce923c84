#include "artel/cluster/detail/leased_chunk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "artel/cluster/chunk_order.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/worker_report.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::cluster::detail {
namespace {

// Of "$JS.ACK.<stream>.<consumer>.<deliveries>.…"; servers that know of domains put them before.
std::uint32_t delivery_of(const Message& message) {
  constexpr std::size_t kShort = 9;  // tokens
  const std::string_view reply = reply_of(message);
  const auto tokens = static_cast<std::size_t>(std::ranges::count(reply, '.')) + 1;
  std::string_view rest = reply;
  for (std::size_t skip = tokens > kShort ? 6 : 4; skip > 0; --skip) {
    rest.remove_prefix(std::min(rest.size(), rest.find('.') + 1));
  }
  const auto delivered = parse_number<std::uint32_t>(rest.substr(0, rest.find('.')));
  return std::max(delivered.value_or(1), 1U);
}

}  // namespace

LeasedChunk::LeasedChunk(const Connection& connection, Message message, ChunkOrder order)
    : connection_(connection),
      order_(std::move(order)),
      delivery_(delivery_of(message)),
      message_(std::move(message)) {}

HeldChunk LeasedChunk::report(Instant now) const {
  const std::lock_guard guard(lock_);
  return {order_.job, order_.index, order_.epoch,
          begun_ ? std::max(now - *begun_, Duration(1)) : Duration::zero()};
}

bool LeasedChunk::begin(Instant now) {
  const std::lock_guard guard(lock_);
  if (settled_) return false;
  begun_ = now;
  return true;
}

void LeasedChunk::renew() {
  const std::lock_guard guard(lock_);
  if (!settled_) tell_server(connection_, message_, "+WPI");
}

// What is told gets lost with the connection; then the chunk is delivered again, and the master
// ignores its second result.
bool LeasedChunk::settle(const std::string& what) {
  const std::lock_guard guard(lock_);
  if (std::exchange(settled_, true)) return false;
  tell_server(connection_, message_, what);
  return true;
}

void LeasedChunk::acknowledge() { settle("+ACK"); }
void LeasedChunk::give_up() { settle("+TERM"); }
void LeasedChunk::hand_back(Duration delay) {
  settle(delay > Duration{} ? fmt::format(R"(-NAK {{"delay":{}}})", delay.count()) : "-NAK");
}
bool LeasedChunk::hand_back_unless_begun() {
  {
    const std::lock_guard guard(lock_);
    if (begun_) return false;
  }
  return settle("-NAK");
}

}  // namespace artel::cluster::detail
