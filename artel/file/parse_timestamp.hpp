#pragma once

#include <cstdint>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::file {

/// How a trace writes the time of an event.
enum class TimeFormat : std::uint8_t {
  automatic,  ///< iso, or seconds when the text is a number too small to be anything finer
  iso,        ///< 2023-11-16 18:17:03.9799600, also with T, Z or +01:00; without a zone: UTC
  seconds,    ///< since anything: the epoch, the start of the recording
  epoch_ms,   ///< milliseconds since the epoch
  epoch_us,   ///< microseconds since the epoch
  epoch_ns,   ///< nanoseconds since the epoch
};

/// Reads a point in time as nanoseconds since 1970 (or since whatever `seconds` count from), exact
/// to the digit; more than nine decimals are cut off. Years 1678 to 2261.
/// Errors: say what was found and what the format looks like.
[[nodiscard]] Result<Duration> parse_timestamp(std::string_view text, TimeFormat format);

}  // namespace artel::file
