#include "app/pool_looker.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "artel/cluster/pool_status.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::app {

PoolLooker::PoolLooker(cluster::PoolLooks looks, Duration pause)
    : looks_(std::move(looks)),
      news_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this, pause](const std::stop_token& stop) { run(stop, pause); }) {}

void PoolLooker::run(const std::stop_token& stop, Duration pause) {
  for (auto due = later(steady_now(), pause); !stop.stop_requested();
       due = std::max(later(due, pause), steady_now())) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, due - steady_now(), [] { return false; });
    }
    if (stop.stop_requested()) return;
    auto status = looks_.look();
    const std::scoped_lock lock(mutex_);
    seen_.emplace(steady_now(), std::move(status));
    const std::uint64_t one = 1;
    static_cast<void>(::write(news_.get(), &one, sizeof(one)));
  }
}

std::optional<PoolLooker::Seen> PoolLooker::take() {
  std::uint64_t ignored = 0;
  const std::scoped_lock lock(mutex_);
  static_cast<void>(::read(news_.get(), &ignored, sizeof(ignored)));
  return std::exchange(seen_, std::nullopt);
}

}  // namespace artel::app
