#pragma once

#include <span>

#include "artel/config/schema.hpp"

namespace artel::scenario::detail {

/// The schema of [workload], but for what callers do.
[[nodiscard]] std::span<const config::SchemaKey> workload_keys();

}  // namespace artel::scenario::detail
