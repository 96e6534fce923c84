#pragma once

namespace artel::sync {

/// What a thread does before it sleeps for something that other tasks must bring about.
///
/// A worker hands its slot (queue, name, statistics) to a fresh thread, so that waiting inside a
/// task takes no capacity and cannot deadlock the pool; the thread that waited goes on with its
/// task when it wakes and ends with it. Running other tasks on top of the waiting one would be
/// cheaper, but can deadlock: the other task may wait for something further down on the same stack.
class BlockingHook {
 public:
  /// False: the slot could not be handed over (no spare threads), so that nobody serves it while
  /// this thread sleeps.
  virtual bool before_block() = 0;

 protected:
  ~BlockingHook() = default;
};

/// The hook of this thread; null outside of workers.
inline thread_local BlockingHook* blocking_hook = nullptr;

/// Call before sleeping in a task for longer than a thread switch takes (tens of microseconds):
/// waits of Futures and of full queues do. False: see BlockingHook.
inline bool before_block() { return blocking_hook == nullptr || blocking_hook->before_block(); }

}  // namespace artel::sync
