#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/logs/log_stream.hpp"

namespace artel::logs {

/// How long tasks take, where the log does not say: a formula over fields of it.
struct ServiceFormula {
  std::vector<std::string> variables;  ///< names of fields
  /// Seconds, from their values.
  std::function<double(std::span<const double>)> seconds;
};

/// What is told of a log besides the log itself.
struct LogOptions {
  std::string format;      ///< name of a LogFormat; empty: the content tells
  std::string log_format;  ///< as in the server's configuration; goes before `format`
  /// What fields are called, by role: {"submitted", "arrival"}, {"response", "duration:ms"}.
  std::map<std::string, std::string, std::less<>> columns = {};
  /// Work of tasks from their other figures; nothing: as the log says.
  std::optional<ServiceFormula> service = {};
  bool strict = false;  ///< the first bad line is an error
  /// Only lines whose field has this value, {"http.host", "a.example"}; several with | between, and
  /// all have to hold. Values are looked at, and not kept.
  std::vector<std::pair<std::string, std::string>> where = {};
  /// The field whose values, as names of classes, are kept with the tasks; of an access log also
  /// "method", "path" and "status". Empty: none.
  std::string class_by{};
  std::stop_token stop{};  ///< asked to stop: an Error (cancelled)
  /// Hears how far load_log() and load_logs() are, in bytes of all files together; at the end all
  /// have been read. Not before a pipe has come to its end.
  BytesRead progress{};
};

}  // namespace artel::logs
