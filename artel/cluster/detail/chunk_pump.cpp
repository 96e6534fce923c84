#include "artel/cluster/detail/chunk_pump.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster::detail {

ChunkPump::ChunkPump(std::string job, std::unique_ptr<ChunkFeed> feed,
                     std::function<void(MasterEvent)> tell)
    : job_(std::move(job)),
      feed_(std::move(feed)),
      tell_(std::move(tell)),
      thread_([this] { run(); }) {}

void ChunkPump::take(std::size_t chunks) {
  {
    const std::lock_guard guard(lock_);
    wanted_ += chunks;
  }
  changed_.notify_one();
}

void ChunkPump::end() {
  {
    const std::lock_guard guard(lock_);
    ended_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void ChunkPump::run() {
  std::unique_lock guard(lock_);
  while (true) {
    changed_.wait(guard, [this] { return wanted_ > 0 || ended_; });
    if (ended_) return;
    --wanted_;
    guard.unlock();
    std::optional<ChunkOrder> order = feed_->take();
    const bool empty = !order;
    if (order) {
      order->job = job_;
      order->sent_s = static_cast<std::uint64_t>(wall_now() / std::chrono::seconds(1));
      tell_(ChunkTaken{std::make_shared<ChunkOrder>(std::move(*order))});
    }
    guard.lock();
    if (!empty) continue;
    wanted_ = 0;
    guard.unlock();
    tell_(SourceEmpty{job_});
    // Whoever gave it more before this has told so in vain.
    if (feed_->may_have_more()) tell_(SourceGrew{job_});
    guard.lock();
  }
}

}  // namespace artel::cluster::detail
