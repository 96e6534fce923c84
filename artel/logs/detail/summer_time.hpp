#pragma once

#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::logs::detail {

/// Makes one row of the local times of a log without zones, whose lines are in the order of their
/// ends: where summer time ends the clock goes back an hour, where it begins an hour is left out.
///
/// It ended where a line's end is 55 to 61 minutes before the latest. A line that began before that
/// and ended after it is told from the others by its end. It began where lines that came every
/// minute stop in the last minute of an hour and go on in the first of the hour after the next.
class SummerTime {
 public:
  /// What to add to the times of the next line, which began and ended there as written.
  [[nodiscard]] Duration shift_of(Instant begin, Instant end);

  std::uint64_t ended = 0;  ///< so often
  std::uint64_t begun = 0;

 private:
  [[nodiscard]] bool leaves_out_an_hour(Instant end) const;

  Duration shift_{};
  Instant latest_ = Instant::min();    // end, shifted
  Instant last_old_ = Instant::min();  // as written: no line that began later is of summer time
  std::uint64_t close_ = 0;            // lines in a row that came within a minute of the latest
};

}  // namespace artel::logs::detail
