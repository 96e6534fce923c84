#include "artel/pool/detail/continuation.hpp"

#include <utility>

#include "artel/sync/blocking_hook.hpp"

namespace artel::pool::detail {
namespace {

constexpr unsigned kNestedMax = 64;

// Without a destructor: continuations are called while a thread's objects are being destroyed, too.
constinit thread_local Continuation* deferred = nullptr;
constinit thread_local unsigned nested = 0;

void run_all_deferred() {
  while (run_deferred()) {
  }
}

void defer(Continuation& continuation) {
  continuation.next_deferred = std::exchange(deferred, &continuation);
  sync::before_sleep = run_all_deferred;
}

Continuation* take_deferred() {
  if (deferred == nullptr) return nullptr;
  Continuation* const first = std::exchange(deferred, deferred->next_deferred);
  if (deferred == nullptr) sync::before_sleep = nullptr;
  return first;
}

}  // namespace

// By a waiting continuation, however many are under it: it may wait for just this one.
bool run_deferred() {
  Continuation* continuation = take_deferred();
  if (continuation == nullptr) return false;
  ++nested;
  while (continuation != nullptr) continuation = continuation->ready();
  --nested;
  return true;
}

void call(Continuation* continuation) {
  if (continuation == nullptr) return;
  if (nested >= kNestedMax) return defer(*continuation);
  ++nested;
  do {
    while (continuation != nullptr) continuation = continuation->ready();
    if (nested == 1) continuation = take_deferred();
  } while (continuation != nullptr);
  --nested;
}

}  // namespace artel::pool::detail
