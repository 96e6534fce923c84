#pragma once

#include <span>

#include "artel/plan/detail/settings_system.hpp"

namespace artel::plan::detail {

// Those from whose queues workers take tasks: celery, temporal, ray-serve, and an artel pool.
[[nodiscard]] std::span<const SettingsSystem> queue_settings();

}  // namespace artel::plan::detail
