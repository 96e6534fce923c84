#include "artel/command/job_log_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "artel/command/detail/lock_file.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/protect_inputs.hpp"
#include "artel/file/system_failure.hpp"
#include "artel/file/whole_file.hpp"
#include "artel/trace/job_log_entry.hpp"

namespace artel::command {
namespace {

// 400 MB of them; what is past that is not compared.
constexpr std::uint64_t kFingerprintsMax = 100'000'000;

// FNV-1a of all but what quoting adds, so that each shell's way of it gives the same. Never 0.
std::uint32_t fingerprint_of(std::string_view command) {
  constexpr std::uint32_t kBasis = 2166136261;
  constexpr std::uint32_t kPrime = 16777619;
  std::uint32_t hash = kBasis;
  for (const char one : command) {
    if (std::string_view(R"('"\$)").find(one) != std::string_view::npos) continue;
    hash = (hash ^ static_cast<unsigned char>(one)) * kPrime;
  }
  return hash == 0 ? 1 : hash;
}

void add(FinishedJobs& finished, const trace::JobLogEntry& entry) {
  const bool succeeded = entry.succeeded();
  (succeeded ? finished.succeeded : finished.failed).add(entry.job);
  (succeeded ? finished.failed : finished.succeeded).remove(entry.job);
  if (succeeded) {
    finished.failed_commands.erase(entry.job);
  } else {
    finished.failed_commands[entry.job] = {.spelling = entry.command, .line = finished.lines};
  }
  if (entry.job == 0 || entry.job > kFingerprintsMax) return;
  if (finished.fingerprints.size() < entry.job) finished.fingerprints.resize(entry.job);
  finished.fingerprints[entry.job - 1] = fingerprint_of(entry.command);
}

// Whether nothing else is lost if the file is cut or added to: it is empty or begins as a job log
// does, perhaps one that ended in its first line. What is no regular file has nothing to lose.
bool may_be_job_log(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return true;
  std::ifstream in(path, std::ios::binary);
  std::string begin(trace::kJobLogTitles.size() + 1, '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  return (std::string(trace::kJobLogTitles) + '\n').starts_with(begin);
}

}  // namespace

bool FinishedJobs::had_command(std::uint64_t job, std::string_view command) const {
  if (job == 0 || job > fingerprints.size() || fingerprints[job - 1] == 0) return true;
  return fingerprints[job - 1] == fingerprint_of(command);
}

Result<FinishedJobs> read_finished_jobs(const std::filesystem::path& path) {
  FinishedJobs finished;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::error_code unreadable;
    if (!std::filesystem::exists(path, unreadable) && !unreadable) return finished;
    return file::system_failure("read the job log", path.string());
  }
  for (std::string line; std::getline(in, line) && !in.eof(); finished.bytes += line.size() + 1) {
    if (line == trace::kJobLogTitles) {
      ++finished.lines;
      continue;
    }
    if (const auto added = add_line(finished, line); !added) {
      return fail(added.error().code, added.error().what,
                  fmt::format("{}:{}", path.string(), finished.lines));
    }
    finished.last_line = line;
  }
  if (in.bad()) return file::system_failure("read the job log", path.string());
  return finished;
}

Result<void> add_line(FinishedJobs& finished, std::string_view line) {
  ++finished.lines;
  const auto entry = trace::parse_job_log(line);
  if (!entry) return fail(entry);
  add(finished, *entry);
  return {};
}

Result<JobLogFile> JobLogFile::open(const std::filesystem::path& path) {
  file::OpenFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file.get() < 0) return file::system_failure("create the job log", path.string());
  if (!may_be_job_log(path)) {
    return fail(ErrorCode::invalid,
                "the file holds something other than a job log; write to another file",
                path.string());
  }
  // A process that starts as the run before dies, or its guard, has the file open for a moment.
  if (!detail::lock_file(file.get(), std::chrono::seconds(1))) {
    return fail(ErrorCode::closed, "another run is writing this job log", path.string());
  }
  return JobLogFile(path.string(), std::move(file));
}

Result<void> JobLogFile::begin(std::uint64_t keep) {
  if (const auto input = file::refuse_input(file_.get(), path_); !input) return fail(input);
  // A pipe or a device cannot be cut: it has nothing to keep.
  if (::ftruncate(file_.get(), static_cast<off_t>(keep)) != 0 && errno != EINVAL) {
    return file::system_failure("write the job log", path_);
  }
  return keep > 0 ? Result<void>() : write(std::string(trace::kJobLogTitles) + '\n');
}

Result<void> JobLogFile::write(const std::string& text) {
  if (!file::write_all(file_.get(), text)) return file::system_failure("write the job log", path_);
  return {};
}

}  // namespace artel::command
