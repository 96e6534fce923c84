#include "artel/pool/detail/continuation.hpp"

#include <utility>

namespace artel::pool::detail {
namespace {

constexpr unsigned kNestedMax = 256;

// Without a destructor: continuations are called while a thread's objects are being destroyed, too.
constinit thread_local Continuation* deferred = nullptr;
constinit thread_local unsigned nested = 0;

void defer(Continuation& continuation) {
  continuation.next_deferred = std::exchange(deferred, &continuation);
}

}  // namespace

bool run_deferred() {
  if (deferred == nullptr) return false;
  call(std::exchange(deferred, deferred->next_deferred));
  return true;
}

void call(Continuation* continuation) {
  if (continuation == nullptr) return;
  if (nested == kNestedMax) return defer(*continuation);
  ++nested;
  while (continuation != nullptr) continuation = continuation->ready();
  --nested;
  while (nested == 0 && run_deferred()) {
  }
}

void call_last(Continuation* continuation) {
  if (continuation == nullptr) return;
  if (nested == 0) return call(continuation);
  defer(*continuation);
}

}  // namespace artel::pool::detail
