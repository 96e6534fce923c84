// libfork: fork and join of coroutines; it takes no single tasks from outside.
#include <libfork.hpp>

#include "bench/rivals/rivals.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {
namespace {

constexpr auto kFib = [](auto fib, int n) -> lf::task<int> {
  if (n < 2) co_return n;
  int left = 0, right = 0;
  co_await lf::fork(&left, fib)(n - 1);
  co_await lf::call(&right, fib)(n - 2);
  co_await lf::join;
  co_return left + right;
};

}  // namespace

Rival libfork_rival() {
  return {.name = "libfork", .fib = [](const Fib& what) {
            lf::lazy_pool pool(what.workers);
            return what.run([&] { return lf::sync_wait(pool, kFib, what.n); });
          }};
}

}  // namespace artel::bench
