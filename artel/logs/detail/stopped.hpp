#pragma once

#include <string>
#include <utility>

#include "artel/core/error.hpp"

namespace artel::logs::detail {

/// What comes of reading `name` when it was asked to stop.
inline Error stopped(std::string name) {
  return {.code = ErrorCode::cancelled, .what = "stopped", .where = std::move(name)};
}

}  // namespace artel::logs::detail
