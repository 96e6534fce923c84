#pragma once

#include <cstddef>
#include <string_view>

#include "artel/config/problems.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {

/// Reads a platform in SimGrid's XML, version 4.1: zones (Full, Floyd, Dijkstra, None), hosts and
/// their disks, routers, links (SHARED, FATPIPE, SPLITDUPLEX), routes, zoneRoutes, flat clusters.
/// Profiles of a host's speed and state are read from the folder of `file_name`. Routes are found
/// as SimGrid finds them. Properties are passed over, but for a disk's size and mount. Errors: all
/// mistakes at once, with line and column; elements and attributes beyond these are
///         named.
[[nodiscard]] config::Checked<Platform> parse_simgrid_platform(std::string_view text,
                                                               std::string_view file_name);

/// Zones within zones.
inline constexpr std::size_t kZoneDepthMax = 64;

}  // namespace artel::sim
