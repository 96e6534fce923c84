#include "artel/trace/trace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/protect_inputs.hpp"
#include "artel/file/system_failure.hpp"
#include "artel/file/whole_file.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {
namespace {

// What a file starts with.
std::vector<std::byte> opening(const TraceHeader& header) {
  const auto prologue = trace_prologue();
  std::vector<std::byte> bytes(prologue.begin(), prologue.end());
  const auto settings = header_block(header);
  bytes.insert(bytes.end(), settings.begin(), settings.end());
  return bytes;
}

}  // namespace

Result<TraceFile> TraceFile::create(const std::filesystem::path& path, const TraceHeader& header) {
  if (const auto input = file::refuse_input(path); !input) return fail(input);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return file::system_failure("create the trace", path.string());
  TraceFile trace(path.string(), file);
  if (const auto written = trace.append(opening(header)); !written) return fail(written);
  return trace;
}

TraceFile::TraceFile(TraceFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), bytes_(other.bytes_) {}

TraceFile::~TraceFile() {
  if (file_ >= 0) ::close(file_);
}

Result<void> TraceFile::append(std::span<const std::byte> block) {
  const auto* const text = reinterpret_cast<const char*>(block.data());
  if (!file::write_all(file_, {text, block.size()}))
    return file::system_failure("write the trace", path_);
  bytes_ += block.size();
  return {};
}

Result<void> TraceFile::finish(Instant end, std::uint64_t dropped) {
  if (auto written = append(end_block(end, dropped)); !written) return written;
  if (::close(std::exchange(file_, -1)) != 0) return file::system_failure("write the trace", path_);
  return {};
}

}  // namespace artel::trace
