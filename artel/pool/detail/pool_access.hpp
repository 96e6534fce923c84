#pragma once

#include "artel/pool/pool.hpp"

namespace artel::pool::detail {

/// What is built on a Pool may do with it, and its users may not.
struct PoolAccess {
  /// For admit_work().
  [[nodiscard]] static Submission& submission(Pool& pool) { return pool.submission_; }
  /// For worker_of().
  [[nodiscard]] static PoolCore& core(const Pool& pool) { return pool.core_; }
};

}  // namespace artel::pool::detail
