#include "artel/trace/load_tasks.hpp"

#include <cstddef>
#include <filesystem>
#include <ios>
#include <istream>
#include <iterator>
#include <span>
#include <string>

#include "artel/core/error.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/trace/read_job_log.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_csv_spec.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

Result<TaskTrace> load_tasks(const std::filesystem::path& path, const TaskCsvSpec& csv,
                             const TraceLimits& limits) {
  constexpr std::size_t kFirstBytes = 128;
  auto file = file::open_text_file(path, limits.bytes);
  if (!file) return fail(file);
  std::string first(kFirstBytes, '\0');
  file->read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file->gcount()));
  file->clear();
  file->seekg(0);
  if (is_trace(std::as_bytes(std::span(first)))) {
    const std::string bytes(std::istreambuf_iterator<char>(*file), {});
    return read_trace(std::as_bytes(std::span(bytes)), path.string(), limits);
  }
  if (is_job_log(first)) return read_job_log(*file, path.string());
  return read_task_csv(*file, path.string(), csv);
}

}  // namespace artel::trace
