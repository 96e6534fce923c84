#pragma once

#include <cstdint>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// What a pool records of a task that was bound to its worker at once.
inline trace::TaskRecord task(std::uint32_t worker, Duration submitted, Duration started,
                              Duration finished) {
  return {.submitted = Instant{submitted},
          .bound = Instant{submitted},
          .started = Instant{started},
          .finished = Instant{finished},
          .worker = WorkerId{worker}};
}

}  // namespace artel::predict
