#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// A trace file that grows while its run goes on: whole up to the last block, whenever the process
/// dies. An existing file is replaced.
///
/// Cost: a system call per block; it keeps none.
/// Threads: one at a time.
class TraceFile {
 public:
  /// Errors: io, with the path and the system's reason.
  [[nodiscard]] static Result<TraceFile> create(const std::filesystem::path& path,
                                                const TraceHeader& header);
  TraceFile(TraceFile&& other) noexcept;
  TraceFile& operator=(TraceFile&&) = delete;
  ~TraceFile();

  /// Writes a sealed block. Errors: io (disk full); what is written of the block stays.
  [[nodiscard]] Result<void> append(std::span<const std::byte> block);
  /// Marks the recording as ended and closes the file. Errors: io.
  [[nodiscard]] Result<void> finish(Instant end, std::uint64_t dropped);

  /// Of the file so far, what a failed append() may have left aside.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  TraceFile(std::string path, int file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  int file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace artel::trace
