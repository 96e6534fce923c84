#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

#include "artel/core/error.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario {

/// What to read from a trace: a CSV file whose first line names the columns.
struct TraceSpec {
  std::optional<std::string> time_column = {};  ///< when each task arrived
  file::TimeFormat time_format = file::TimeFormat::automatic;
  std::optional<std::string> service = {};          ///< a formula over the columns, in seconds
  std::optional<std::string> class_column = {};     ///< whose class each task is of, by name …
  std::vector<std::string> classes = {};            ///< … of these
  std::optional<std::string> patience_column = {};  ///< of WorkloadTrace::patience; empty: no end
  std::optional<std::string> join = {};             ///< of WorkloadTrace::joins; likewise
  std::optional<std::string> saves = {};            ///< of WorkloadTrace::saves; likewise
  std::optional<std::string> prefix = {};  ///< the column with the keys of WorkloadTrace::prefixes
  std::optional<std::string> prefix_tokens = {};  ///< the column with PrefixRows::tokens
  std::uint32_t block_tokens = 1;                 ///< PrefixRows::block_tokens
};

/// Reads the whole trace, or nothing.
///
/// Cost:   one pass; memory 8 bytes per row and number.
/// Errors: "name:line:column: …" for a missing column (with the nearest name), text instead of a
///         number, time that goes backwards, a service time or patience that is negative or not
///         finite, a class that is none, keys that are none, a prefix whose blocks and tokens do
///         not fit, a cache that saves more than there is to save, rows of another length than the
///         header, no rows, and anything beyond the limits of CsvReader.
[[nodiscard]] Result<WorkloadTrace> read_workload_trace(std::istream& in, const std::string& name,
                                                        const TraceSpec& spec);

/// A workload's trace from a file. Errors: as read_workload_trace() and file::open_text_file().
[[nodiscard]] Result<WorkloadTrace> load_workload_trace(const std::filesystem::path& path,
                                                        const TraceSpec& spec);

}  // namespace artel::scenario
