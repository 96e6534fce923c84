#pragma once

namespace artel::pool::detail {

/// Something to do when a node becomes ready, once, on the thread that makes it ready.
class Continuation {
 public:
  /// Does it, and returns the continuation of what became ready by that, which the caller calls
  /// next: so a chain of any length needs no stack. Null: none. Must not throw.
  virtual Continuation* ready() = 0;

  Continuation* next_deferred = nullptr;  ///< in this thread's list of those that were put off

 protected:
  ~Continuation() = default;
};

/// Calls a continuation, and those that follow from it, on this thread. Null: nothing to do.
///
/// A continuation that makes something else ready in the middle of its work (a Promise of its own)
/// has called the continuations of that when set_value() returns: it may wait for what they do.
/// Only beyond 256 such calls inside each other they are put off until the innermost has returned,
/// or waits for a Future.
void call(Continuation* continuation);

/// Has it called when the continuation that runs on this thread has returned, or at once if none
/// runs: for what a coroutine does last.
void call_last(Continuation* continuation);

/// Calls one that was put off on this thread; false: there is none.
bool run_deferred();

}  // namespace artel::pool::detail
