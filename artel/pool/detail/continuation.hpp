#pragma once

namespace artel::pool::detail {

class FutureNode;

/// Something to do when a node becomes ready, once, on the thread that makes it ready.
class Continuation {
 public:
  /// Does it, and returns the continuation of what became ready by that, which the caller calls
  /// next: so a chain of any length needs no stack. Null: none. Must not throw.
  virtual Continuation* ready() = 0;
  /// The node that gets the result of the node that this waits for, unchanged; null: none does.
  [[nodiscard]] virtual FutureNode* stands_for() { return nullptr; }

  Continuation* next_deferred = nullptr;  ///< in this thread's list of those that were put off

 protected:
  ~Continuation() = default;
};

/// Calls a continuation, and those that follow from it, on this thread. Null: nothing to do.
///
/// A continuation that makes something else ready in the middle of its work (a Promise of its own)
/// has called the continuations of that when set_value() returns: it may wait for what they do.
/// Only beyond 64 such calls inside each other they are put off until the innermost has returned,
/// or sleeps (sync::BlockingScope), or waits for a Future.
void call(Continuation* continuation);

/// Calls one that was put off on this thread; false: there is none.
bool run_deferred();

}  // namespace artel::pool::detail
