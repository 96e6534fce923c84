#pragma once

#include <stdexcept>
#include <utility>

#include "artel/core/error.hpp"

namespace artel::pool {

/// Thrown by the members of Future and by co_await when there is no result because the task never
/// ran to one: refused (full, closed), cancelled, expired, or its promise was broken; when the
/// Future has no task or its result was taken (invalid); and when a task cannot wait because no
/// thread can take its place (unsupported).
class TaskError : public std::runtime_error {
 public:
  explicit TaskError(Error error)
      : std::runtime_error(to_string(error)), error_(std::move(error)) {}

  /// Why there is no result.
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  Error error_;
};

}  // namespace artel::pool
