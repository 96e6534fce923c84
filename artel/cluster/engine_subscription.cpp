#include "artel/cluster/engine_subscription.hpp"

#include <nats/nats.h>
#include <nats/status.h>

#include <cstddef>
#include <mutex>
#include <vector>

namespace artel::cluster {
namespace {

void destroy(const std::vector<natsSubscription*>& subscriptions) {
  for (auto* const subscription : subscriptions) natsSubscription_Destroy(subscription);
}

}  // namespace

void EndedSubscriptions::add(natsSubscription* subscription) {
  constexpr std::size_t kTogether = 64;
  constexpr int kPatienceMs = 2000;
  // Of a closed connection it has ended already.
  static_cast<void>(natsSubscription_Unsubscribe(subscription));
  std::vector<natsSubscription*> ended;
  natsConnection* connection = nullptr;
  {
    const std::lock_guard guard(lock_);
    ended_.push_back(subscription);
    connection = connection_;
    if (connection != nullptr && ended_.size() < kTogether) return;
    ended.swap(ended_);
  }
  // The reading thread takes the answer after all that it was about to do.
  if (connection == nullptr || natsConnection_FlushTimeout(connection, kPatienceMs) == NATS_OK)
    return destroy(ended);
  const std::lock_guard guard(lock_);
  ended_.insert(ended_.end(), ended.begin(), ended.end());
}

void EndedSubscriptions::free_all() {
  std::vector<natsSubscription*> ended;
  {
    const std::lock_guard guard(lock_);
    connection_ = nullptr;
    ended.swap(ended_);
  }
  destroy(ended);
}

}  // namespace artel::cluster
