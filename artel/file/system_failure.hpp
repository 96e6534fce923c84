#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "artel/core/error.hpp"

namespace artel::file {

/// What to return when a call of the system has just failed (errno): "cannot <action>: <reason>",
/// of kind io, at `where`.
///
///     if (::fsync(file) != 0) return system_failure("write", path);
[[nodiscard]] tl::unexpected<Error> system_failure(std::string_view action, std::string where = {});

}  // namespace artel::file
