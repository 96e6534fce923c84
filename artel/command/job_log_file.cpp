#include "artel/command/job_log_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>

#include "artel/core/error.hpp"
#include "artel/file/whole_file.hpp"
#include "artel/trace/job_log_entry.hpp"

namespace artel::command {
namespace {

tl::unexpected<Error> system_failure(std::string_view action, const std::string& path) {
  return fail(ErrorCode::io,
              fmt::format("cannot {} the job log: {}", action,
                          std::error_code(errno, std::generic_category()).message()),
              path);
}

}  // namespace

Result<FinishedJobs> read_finished_jobs(const std::filesystem::path& path) {
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
    if (line == trace::kJobLogTitles) continue;
    const auto entry = trace::parse_job_log(line);
    if (!entry) {
      return fail(entry.error().code, entry.error().what,
                  fmt::format("{}:{}", path.string(), number_of_line));
    }
    (entry->succeeded() ? finished.succeeded : finished.failed).add(entry->job);
    (entry->succeeded() ? finished.failed : finished.succeeded).remove(entry->job);
  }
  if (in.bad()) return system_failure("read", path.string());
  return finished;
}

Result<JobLogFile> JobLogFile::open(const std::filesystem::path& path, std::uint64_t keep) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return system_failure("create", path.string());
  JobLogFile log(path.string(), file);
  // A pipe or a device cannot be cut: it has nothing to keep.
  if (::ftruncate(file, static_cast<off_t>(keep)) != 0 && errno != EINVAL) {
    return system_failure("write", path.string());
  }
  if (keep == 0) {
    if (auto written = log.write(std::string(trace::kJobLogTitles) + '\n'); !written)
      return fail(written);
  }
  return log;
}

JobLogFile::~JobLogFile() {
  if (file_ >= 0) ::close(file_);
}

Result<void> JobLogFile::add(const trace::JobLogEntry& entry) {
  return write(trace::format_job_log(entry));
}

Result<void> JobLogFile::write(const std::string& text) {
  if (!file::write_all(file_, text)) return system_failure("write", path_);
  return {};
}

}  // namespace artel::command
