#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

namespace artel::parallel::detail {

/// The lowest index of a chunk that failed, and what it threw. It only goes down.
///
/// Threads: is_before() from any thread; the rest one at a time.
class FirstFailure {
 public:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  /// Whether the chunk of this index still counts. Relaxed: whoever asks too early does some work
  /// that nobody will see.
  [[nodiscard]] bool is_before(std::uint64_t index) const {
    return index < limit_.load(std::memory_order_relaxed);
  }
  /// Of the chunk that failed; kNone: none has.
  [[nodiscard]] std::uint64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool none() const { return limit() == kNone; }

  void fail(std::uint64_t index, std::exception_ptr error) {
    if (!is_before(index)) return;
    limit_.store(index, std::memory_order_relaxed);
    error_ = std::move(error);
  }
  /// No chunk counts any more, and nobody is told why.
  void cancel() {
    limit_.store(0, std::memory_order_relaxed);
    error_ = nullptr;
  }
  /// Throws it, if there is one. It is not kept here: it would end on whatever thread lets go of
  /// this last.
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::atomic<std::uint64_t> limit_ = kNone;
  std::exception_ptr error_;
};

}  // namespace artel::parallel::detail
