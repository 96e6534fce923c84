#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace artel::pool::detail {

/// Memory for nodes of Futures, and for task bodies that do not fit into a Job; kept for the next
/// ones.
///
/// Every thread keeps some blocks; threads that only take (submitters) and threads that only give
/// back (workers) exchange them in batches through one list. Memory follows what waits: beyond what
/// is kept (kBatch blocks per thread, kBatchesKept batches) blocks go back to the heap.
/// Cost:    about 3 ns each way, a short lock every kBatch times.
/// Threads: any, also while thread-local objects are being destroyed.
class BodyBlocks {
 public:
  static constexpr std::size_t kBytes = 192;
  static constexpr std::size_t kBatch = 32;
  static constexpr std::size_t kBatchesKept = 64;

  [[nodiscard]] static void* take();
  static void give(void* block) noexcept;
};

/// Whether a body of that type lives in a block; larger ones are allocated.
template <class Body>
inline constexpr bool kFitsBlock =
    sizeof(Body) <= BodyBlocks::kBytes && alignof(Body) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;

/// Ends a body made by make_body().
struct BodyDeleter {
  template <class Body>
  void operator()(Body* body) const noexcept {
    if constexpr (kFitsBlock<Body>) {
      body->~Body();
      BodyBlocks::give(body);
    } else {
      delete body;
    }
  }
};
template <class Body>
using BodyOwner = std::unique_ptr<Body, BodyDeleter>;

template <class Body, class Source>
[[nodiscard]] BodyOwner<Body> make_body(Source&& source) {
  if constexpr (kFitsBlock<Body>) {
    struct GiveBack {
      void operator()(void* block) const noexcept { BodyBlocks::give(block); }
    };
    std::unique_ptr<void, GiveBack> block(BodyBlocks::take());
    auto* const made = ::new (block.get()) Body(std::forward<Source>(source));  // may throw
    static_cast<void>(block.release());
    return BodyOwner<Body>(made);
  } else {
    return BodyOwner<Body>(new Body(std::forward<Source>(source)));
  }
}

}  // namespace artel::pool::detail
