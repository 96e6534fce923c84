#include "artel/process/job_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "artel/error/error.hpp"
#include "artel/trace/whole_file.hpp"
#include "artel/unit/instant.hpp"

namespace artel::process {
namespace {

constexpr std::string_view kTitles =
    "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand";
constexpr std::size_t kColumns = 9;
constexpr double kSecondsMax = 4e9;

tl::unexpected<Error> system_failure(std::string_view action, const std::string& path) {
  return fail(ErrorCode::io,
              fmt::format("cannot {} the job log: {}", action,
                          std::error_code(errno, std::generic_category()).message()),
              path);
}

std::string seconds(Duration duration) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

// GNU parallel pads numbers with spaces.
std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  text = trimmed(text);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Duration> time(std::string_view text) {
  const auto value = number<double>(text);
  if (!value || !(std::abs(*value) < kSecondsMax)) return std::nullopt;
  return from_seconds(*value);
}

}  // namespace

std::string format_job_log(const JobLogEntry& entry) {
  return fmt::format("{}\t:\t{}\t{:>10}\t0\t{}\t{}\t{}\t{}\n", entry.job, seconds(entry.started),
                     seconds(entry.runtime), entry.output, entry.exit_status, entry.signal,
                     entry.command);
}

Result<JobLogEntry> parse_job_log(std::string_view line) {
  std::array<std::string_view, kColumns> columns;
  std::string_view rest = line;
  for (std::size_t i = 0; i + 1 < kColumns; ++i) {
    const auto tab = rest.find('\t');
    if (tab == std::string_view::npos) {
      return fail(ErrorCode::parse,
                  fmt::format("found {} columns separated by tabs, allowed: {}", i + 1, kColumns));
    }
    columns[i] = rest.substr(0, tab);
    rest.remove_prefix(tab + 1);
  }
  columns.back() = rest;
  const auto job = number<std::uint64_t>(columns[0]);
  if (!job || *job == 0) {
    return fail(ErrorCode::parse,
                fmt::format("Seq: found '{}', allowed: a whole number from 1", columns[0]));
  }
  const auto started = time(columns[2]);
  const auto runtime = time(columns[3]);
  if (!started || !runtime) {
    return fail(ErrorCode::parse, fmt::format("{}: found '{}', allowed: seconds",
                                              started ? "JobRuntime" : "Starttime",
                                              started ? columns[3] : columns[2]));
  }
  const auto output = number<std::uint64_t>(columns[5]);
  const auto exit_status = number<int>(columns[6]);
  const auto signal = number<int>(columns[7]);
  if (!output || !exit_status || !signal) {
    return fail(ErrorCode::parse,
                fmt::format("Receive, Exitval, Signal: found '{}', '{}', '{}', allowed: numbers",
                            columns[5], columns[6], columns[7]));
  }
  return JobLogEntry{
      *job, *started, *runtime, *output, *exit_status, *signal, std::string(columns[8])};
}

Result<FinishedJobs> read_job_log(const std::filesystem::path& path) {
  FinishedJobs finished;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::error_code unreadable;
    if (!std::filesystem::exists(path, unreadable) && !unreadable) return finished;
    return system_failure("read", path.string());
  }
  std::uint64_t number_of_line = 0;
  for (std::string line; std::getline(in, line) && !in.eof(); finished.bytes += line.size() + 1) {
    ++number_of_line;
    if (number_of_line == 1 && line == kTitles) continue;
    const auto entry = parse_job_log(line);
    if (!entry) {
      return fail(ErrorCode::parse, entry.error().what,
                  fmt::format("{}:{}", path.string(), number_of_line));
    }
    (entry->succeeded() ? finished.succeeded : finished.failed).add(entry->job);
    (entry->succeeded() ? finished.failed : finished.succeeded).remove(entry->job);
  }
  if (in.bad()) return system_failure("read", path.string());
  return finished;
}

Result<JobLog> JobLog::open(const std::filesystem::path& path, std::uint64_t keep) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return system_failure("create", path.string());
  JobLog log(path.string(), file);
  // A pipe or a device cannot be cut: it has nothing to keep.
  if (::ftruncate(file, static_cast<off_t>(keep)) != 0 && errno != EINVAL) {
    return system_failure("write", path.string());
  }
  if (keep == 0) {
    if (auto written = log.write(std::string(kTitles) + '\n'); !written) return fail(written);
  }
  return log;
}

JobLog::~JobLog() {
  if (file_ >= 0) ::close(file_);
}

Result<void> JobLog::add(const JobLogEntry& entry) { return write(format_job_log(entry)); }

Result<void> JobLog::write(std::string_view text) {
  if (!trace::write_all(file_, text)) return system_failure("write", path_);
  return {};
}

}  // namespace artel::process
