#include "artel/predict/load_recording.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/load_logs.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/log_stream.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/predict/infer_starts.hpp"
#include "artel/scenario/expression.hpp"

namespace artel::predict {

Result<logs::LogOptions> log_options(const RecordingSource& source) {
  logs::LogOptions made{
      .format = source.format, .log_format = source.log_format, .strict = source.strict};
  made.class_by = source.class_by;
  for (const auto& column : source.columns) {
    const auto equals = column.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorCode::invalid,
                  fmt::format("found '{}'; expected NAME=COLUMN, as in submitted=arrival", column),
                  "column");
    }
    made.columns.insert_or_assign(column.substr(0, equals), column.substr(equals + 1));
  }
  for (const auto& text : source.where) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorCode::invalid,
                  fmt::format("found '{}'; expected FIELD=VALUE, as in http.host=a.example", text),
                  "where");
    }
    made.where.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  if (source.service.empty()) return made;
  auto formula = scenario::Expression::compile(source.service);
  if (!formula) return fail(formula.error().code, formula.error().what, "service");
  const auto shared = std::make_shared<scenario::Expression>(*std::move(formula));
  made.service = logs::ServiceFormula{
      .variables = shared->variables(),
      .seconds = [shared](std::span<const double> values) { return shared->evaluate(values); }};
  return made;
}

std::vector<std::string> notes_of(const logs::LogReading& reading) {
  std::vector<std::string> notes{reading.summary()};
  for (auto& note : reading.notes()) notes.push_back(std::move(note));
  return notes;
}

std::vector<std::filesystem::path> files_of(const RecordingSource& source) {
  std::vector<std::filesystem::path> files{source.file};
  files.insert(files.end(), source.more.begin(), source.more.end());
  return files;
}

Result<LoadedTrace> load_recording(const RecordingSource& source, const std::stop_token& stop,
                                   const logs::BytesRead& progress) {
  auto how = log_options(source);
  if (!how) return fail(how);
  how->stop = stop;
  how->progress = progress;
  auto loaded = logs::load_logs(files_of(source), *how);
  if (!loaded) return fail(loaded);
  LoadedTrace recording{.trace = std::move(loaded->trace)};
  const auto& reading = loaded->reading;
  if (reading) recording.notes = notes_of(*reading);
  return recording;
}

void infer_starts(LoadedTrace& recording, const std::optional<std::uint32_t>& workers) {
  const auto inferred = infer_starts(recording.trace, workers);
  if (!inferred) return;
  for (auto& line : inferred->text()) recording.notes.push_back(std::move(line));
}

}  // namespace artel::predict
