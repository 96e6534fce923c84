#pragma once

#include <span>

#include "artel/config/schema.hpp"

namespace artel::scenario::detail {

/// The keys of [workload.callers]: a part of the scenario's schema.
[[nodiscard]] std::span<const config::SchemaKey> caller_keys();

}  // namespace artel::scenario::detail
