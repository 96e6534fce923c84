#pragma once

#include <string>

#include "artel/scenario/pool_settings.hpp"

namespace artel::report::detail {

/// "12", or "2 to 40 (hpa)" where a policy decides.
[[nodiscard]] std::string size_text(const scenario::PoolSettings& pool);

/// "12 workers", "1 worker", "2 to 40 workers (hpa)".
[[nodiscard]] std::string fleet_text(const scenario::PoolSettings& pool);

}  // namespace artel::report::detail
