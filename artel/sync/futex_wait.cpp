#include "artel/sync/futex_wait.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

#include "artel/core/instant.hpp"

namespace artel::sync {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4, "the kernel sees a plain 32-bit word");

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, Duration timeout) {
  if (timeout <= Duration::zero()) return;
  timespec limit{};
  if (timeout != kForever) {
    limit.tv_sec = static_cast<std::time_t>(timeout.count() / 1'000'000'000);
    limit.tv_nsec = static_cast<long>(timeout.count() % 1'000'000'000);
  }
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, timeout == kForever ? nullptr : &limit,
          nullptr, 0);
}

void futex_wake(const std::atomic<std::uint32_t>& word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

}  // namespace artel::sync
