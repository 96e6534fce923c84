#pragma once

#include "artel/config/schema.hpp"

namespace artel::sim::detail {

/// All keys of a platform file.
[[nodiscard]] const config::Schema& platform_schema();

}  // namespace artel::sim::detail
