#pragma once

#include <string>

#include "artel/logs/call_graph.hpp"
#include "artel/predict/call_stages.hpp"

namespace artel::report {

/// Who calls whom how often, and how long that takes: a line per service.
[[nodiscard]] std::string call_graph_table(const logs::CallGraph& graph,
                                           const predict::CallStages& stages);

/// The same as JSON (schema artel.calls/1).
[[nodiscard]] std::string call_graph_json(const logs::CallGraph& graph,
                                          const predict::CallStages& stages);

}  // namespace artel::report
