#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/call_graph.hpp"

namespace artel::predict {

/// Who calls whom, as a scenario with stages.
struct CallStages {
  /// One of them; the first is the pool that requests come to.
  struct Stage {
    std::size_t service = 0;    ///< number in the graph
    double probability = 1;     ///< that a request needs it
    std::uint32_t calls = 1;    ///< at once
    std::uint32_t workers = 1;  ///< of the stage
  };
  std::vector<Stage> stages;
  std::string toml;                ///< the file
  std::vector<std::string> notes;  ///< what it leaves out or takes for granted
};

/// Makes a scenario whose requests come as they came to the entry, and go from service to service
/// in the order in which they first reached them. Each has as many workers as it was ever busy with
/// at once. Errors: invalid: fewer than two requests, or all at once.
[[nodiscard]] Result<CallStages> call_stages(const logs::CallGraph& graph, const std::string& name);

}  // namespace artel::predict
