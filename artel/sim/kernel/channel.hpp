#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/detail/serving.hpp"
#include "artel/sim/kernel/detail/value_queue.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"
#include "artel/sim/kernel/usage.hpp"

namespace artel::sim {

template <class T>
class Channel;

/// `co_await channel.send(value)`: true when somebody took it or there was room for it, false when
/// the channel is closed.
template <class T>
class Send final : public detail::QueuedWait {
 public:
  using Result = bool;

  Send(Channel<T>& channel, T value) : channel_(&channel), value_(std::move(value)) {}
  Send(Send&&) = default;
  ~Send() override { withdraw(); }

  void withdraw() override { leave_queue(); }
  bool take() { return sent_; }
  void describe(std::string& text) const override { text += "room in a channel"; }

 private:
  friend struct detail::WaitAccess;
  friend class Channel<T>;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    return channel_->start_send(*this);
  }
  [[nodiscard]] bool ready(const detail::ProcessState& process) const {
    return channel_->closed_ || channel_->values_.size() < channel_->capacity_ ||
           channel_->first_receiver(&process) != nullptr;
  }

  Channel<T>* channel_;
  T value_;
  bool sent_ = false;
};

/// `co_await channel.receive()`: the next value, nullopt when the channel is closed and empty.
template <class T>
class Receive final : public detail::QueuedWait {
 public:
  using Result = std::optional<T>;

  explicit Receive(Channel<T>& channel) : channel_(&channel) {}
  Receive(Receive&&) = default;
  ~Receive() override { withdraw(); }

  void withdraw() override { leave_queue(); }
  std::optional<T> take() { return std::move(value_); }
  void describe(std::string& text) const override { text += "a value from a channel"; }

 private:
  friend struct detail::WaitAccess;
  friend class Channel<T>;

  bool start(detail::Wait* parent, detail::ProcessState& process) {
    begin(parent, process);
    return channel_->start_receive(*this);
  }
  [[nodiscard]] bool ready(const detail::ProcessState& process) const {
    return channel_->closed_ || !channel_->values_.empty() ||
           channel_->first_sender(&process) != nullptr;
  }

  Channel<T>* channel_;
  std::optional<T> value_;
};

/// A queue between coroutines: senders wait while it is full, receivers while it is empty, both in
/// order of arrival. Capacity 0: a sender waits until a receiver takes the value from its hand. A
/// channel that ends is closed.
///
/// A value handed to a receiver that is cancelled before it runs, or by the move of the value, is
/// lost with it. Cost: O(1); a hand-over to somebody waiting costs one event. Threads: its
/// simulation's.
template <class T>
class Channel {
 public:
  /// Senders never wait.
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

  explicit Channel(std::size_t capacity = kUnbounded) : capacity_(capacity) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    close();
    values_.clear();
  }

  /// For co_await: send() and receive().
  [[nodiscard]] Send<T> send(T value) { return Send<T>(*this, std::move(value)); }
  [[nodiscard]] Receive<T> receive() { return Receive<T>(*this); }

  /// False when it would have to wait, or the channel is closed.
  bool try_send(T value) {
    if (closed_) return false;
    if (hand_over(value, nullptr)) return true;
    if (values_.size() >= capacity_) return false;
    put(std::move(value));
    return true;
  }
  /// nullopt when there is nothing now.
  std::optional<T> try_receive() { return receive_as(nullptr); }

  /// Nothing can be sent any more: waiting senders get false, waiting receivers nullopt; values in
  /// the queue can still be received.
  void close() {
    closed_ = true;
    while (detail::QueuedWait* sender = senders_.front()) dismiss(senders_, *sender);
    while (detail::QueuedWait* receiver = receivers_.front()) dismiss(receivers_, *receiver);
  }
  /// Whether close() was called.
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

  /// From now on tells `usage` how full it is, how many values are in it, and how long each was;
  /// nullptr: nobody. See Statistics::watch.
  void measure(std::shared_ptr<Usage> usage) {
    usage_ = std::move(usage);
    entered_.clear();
    if (!usage_) return;
    for (std::size_t i = 0; i < values_.size(); ++i) entered_.push_back(usage_->now());
    note_size();
  }

 private:
  friend class Send<T>;
  friend class Receive<T>;

  bool start_send(Send<T>& send) {
    if (closed_) return true;
    send.sent_ = hand_over(send.value_, &send.process());
    if (!send.sent_ && values_.size() < capacity_) {
      put(std::move(send.value_));
      send.sent_ = true;
    }
    if (!send.sent_) senders_.push_back(send);
    return send.sent_;
  }
  bool start_receive(Receive<T>& receive) {
    receive.value_ = receive_as(&receive.process());
    if (receive.value_ || closed_) return true;
    receivers_.push_back(receive);
    return false;
  }

  /// The first that waits, apart from `self`: a process does not meet itself in an unbuffered
  /// channel. (In others it never waits for what it could give itself.)
  [[nodiscard]] Receive<T>* first_receiver(const detail::ProcessState* self) const {
    return first_of<Receive<T>>(receivers_, self);
  }
  [[nodiscard]] Send<T>* first_sender(const detail::ProcessState* self) const {
    return first_of<Send<T>>(senders_, self);
  }
  template <class Op>
  [[nodiscard]] Op* first_of(const detail::WaitQueue& queue,
                             const detail::ProcessState* self) const {
    detail::QueuedWait* wait = queue.front();
    while (wait != nullptr && capacity_ == 0 && &static_cast<Op*>(wait)->process() == self) {
      wait = detail::WaitQueue::behind(*wait);
    }
    return static_cast<Op*>(wait);
  }

  /// Gives a value to the first waiting receiver, if there is one.
  bool hand_over(T& value, const detail::ProcessState* self) {
    Receive<T>* receiver = first_receiver(self);
    if (receiver == nullptr) return false;
    if (usage_) [[unlikely]]
      usage_->waited({});
    detail::ServingOf<T> serving(receivers_, *receiver);
    receiver->value_.emplace(std::move(value));
    serving.complete();
    return true;
  }
  std::optional<T> receive_as(const detail::ProcessState* self) {
    if (!values_.empty()) {
      std::optional<T> value(pop());
      Send<T>* sender = first_sender(self);
      if (sender != nullptr && values_.size() < capacity_) put_from(*sender);
      return value;
    }
    Send<T>* sender = first_sender(self);
    if (sender == nullptr) return std::nullopt;
    if (usage_) [[unlikely]]
      usage_->waited({});
    return take_from(*sender);
  }
  T take_from(Send<T>& sender) {
    detail::ServingOf<T> serving(senders_, sender);
    T value = std::move(sender.value_);
    sender.sent_ = true;
    serving.complete();
    return value;
  }
  void put_from(Send<T>& sender) {
    detail::ServingOf<T> serving(senders_, sender);
    put(std::move(sender.value_));
    sender.sent_ = true;
    serving.complete();
  }
  static void dismiss(detail::WaitQueue& queue, detail::QueuedWait& wait) {
    queue.remove(wait);
    wait.complete();
  }

  void put(T&& value) {
    values_.push_back(std::move(value));
    if (!usage_) [[likely]]
      return;
    entered_.push_back(usage_->now());
    note_size();
  }
  T pop() {
    if (usage_) [[unlikely]]
      usage_->waited(usage_->now() - entered_.pop_front());
    T value = values_.pop_front();
    note_size();
    return value;
  }
  void note_size() {
    if (!usage_) [[likely]]
      return;
    const bool bounded = capacity_ > 0 && capacity_ != kUnbounded;
    const auto size = static_cast<double>(values_.size());
    usage_->set(bounded ? size / static_cast<double>(capacity_) : 0, values_.size());
  }

  std::size_t capacity_;
  bool closed_ = false;
  detail::ValueQueue<T> values_;
  detail::WaitQueue senders_;
  detail::WaitQueue receivers_;
  std::shared_ptr<Usage> usage_;         // who wants to know
  detail::ValueQueue<Instant> entered_;  // when each value did; empty if nobody does
};

}  // namespace artel::sim
