#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/command_line.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// How artel map starts, ends and prints jobs, as the command line says it.
struct MapRunOptions {
  std::string jobs;
  std::string halt = "never";
  std::string timeout;
  std::string linger;
  std::string delay;
  std::string load;
  std::string free_memory;
  std::size_t nice = 0;
  bool tty = false;
  bool ungroup = false;
  bool line_buffer = false;
  bool tag = false;
  std::string tag_string;
  bool files = false;
  std::string results;
  std::string spill_max;
  bool retry_failed = false;
  bool trust_log = false;

  /// --jobs, as a number; nothing: it was not given.
  /// Requires: apply() has found nothing wrong.
  [[nodiscard]] std::optional<std::size_t> slots() const;
  /// Puts what these say into the options of the loop. Errors: which option is wrong, and how.
  [[nodiscard]] Result<void> apply(command::JobLoopOptions& loop) const;
};

// `options` must live until the command line has been read.

/// How jobs start and end.
void add_start_options(Subcommand command, MapRunOptions& options);
/// How outputs are printed.
void add_print_options(Subcommand command, MapRunOptions& options);

}  // namespace artel::app
