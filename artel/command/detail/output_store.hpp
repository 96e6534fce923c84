#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "artel/command/detail/spill_file.hpp"
#include "artel/command/detail/temporary_file.hpp"
#include "artel/command/output_journal.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

/// What a job wrote to one of its streams: what went to disk, then what did not.
struct StreamText {
  OutputJournal::Text kept;
  SpilledText spilled;
  std::string text;

  [[nodiscard]] bool empty() const { return kept.bytes == 0 && spilled.empty() && text.empty(); }
};

/// What a job wrote to stdout and stderr, and what is to be noted when all of it is printed.
struct JobOutput {
  StreamText out;
  StreamText err;
  StreamText note;
  std::uint64_t record = 0;  ///< of the OutputJournal, which has all of it; 0: none
  bool begun = false;        ///< the printer has a part of it already
};

/// Outputs of jobs, put in any order, taken in order of their turns, in bounded memory: past
/// `memory_max` they go to disk, and so does the list of what is there.
///
/// Cost:    for what goes to disk, a few system calls per job.
/// Errors:  as of TemporaryFile.
/// Threads: one at a time.
class OutputStore {
 public:
  /// Uses `spill`, from which the outputs may have pieces already.
  OutputStore(SpillFile& spill, std::size_t memory_max) : spill_(spill), memory_max_(memory_max) {}

  /// Requires: every turn once, from 0 without gaps in the end.
  [[nodiscard]] Result<void> put(std::uint64_t turn, JobOutput output);
  /// Nothing: the next one is not there yet.
  [[nodiscard]] Result<std::optional<JobOutput>> take();

  /// Bytes that the outputs in memory take, about.
  [[nodiscard]] std::size_t memory() const { return memory_; }

 private:
  // What the index file says of a turn; zeros: nothing.
  struct IndexedOutput {
    std::uint64_t present = 0;
    std::uint64_t record = 0;
    SpilledText out;
    SpilledText err;
    SpilledText note;
  };

  [[nodiscard]] static std::size_t memory_of(const JobOutput& output);
  [[nodiscard]] Result<void> put_on_disk(std::uint64_t turn, JobOutput output);

  SpillFile& spill_;
  std::size_t memory_max_;
  std::uint64_t next_ = 0;
  std::unordered_map<std::uint64_t, JobOutput> kept_;  // by turn
  std::size_t memory_ = 0;
  TemporaryFile index_;  // one IndexedOutput per turn
  std::uint64_t indexed_ = 0;
  bool next_not_on_disk_ = false;  // looked up already; the next turn never goes there
};

}  // namespace artel::command::detail
