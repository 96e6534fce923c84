#pragma once

#include <map>
#include <string>

#include "artel/pool/pool_options.hpp"

namespace artel::pool::detail {

/// What a recording says about its pool, by name; docs/trace-format.md lists the names.
[[nodiscard]] std::map<std::string, std::string, std::less<>> trace_settings(
    const PoolOptions& options);

}  // namespace artel::pool::detail
