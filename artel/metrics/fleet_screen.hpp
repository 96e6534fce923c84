#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/metrics/fleet_row.hpp"

namespace artel::metrics {

/// By what rows are put in order: names ascend, figures descend.
enum class RowOrder : std::uint8_t { as_served, name, busy, done, queued };

/// One address that is looked at.
struct FleetSource {
  std::string address;
  std::vector<FleetRow> rows;
  std::string trouble{};  ///< why it could not be read this time; the rows are the last known ones
};

/// All that a screen of `artel top` shows.
struct FleetScreen {
  std::vector<FleetSource> sources;  ///< in the order in which they were named
  RowOrder order = RowOrder::as_served;
  std::string headline;  ///< behind the title: when it was, how often it is looked at
};

/// No limit, of a screen's size.
inline constexpr std::size_t kAnySize = static_cast<std::size_t>(-1);

/// The screen as lines of at most `columns` characters, and at most `rows` of them; what there is
/// no room for is counted in the last line. Texts that came from elsewhere are shown without
/// control characters, and '?' for each byte that is not ASCII.
[[nodiscard]] std::vector<std::string> screen_lines(const FleetScreen& screen,
                                                    std::size_t columns = kAnySize,
                                                    std::size_t rows = kAnySize);

}  // namespace artel::metrics
