#pragma once

#include <string_view>

#include "artel/core/error.hpp"

namespace artel {

// Amounts of work and data as text: a number, then a prefix (k M G T P E for powers of 1000, Ki Mi
// Gi Ti Pi Ei for powers of 1024) and the unit; a space may stand between. A number without a unit
// is refused, as are negative and infinite ones.

/// A speed, "10Gf" or "2.5 Tf": floating-point operations per second. Errors: parse.
[[nodiscard]] Result<double> parse_flops(std::string_view text);

/// A bandwidth, "125MBps" (bytes) or "1Gbps" (bits): bytes per second. Errors: parse.
[[nodiscard]] Result<double> parse_bandwidth(std::string_view text);

/// An amount of data, "16GiB", "500 kB" or "8b" (bits): bytes. Errors: parse.
[[nodiscard]] Result<double> parse_bytes(std::string_view text);

}  // namespace artel
