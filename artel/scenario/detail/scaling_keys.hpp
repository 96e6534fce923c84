#pragma once

#include <span>

#include "artel/config/schema.hpp"

namespace artel::scenario::detail {

/// The keys of [pool.scaling]: a part of the scenario's schema.
[[nodiscard]] std::span<const config::SchemaKey> scaling_keys();

}  // namespace artel::scenario::detail
