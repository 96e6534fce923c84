#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/output_stream.hpp"
#include "artel/command/detail/spill_file.hpp"
#include "artel/command/output_files.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

/// Writes outputs of jobs one after the other, each one's stdout, then its stderr, without
/// blocking.
///
/// Threads: one at a time.
class JobPrinter {
 public:
  /// `before` is called before an output that is not empty.
  JobPrinter(OutputStore& store, SpillFile& spill, OutputFiles files, std::function<void()> before)
      : store_(store),
        spill_(spill),
        out_(files.out),
        err_(files.err),
        before_(std::move(before)) {}

  /// Writes what is due, until nothing is or somebody does not take it.
  /// Errors: closed: nobody reads stdout any more; io: writing, or reading back what was spilled.
  /// What stderr refuses is lost.
  [[nodiscard]] Result<void> print();

  /// The file that has to become writable before it can go on; nothing: none is due.
  [[nodiscard]] std::optional<int> blocked_on() const;

 private:
  [[nodiscard]] Result<bool> print_stream(StreamText& stream, OutputStream& file);
  [[nodiscard]] Result<bool> fill(StreamText& stream);

  OutputStore& store_;
  SpillFile& spill_;
  OutputStream out_;
  OutputStream err_;
  std::function<void()> before_;
  JobOutput current_;
  bool printing_ = false;     // the current one
  bool out_is_done_ = false;  // of the current one
  std::string piece_;         // being written
  std::size_t written_ = 0;   // of it
};

}  // namespace artel::command::detail
