#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/detail/result_journal.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"

namespace artel::cluster::detail {

/// A feed whose results go to a journal before they go on, and whose chunks are not handed out if
/// their results are there already.
///
/// Threads: as ChunkFeed.
class JournaledFeed final : public ChunkFeed {
 public:
  /// `resumed` counts the chunks whose results were there.
  JournaledFeed(std::unique_ptr<ChunkFeed> feed, std::shared_ptr<ResultJournal> journal,
                std::atomic<std::uint64_t>& resumed)
      : feed_(std::move(feed)), journal_(std::move(journal)), resumed_(resumed) {}

  [[nodiscard]] ChunkFeed& inner() { return *feed_; }

  [[nodiscard]] std::optional<ChunkOrder> take() override;
  [[nodiscard]] bool may_have_more() override { return feed_->may_have_more(); }
  void finish(const ChunkResult& result) override;
  void fail(std::uint64_t index, std::exception_ptr error) override {
    feed_->fail(index, std::move(error));
  }
  void give_up(std::uint64_t index, std::uint32_t attempts, std::exception_ptr error) override {
    feed_->give_up(index, attempts, std::move(error));
  }
  void tell() override { feed_->tell(); }

 private:
  const std::unique_ptr<ChunkFeed> feed_;
  const std::shared_ptr<ResultJournal> journal_;
  std::atomic<std::uint64_t>& resumed_;

  std::mutex lock_;
  std::unordered_map<std::uint64_t, std::uint64_t> prints_;  // of chunks taken, by index
};

}  // namespace artel::cluster::detail
