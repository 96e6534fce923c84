#pragma once

#include "artel/pool/future.hpp"
#include "artel/pool/pool.hpp"

namespace artel::pool {

/// A tree of tasks that wait for one another: every call but the leaves submits one task and waits
/// for it.
inline int fib(Pool& pool, int n) {
  if (n < 2) return n;
  auto left = pool.submit([&pool, n] { return fib(pool, n - 1); });
  const int right = fib(pool, n - 2);
  return left.get() + right;
}

}  // namespace artel::pool
