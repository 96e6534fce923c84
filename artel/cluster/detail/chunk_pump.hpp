#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "artel/cluster/detail/chunk_feed.hpp"
#include "artel/cluster/protocol/master_event.hpp"

namespace artel::cluster::detail {

/// Takes the chunks of a job from its feed, as many as its master asks for, on a thread of its own:
/// reading the source may take long.
///
/// Threads: all members are safe from any thread; end() is for one that is not inside the feed.
class ChunkPump {
 public:
  /// `tell` hears of ChunkTaken, SourceEmpty and SourceGrew.
  ChunkPump(std::string job, std::unique_ptr<ChunkFeed> feed,
            std::function<void(MasterEvent)> tell);
  ChunkPump(const ChunkPump&) = delete;
  ChunkPump& operator=(const ChunkPump&) = delete;
  ~ChunkPump() { end(); }

  [[nodiscard]] const std::string& job() const { return job_; }
  [[nodiscard]] ChunkFeed& feed() { return *feed_; }

  /// So many more.
  void take(std::size_t chunks);
  /// Returns when no thread is inside the feed.
  void end();

 private:
  void run();

  const std::string job_;
  const std::unique_ptr<ChunkFeed> feed_;
  const std::function<void(MasterEvent)> tell_;

  std::mutex lock_;
  std::condition_variable changed_;
  std::size_t wanted_ = 0;
  bool ended_ = false;

  std::thread thread_;
};

}  // namespace artel::cluster::detail
