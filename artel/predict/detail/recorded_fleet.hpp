#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict::detail {

/// How many workers a recorded run had.
struct RecordedFleet {
  std::uint32_t workers = 0;  ///< at the first task
  bool known = true;          ///< false: no more than as many as were ever busy at once
  std::string note;           ///< what was taken for granted; empty: nothing
};

/// By the trace's header, the workers that its tasks name, or else by how many ran at once. Workers
/// of which hardly any ran two tasks come and go with them: their names are no fleet.
/// Errors: a worker's number is beyond what a scenario may have.
[[nodiscard]] Result<RecordedFleet> recorded_fleet(const trace::TaskTrace& trace,
                                                   const std::vector<trace::TaskRecord>& ran);

/// What of these options of calibrate() is not what was recorded, in words ("2 workers instead of
/// 1"); empty: they do not contradict it, so that a prediction with them is one of the recorded
/// run.
[[nodiscard]] std::vector<std::string> changes_to_recorded(
    const trace::TaskTrace& trace, const std::optional<std::uint32_t>& workers,
    const std::string& policy);

}  // namespace artel::predict::detail
