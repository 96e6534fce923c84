#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "artel/sim/kernel/detail/value_queue.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/detail/wait_queue.hpp"

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
/// A value handed to a receiver that is cancelled before it runs is lost with it.
/// Cost: O(1); a hand-over to somebody waiting costs one event.
template <class T>
class Channel {
 public:
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

  explicit Channel(std::size_t capacity = kUnbounded) : capacity_(capacity) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() { close(); }

  [[nodiscard]] Send<T> send(T value) { return Send<T>(*this, std::move(value)); }
  [[nodiscard]] Receive<T> receive() { return Receive<T>(*this); }

  /// False when it would have to wait, or the channel is closed.
  bool try_send(T value) {
    if (closed_) return false;
    if (hand_over(value, nullptr)) return true;
    if (values_.size() >= capacity_) return false;
    values_.push_back(std::move(value));
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
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  friend class Send<T>;
  friend class Receive<T>;

  bool start_send(Send<T>& send) {
    if (closed_) return true;
    send.sent_ = hand_over(send.value_, &send.process());
    if (!send.sent_ && values_.size() < capacity_) {
      values_.push_back(std::move(send.value_));
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
    receiver->value_.emplace(std::move(value));
    dismiss(receivers_, *receiver);
    return true;
  }
  std::optional<T> receive_as(const detail::ProcessState* self) {
    if (!values_.empty()) {
      std::optional<T> value(values_.pop_front());
      if (Send<T>* sender = first_sender(self)) values_.push_back(take_from(*sender));
      return value;
    }
    Send<T>* sender = first_sender(self);
    return sender == nullptr ? std::nullopt : std::optional<T>(take_from(*sender));
  }
  T take_from(Send<T>& sender) {
    T value = std::move(sender.value_);
    sender.sent_ = true;
    dismiss(senders_, sender);
    return value;
  }
  static void dismiss(detail::WaitQueue& queue, detail::QueuedWait& wait) {
    queue.remove(wait);
    wait.complete();
  }

  std::size_t capacity_;
  bool closed_ = false;
  detail::ValueQueue<T> values_;
  detail::WaitQueue senders_;
  detail::WaitQueue receivers_;
};

}  // namespace artel::sim
