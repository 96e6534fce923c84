#pragma once

#include <exception>

#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

/// on_exception hears of the exception that is being handled. What it throws itself is lost: nobody
/// is left to hear of it.
inline void tell_exception(const PoolOptions& options) noexcept {
  if (!options.on_exception) return;
  try {
    options.on_exception(std::current_exception());
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
}

}  // namespace artel::pool::detail
