#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/map_cluster.hpp"

namespace artel::app {

/// What the command line of artel map says.
struct MapCommand {
  std::vector<std::string> command;  // and items behind ":::"
  std::vector<std::string> stray;
  std::optional<std::size_t> jobs;
  bool keep_order = false;  // the default, said aloud
  bool as_ready = false;
  std::size_t items_per_job = 1;
  std::string file;
  bool null = false;
  bool shell = false;
  std::string halt = "never";
  unsigned retries = 0;
  std::string timeout = "inf";
  std::string job_log;
  bool resume = false;
  bool resume_failed = false;
  bool dry_run = false;
  bool progress = false;
  std::string record;
  std::string results;
  MapCluster cluster;
};

/// Adds the options and the help's end. `map` must live until the command line has been read; its
/// `command`, which stands behind `--`, is not among them.
void add_map_options(Subcommand command, MapCommand& map);

}  // namespace artel::app
