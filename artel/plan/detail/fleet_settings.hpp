#pragma once

#include <span>

#include "artel/plan/detail/settings_system.hpp"

namespace artel::plan::detail {

// Those that say how many workers there are: kubernetes-hpa, keda, systemd.
[[nodiscard]] std::span<const SettingsSystem> fleet_settings();

}  // namespace artel::plan::detail
