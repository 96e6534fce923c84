#include "artel/cluster/chunk_in_hand.hpp"

#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "artel/cluster/protocol.hpp"
#include "artel/cluster/subscription.hpp"
#include "artel/unit/instant.hpp"

namespace artel::cluster {
namespace {

std::uint32_t delivery_of(natsMsg* message) {
  jsMsgMetaData* meta = nullptr;
  if (natsMsg_GetMetaData(&meta, message) != NATS_OK) return 1;
  const std::uint64_t delivered = meta->NumDelivered;
  jsMsgMetaData_Destroy(meta);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(delivered, 1, UINT32_MAX));
}

}  // namespace

ChunkInHand::ChunkInHand(Message message, ChunkOrder order,
                         std::shared_ptr<natsSubscription> source)
    : order_(std::move(order)),
      delivery_(delivery_of(message.get())),
      source_(std::move(source)),
      message_(std::move(message)) {}

HeldChunk ChunkInHand::report(Instant now) const {
  const std::lock_guard guard(lock_);
  return {order_.job, order_.index, order_.epoch,
          begun_ ? std::max(now - *begun_, Duration(1)) : Duration::zero()};
}

bool ChunkInHand::begin(Instant now) {
  const std::lock_guard guard(lock_);
  if (settled_) return false;
  begun_ = now;
  return true;
}

void ChunkInHand::renew() {
  const std::lock_guard guard(lock_);
  if (!settled_) static_cast<void>(natsMsg_InProgress(message_.get(), nullptr));
}

// What is told gets lost with the connection; then the chunk is delivered again, and the master
// ignores its second result.
template <class Tell>
bool ChunkInHand::settle(Tell tell) {
  const std::lock_guard guard(lock_);
  if (std::exchange(settled_, true)) return false;
  static_cast<void>(tell(message_.get()));
  return true;
}

void ChunkInHand::acknowledge() {
  settle([](natsMsg* message) { return natsMsg_Ack(message, nullptr); });
}
void ChunkInHand::give_up() {
  settle([](natsMsg* message) { return natsMsg_Term(message, nullptr); });
}
void ChunkInHand::hand_back(Duration delay) {
  settle([delay](natsMsg* message) {
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(delay).count();
    return ms > 0 ? natsMsg_NakWithDelay(message, ms, nullptr) : natsMsg_Nak(message, nullptr);
  });
}
bool ChunkInHand::hand_back_unless_begun() {
  {
    const std::lock_guard guard(lock_);
    if (begun_) return false;
  }
  return settle([](natsMsg* message) { return natsMsg_Nak(message, nullptr); });
}

}  // namespace artel::cluster
