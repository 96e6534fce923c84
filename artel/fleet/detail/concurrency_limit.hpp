#pragma once

#include <cmath>
#include <cstddef>

#include "artel/core/instant.hpp"

namespace artel::fleet::detail {

/// How many tasks may be in a pool, by the times that they take.
///
/// Cost: O(1).
class ConcurrencyLimit {
 public:
  ConcurrencyLimit(const ConcurrencyLimit&) = delete;
  ConcurrencyLimit& operator=(const ConcurrencyLimit&) = delete;
  virtual ~ConcurrencyLimit() = default;

  [[nodiscard]] bool admits(std::size_t in_pool) const {
    return static_cast<double>(in_pool) < std::floor(limit_);
  }
  /// A task that was `in_pool` with others, itself included, was served after so long …
  virtual void left(Instant now, Duration after, std::size_t in_pool) = 0;
  /// … or has left without an answer, which says something only if it took too long.
  virtual void unanswered(Instant now, Duration after, std::size_t in_pool) = 0;
  [[nodiscard]] double limit() const { return limit_; }

 protected:
  explicit ConcurrencyLimit(double first) : limit_(first) {}
  // With fewer the limit limits nothing, and what they take says nothing about it.
  [[nodiscard]] bool tested_by(std::size_t in_pool) const {
    return 2 * static_cast<double>(in_pool) >= limit_;
  }
  void set(double limit) { limit_ = limit; }

 private:
  double limit_;
};

}  // namespace artel::fleet::detail
