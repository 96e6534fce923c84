#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/map_cluster.hpp"
#include "app/map_inputs.hpp"
#include "app/map_pipe.hpp"
#include "app/map_run_options.hpp"
#include "app/map_ssh.hpp"

namespace artel::app {

/// What the command line of artel map says.
struct MapCommand {
  std::vector<std::string> command;  // and items behind ":::"
  ItemOptions items;
  bool keep_order = false;  // the default, said aloud
  bool as_ready = false;
  std::size_t items_per_job = 1;  // 0: not given
  bool pack = false;              // as many items as a command line takes
  bool pack_apart = false;        // the same, but no word is repeated
  std::size_t bytes_max = 0;      // of a command line; 0: as many as usual
  std::string token;
  PipeOptions pipe;
  std::string shell;  // empty: none
  unsigned retries = 0;
  std::string job_log;
  bool resume = false;
  bool resume_failed = false;
  bool dry_run = false;
  bool show_commands = false;
  bool ask = false;
  bool progress = false;
  std::string record;
  MapRunOptions run;
  std::vector<std::string> given;  // options_of_retry()
  MapCluster cluster;
  MapSsh ssh;
};

/// Adds the options and the help's end. `map` must live until the command line has been read; its
/// `command`, which stands behind `--`, is not among them.
void add_map_options(Subcommand command, MapCommand& map);

/// The options of this command line that also hold for a run of the failed jobs of its log: all but
/// those that say what the items and the command are, and those of the log.
[[nodiscard]] std::vector<std::string> options_of_retry(const Subcommand& map);

/// What a person is to do to run the failed jobs again, a line. Every shell of shell_quote() reads
/// it. Requires: a job log.
[[nodiscard]] std::string retry_hint(const MapCommand& options);

}  // namespace artel::app
