#pragma once

#include <cstdint>
#include <exception>
#include <optional>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// Where a job's chunks come from, and where their results go.
///
/// Threads: take() by one at a time; the rest by any.
class ChunkFeed {
 public:
  ChunkFeed() = default;
  ChunkFeed(const ChunkFeed&) = delete;
  ChunkFeed& operator=(const ChunkFeed&) = delete;
  virtual ~ChunkFeed() = default;

  /// The next chunk, ready to be sent but for `job`, `epoch` and `reply`; nothing: there is none
  /// now. May take as long as reading the source takes.
  [[nodiscard]] virtual std::optional<ChunkOrder> take() = 0;
  /// Whether take() may have more.
  [[nodiscard]] virtual bool may_have_more() = 0;
  /// A chunk's result: done, or failed for good. At most one for every chunk taken.
  virtual void finish(const ChunkResult& result) = 0;
  /// There will be no result, and so it would be with the other chunks.
  virtual void fail(std::uint64_t index, std::exception_ptr error) = 0;
  /// There will be no result after so many attempts, for a reason that is this chunk's alone.
  virtual void give_up(std::uint64_t index, std::uint32_t attempts, std::exception_ptr error) = 0;
  /// To be called after any of these three, once for several: whoever waits sees what came.
  virtual void tell() = 0;
};

/// What the caller of map sees of an error: a pool::TaskError.
[[nodiscard]] std::exception_ptr task_error(Error error);

}  // namespace artel::cluster::detail
