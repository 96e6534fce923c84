#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/log_stream.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {

/// A file of tasks and what is told of it, in the words of the command's options.
struct RecordingSource {
  std::string file;                  ///< its path
  std::vector<std::string> columns;  ///< "submitted=arrival", "response=duration:ms"
  std::string format;      ///< of a log, where its content does not tell: logs::LogOptions
  std::string log_format;  ///< of an access log: the server's format string
  std::string service;     ///< a formula over fields: "50ms + 12ms*tokens"
  bool strict = false;     ///< a line that cannot be read is an error
  std::vector<std::string> more = {};   ///< further logs, read with the first as one
  std::vector<std::string> where = {};  ///< only lines like these: "http.host=a.example"
  std::string class_by = {};            ///< the field that names tasks' classes: "path", "name"
};

/// What it says of how to read a log. Errors: of `columns`, `where` and `service`; their
/// `where` is that word.
[[nodiscard]] Result<logs::LogOptions> log_options(const RecordingSource& source);

/// A trace, and what there is to say of how it was read.
struct LoadedTrace {
  trace::TaskTrace trace;          ///< what was read
  std::vector<std::string> notes;  ///< of a log: what it was, what was taken for granted
};

/// Its file, and further ones.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const RecordingSource& source);

/// Reads a trace or a log, or several; `progress` hears how many bytes of them. Errors: those of
/// logs::load_logs() and of log_options(); `cancelled` when stopped.
[[nodiscard]] Result<LoadedTrace> load_recording(const RecordingSource& source,
                                                 const std::stop_token& stop = {},
                                                 const logs::BytesRead& progress = {});

/// For a prediction: where it has response times only, starts are inferred, for so many workers if
/// that is known, and the notes say how.
void infer_starts(LoadedTrace& recording, const std::optional<std::uint32_t>& workers);

/// Summary and notes, a line each.
[[nodiscard]] std::vector<std::string> notes_of(const logs::LogReading& reading);

}  // namespace artel::predict
