#include "artel/cluster/detail/journaled_feed.hpp"

#include <cstdint>
#include <mutex>
#include <optional>

#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"

namespace artel::cluster::detail {

std::optional<ChunkOrder> JournaledFeed::take() {
  while (std::optional<ChunkOrder> order = feed_->take()) {
    const std::uint64_t print = fingerprint(*order);
    const auto known = journal_->find(order->index, print);
    if (!known) {
      feed_->fail(order->index, task_error(known.error()));
    } else if (const auto& chunk = *known) {
      ++resumed_;
      feed_->finish(*chunk);
    } else {
      const std::lock_guard guard(lock_);
      prints_[order->index] = print;
      return order;
    }
    feed_->tell();
  }
  return std::nullopt;
}

void JournaledFeed::finish(const ChunkResult& result) {
  std::uint64_t print = 0;
  {
    const std::lock_guard guard(lock_);
    print = prints_[result.index];
    prints_.erase(result.index);
  }
  if (result.outcome == ChunkOutcome::done) {
    if (const auto kept = journal_->add(print, result); !kept) {
      return feed_->fail(result.index, task_error(kept.error()));
    }
  }
  feed_->finish(result);
}

}  // namespace artel::cluster::detail
