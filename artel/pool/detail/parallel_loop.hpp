#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sync/event_count.hpp"

namespace artel::pool {

class Pool;

namespace detail {

class Submission;

/// One parallel_for, without its types: items by number, and who works on them.
///
/// Participants take chunks from one counter until it is used up. Each is a task of the pool, or
/// the caller if it is in a task of the pool; before a chunk it calls one more, as long as there is
/// work left for it.
/// Invariants:
///  I1  `active_` participants may be in the callable. A participant counts itself before it takes
///      a chunk. So when the counter is used up and nobody is active, nobody will be: the caller
///      may go, and the callable with it. Tasks that start later find the counter used up.
///  I2  `alive_` participants are queued or active. Nobody alive with items left: all were dropped
///      by a pool that cancels.
/// Threads: run() once; participants any.
class ParallelLoop : public std::enable_shared_from_this<ParallelLoop> {
 public:
  /// Calls the callable for items first to last - 1.
  using Call = void (*)(void* callable, std::uint64_t first, std::uint64_t last);
  struct Items {
    std::uint64_t count;
    std::uint64_t grain;  ///< 0: measured
  };

  ParallelLoop(Pool& pool, Items items, Call call, void* callable, const std::stop_token& stop);
  ParallelLoop(const ParallelLoop&) = delete;
  ParallelLoop& operator=(const ParallelLoop&) = delete;

  /// Returns when nobody works on it any more; throws the first exception of the callable, or
  /// TaskError.
  void run();

 private:
  /// Of items.
  struct Chunk {
    std::uint64_t first;
    std::uint64_t last;
  };
  struct Participant {
    std::shared_ptr<ParallelLoop> loop;
    void run() const { loop->take_part(); }
    void drop() const noexcept { loop->leave(); }
  };

  bool invite(Instant until);
  void take_part();
  void leave();
  [[nodiscard]] std::optional<Chunk> take(std::uint64_t size);
  [[nodiscard]] std::uint64_t next_size(const Chunk& done, Duration took) const;
  void end_early(std::exception_ptr exception);

  Pool& pool_;
  Submission& submission_;
  const Items items_;
  const Call call_;
  void* const callable_;
  const std::stop_token stop_;
  const std::uint64_t width_;  // participants at most

  std::atomic<std::uint64_t> next_ = 0;  // item that nobody has taken
  std::atomic<std::uint64_t> invited_ = 0;
  std::atomic<std::uint32_t> active_ = 0;
  std::atomic<std::uint32_t> alive_ = 0;
  std::atomic<bool> ended_early_ = false;
  std::atomic<bool> finished_ = false;
  std::exception_ptr exception_;
  sync::EventCount changed_;
};

}  // namespace detail
}  // namespace artel::pool
