#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace artel::sim::detail {

/// Values in the order in which they came. Moves and destructors of values may use the queue: a
/// value is linked in when it has arrived, and out of the list before it leaves; meanwhile size()
/// counts it. Cost: O(1) amortised, no allocation once it has held the most that it ever will.
template <class T>
class ValueQueue {
 public:
  ValueQueue() = default;
  ValueQueue(const ValueQueue&) = delete;
  ValueQueue& operator=(const ValueQueue&) = delete;
  ~ValueQueue() { clear(); }

  /// Whether there is no first one.
  [[nodiscard]] bool empty() const { return front_ == nullptr; }
  [[nodiscard]] std::size_t size() const { return size_; }

  void push_back(T&& value) {
    if (free_ == nullptr) grow();
    Node* const node = free_;
    free_ = node->behind;
    ++size_;
    try {
      ::new (static_cast<void*>(node->value)) T(std::move(value));
    } catch (...) {
      give_back(node);
      throw;
    }
    node->behind = nullptr;
    (front_ == nullptr ? front_ : back_->behind) = node;
    back_ = node;
  }

  /// Removes the first. Requires: not empty.
  [[nodiscard]] T pop_front() {
    const OutgoingValue outgoing{*this, std::exchange(front_, front_->behind)};
    return T(std::move(outgoing.node->get()));
  }

  void clear() {
    while (!empty()) const OutgoingValue outgoing{*this, std::exchange(front_, front_->behind)};
  }

 private:
  struct Node {
    [[nodiscard]] T& get() { return *std::launder(reinterpret_cast<T*>(value)); }

    alignas(T) std::byte value[sizeof(T)];
    Node* behind;
  };
  /// Unlinked; at the end its value is destroyed and its place free.
  struct OutgoingValue {
    OutgoingValue(ValueQueue& of, Node* leaves) : queue(&of), node(leaves) {}
    OutgoingValue(const OutgoingValue&) = delete;
    OutgoingValue& operator=(const OutgoingValue&) = delete;
    ~OutgoingValue() {
      std::destroy_at(&node->get());
      queue->give_back(node);
    }
    ValueQueue* queue;
    Node* node;
  };

  void give_back(Node* node) {
    --size_;
    node->behind = std::exchange(free_, node);
  }
  void grow() {
    const std::size_t more = std::max<std::size_t>(places_, 4);
    Node* const nodes = chunks_.emplace_back(new Node[more]).get();
    for (std::size_t i = more; i-- > 0;) nodes[i].behind = std::exchange(free_, &nodes[i]);
    places_ += more;
  }

  Node* front_ = nullptr;
  Node* back_ = nullptr;  // the last, unless empty
  Node* free_ = nullptr;
  std::size_t size_ = 0;
  std::size_t places_ = 0;
  std::vector<std::unique_ptr<Node[]>> chunks_;
};

}  // namespace artel::sim::detail
