#pragma once

#include <cstdint>

namespace artel::sync {

/// What a thread does around a sleep that other tasks must end.
///
/// A worker lends its slot (queue, name, statistics) to another thread before, and takes it back
/// afterwards, so that waiting inside a task takes no capacity and cannot deadlock the pool.
/// Running other tasks on top of the waiting one would be cheaper, but can deadlock: the other task
/// may wait for something further down on the same stack.
class BlockingHook {
 public:
  /// What before_block() did.
  enum class Lent : std::uint8_t {
    no,       ///< there was nothing to lend: sleep
    yes,      ///< sleep, then call after_block()
    refused,  ///< no other thread can be had: nobody would work here while this one sleeps
  };
  /// Lends the slot if there is one.
  virtual Lent before_block() = 0;
  /// Returns when the thread may go on.
  virtual void after_block() = 0;

 protected:
  ~BlockingHook() = default;
};

/// The hook of this thread; null outside of workers.
inline constinit thread_local BlockingHook* blocking_hook = nullptr;

/// What this thread does before it sleeps in a BlockingScope; null: nothing. Others may wait for
/// it.
inline constinit thread_local auto before_sleep = static_cast<void (*)()>(nullptr);

/// Lives around a sleep in a task for longer than a thread switch takes (tens of microseconds), as
/// the waits of Futures and of full queues do. Outside of workers it lends nothing.
class BlockingScope {
 public:
  BlockingScope() : hook_(blocking_hook) {
    if (before_sleep != nullptr) [[unlikely]]
      before_sleep();
    if (hook_ != nullptr) lent_ = hook_->before_block();
  }
  BlockingScope(const BlockingScope&) = delete;
  BlockingScope& operator=(const BlockingScope&) = delete;
  ~BlockingScope() {
    if (lent_ == BlockingHook::Lent::yes) hook_->after_block();
  }

  /// False: sleeping for other tasks of this pool may last for ever.
  [[nodiscard]] bool safe() const { return lent_ != BlockingHook::Lent::refused; }

 private:
  BlockingHook* hook_;
  BlockingHook::Lent lent_ = BlockingHook::Lent::no;
};

}  // namespace artel::sync
