#pragma once

#include <span>

#include "artel/plan/detail/settings_system.hpp"

namespace artel::plan::detail {

// Those that stand before the workers: envoy, nginx, haproxy.
[[nodiscard]] std::span<const SettingsSystem> balancer_settings();

}  // namespace artel::plan::detail
