#pragma once

#include <nats/nats.h>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace artel::cluster {

/// Subscriptions of one connection that have ended, and are not freed yet.
///
/// nats.c before 3.6 frees a subscription that is destroyed while its reading thread may be about
/// to hand it a message, which ends the process (nats.c, issue 637). So they are kept until that
/// thread has read an answer of the server that was asked for afterwards, or has ended.
/// Cost: add() keeps it, and asks the server once for 64 of them.
/// Threads: any.
class EndedSubscriptions {
 public:
  explicit EndedSubscriptions(natsConnection* connection) : connection_(connection) {}
  EndedSubscriptions(const EndedSubscriptions&) = delete;
  EndedSubscriptions& operator=(const EndedSubscriptions&) = delete;
  ~EndedSubscriptions() { free_all(); }

  /// Nothing comes any more. Asks the server when so many have come together that it pays: waits
  /// for its answer, then.
  void add(natsSubscription* subscription);
  /// The connection is closed.
  void free_all();

 private:
  std::mutex lock_;
  natsConnection* connection_;  // null: closed
  std::vector<natsSubscription*> ended_;
};

/// A subscription of a Connection, made by Connection::new_subscription(); may outlive it. Ends
/// with this. Not to be destroyed by a thread of the engine. Threads: one at a time.
/// Cost: the end: EndedSubscriptions::add().
class EngineSubscription {
 public:
  explicit EngineSubscription(std::shared_ptr<EndedSubscriptions> ended)
      : ended_(std::move(ended)) {}
  EngineSubscription(EngineSubscription&& other) noexcept
      : ended_(std::move(other.ended_)), subscription_(std::exchange(other.subscription_, {})) {}
  EngineSubscription& operator=(EngineSubscription&& other) noexcept {
    std::swap(ended_, other.ended_);
    std::swap(subscription_, other.subscription_);
    return *this;
  }
  ~EngineSubscription() {
    if (subscription_ != nullptr) ended_->add(subscription_);
  }

  /// For the call that makes it.
  [[nodiscard]] natsSubscription** out() { return &subscription_; }
  [[nodiscard]] natsSubscription* get() const { return subscription_; }

 private:
  std::shared_ptr<EndedSubscriptions> ended_;
  natsSubscription* subscription_ = nullptr;
};

}  // namespace artel::cluster
