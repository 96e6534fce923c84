#include "artel/trace/job_log_entry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/parse_timestamp.hpp"

namespace artel::trace {
namespace {

constexpr std::size_t kFields = 9;
constexpr std::size_t kJob = 0, kHost = 1, kStart = 2, kRuntime = 3, kReceive = 5, kExit = 6,
                      kSignal = 7;
constexpr std::size_t kShown = 40;  // characters of what was found

// Cuts at tabs; the command, which is last, may have some of its own.
std::optional<std::array<std::string_view, kFields>> fields_of(std::string_view line) {
  std::array<std::string_view, kFields> fields;
  for (std::size_t i = 0; i + 1 < kFields; ++i) {
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos) return std::nullopt;
    fields[i] = line.substr(0, tab);
    line.remove_prefix(tab + 1);
  }
  fields.back() = line;
  return fields;
}

std::string_view unpadded(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

std::string seconds(Duration duration) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

}  // namespace

std::string format_job_log(const JobLogEntry& entry) {
  return fmt::format("{}\t{}\t{}\t{:>10}\t0\t{}\t{}\t{}\t{}\n", entry.job, entry.host,
                     seconds(entry.started), seconds(entry.runtime), entry.output,
                     entry.exit_status, entry.signal, entry.command);
}

Result<JobLogEntry> parse_job_log(std::string_view line) {
  const auto fields = fields_of(line);
  if (!fields) {
    return fail(ErrorCode::parse, fmt::format("found '{}'; expected {} fields with tabs between",
                                              line.substr(0, kShown), kFields));
  }
  const auto started =
      file::parse_timestamp(unpadded((*fields)[kStart]), file::TimeFormat::seconds);
  if (!started) return fail(ErrorCode::parse, "Starttime: " + started.error().what);
  const auto runtime =
      file::parse_timestamp(unpadded((*fields)[kRuntime]), file::TimeFormat::seconds);
  if (!runtime) return fail(ErrorCode::parse, "JobRuntime: " + runtime.error().what);
  const auto job = parse_number<std::uint64_t>((*fields)[kJob]);
  const auto output = parse_number<std::uint64_t>((*fields)[kReceive]);
  if (!job || *job == 0 || !output) {
    return fail(
        ErrorCode::parse,
        fmt::format("found Seq '{}' and Receive '{}'; expected a whole number from 1 and "
                    "a number of bytes",
                    (*fields)[kJob].substr(0, kShown), (*fields)[kReceive].substr(0, kShown)));
  }
  const auto exit_status = parse_number<int>((*fields)[kExit]);
  const auto signal = parse_number<int>((*fields)[kSignal]);
  if (!exit_status || !signal) {
    return fail(
        ErrorCode::parse,
        fmt::format("found Exitval '{}' and Signal '{}'; expected whole numbers",
                    (*fields)[kExit].substr(0, kShown), (*fields)[kSignal].substr(0, kShown)));
  }
  return JobLogEntry{.job = *job,
                     .started = *started,
                     .runtime = *runtime,
                     .output = *output,
                     .exit_status = *exit_status,
                     .signal = *signal,
                     .host = std::string((*fields)[kHost]),
                     .command = std::string(fields->back())};
}

}  // namespace artel::trace
