#pragma once

#include <functional>
#include <utility>

#include "artel/sync/blocking_hook.hpp"

namespace artel::pool {

/// Calls `fn(args…)`, which is about to sleep for something outside of the pool (a file, a socket,
/// a lock): in a task another thread takes the worker's place meanwhile, so that the pool loses no
/// capacity. Elsewhere it just calls.
///
///     auto bytes = artel::pool::blocking([&] { return ::read(fd, buffer, size); });
///
/// The task goes on when its worker is between two tasks.
/// Cost:    some 10 us if other tasks wait, less than one if none does.
template <class F, class... Args>
decltype(auto) blocking(F&& fn, Args&&... args) {
  const sync::BlockingScope scope;
  return std::invoke(std::forward<F>(fn), std::forward<Args>(args)...);
}

}  // namespace artel::pool
