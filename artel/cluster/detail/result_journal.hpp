#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::cluster::detail {

/// What tells a chunk from others: the tasks, the number of its items in the job, their bytes.
[[nodiscard]] std::uint64_t fingerprint(const ChunkOrder& order);

/// The results of a map or reduce, in a file, so that another process can go on with it when the
/// master has died.
///
/// A chunk's result is in the file before the caller of map sees it. What was cut off in the middle
/// by a crash is dropped when the file is opened again. It survives the end of the process, not of
/// the machine: it is not forced to the disk.
/// Memory:  40 bytes per chunk; results are read when they are wanted.
/// Threads: all members but open() are safe from any thread.
/// Format:  "artel-journal 1\n", then records: length and FNV-1a of the payload (8 bytes each,
///          little-endian), the payload: 'J' and a job's id, or 'R', a fingerprint (8 bytes) and a
///          ChunkResult as it travels.
class ResultJournal {
 public:
  /// Opens or begins it, for this process alone. Errors: io; parse: another kind of file; full:
  /// another process has it open.
  [[nodiscard]] static Result<std::unique_ptr<ResultJournal>> open(std::filesystem::path path);

  /// The result of this very chunk, if it is there. Errors: io.
  [[nodiscard]] Result<std::optional<ChunkResult>> find(std::uint64_t index,
                                                        std::uint64_t fingerprint) const;
  /// Errors: io, then the journal is as before.
  [[nodiscard]] Result<void> add(std::uint64_t fingerprint, const ChunkResult& result);
  /// A job begins, whose results will come here.
  [[nodiscard]] Result<void> begin_job(std::string_view job);

  /// Jobs that began before the file was opened this time: what is left of them at the server is
  /// nobody's.
  [[nodiscard]] const std::vector<std::string>& earlier_jobs() const { return earlier_jobs_; }
  /// Chunks with a result.
  [[nodiscard]] std::size_t size() const;

 private:
  struct RecordPosition {
    std::uint64_t fingerprint = 0;
    std::uint64_t offset = 0;  // of the ChunkResult
    std::size_t length = 0;
  };

  ResultJournal(std::filesystem::path path, file::OpenFile file);
  [[nodiscard]] Result<void> load();
  [[nodiscard]] Result<void> append(const std::string& payload);
  bool note(std::string_view payload, std::uint64_t offset);

  const std::filesystem::path path_;
  const file::OpenFile file_;
  std::vector<std::string> earlier_jobs_;

  mutable std::mutex lock_;
  std::uint64_t end_ = 0;                         // of the last whole record
  std::map<std::uint64_t, RecordPosition> done_;  // by index of the chunk
};

}  // namespace artel::cluster::detail
