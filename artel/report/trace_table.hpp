#pragma once

#include <string>
#include <string_view>

#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_summary.hpp"

namespace artel::report {

/// A trace in numbers, for the terminal.
[[nodiscard]] std::string trace_table(const trace::TaskTrace& trace,
                                      const trace::TraceSummary& summary);

/// The same as JSON, schema "artel.trace/1"; times in seconds.
[[nodiscard]] std::string trace_json(const trace::TaskTrace& trace,
                                     const trace::TraceSummary& summary);

/// A line per class, with what is known of its tasks; empty: the trace has none.
[[nodiscard]] std::string trace_classes_table(const trace::TraceHeader& header,
                                              const trace::TraceSummary& summary);

/// The same as a JSON array.
[[nodiscard]] std::string trace_classes_json(const trace::TraceHeader& header,
                                             const trace::TraceSummary& summary);

}  // namespace artel::report
