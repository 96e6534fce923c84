#include "artel/pool/detail/scope_state.hpp"

#include <exception>
#include <mutex>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/sync/blocking_hook.hpp"

namespace artel::pool::detail {

void ScopeState::fail(std::exception_ptr exception) {
  {
    const std::lock_guard lock(lock_);
    if (!first_) first_ = std::move(exception);
  }
  stop.request_stop();
}

bool ScopeState::wait(Instant until) {
  const auto done = [this] { return open.load() == 0; };
  while (until == kNever && !done() && run_newest_here(this)) {
  }
  if (done()) return true;
  const sync::BlockingScope blocking;
  if (!blocking.safe()) throw TaskError(no_stand_in());
  return changed_.wait(until, done);
}

void ScopeState::rethrow() {
  std::exception_ptr first;
  {
    const std::lock_guard lock(lock_);
    first = std::exchange(first_, nullptr);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace artel::pool::detail
