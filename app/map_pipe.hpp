#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "app/map_inputs.hpp"
#include "artel/command/block_items.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// What the command line says about jobs that read the input.
struct PipeOptions {
  bool asked = false;
  std::string block = "1M";
  std::string record_start;
  std::string record_end;
};

/// Adds them. `pipe` must live until the command line has been read.
void add_pipe_options(Subcommand command, PipeOptions& pipe);

/// The input in blocks: standard input, or the one file. `records`: of each block; 0: by its bytes.
/// Errors: what does not go together; a file that cannot be read.
[[nodiscard]] Result<std::unique_ptr<command::BlockItems>> open_blocks(const PipeOptions& pipe,
                                                                       const ItemOptions& options,
                                                                       std::size_t records);

/// The words of a command that reads the block whose path stands for `placeholder`.
/// `shell`: whose script `words` are; empty: none.
[[nodiscard]] std::vector<std::string> reading_command(const std::vector<std::string>& words,
                                                       const std::string& shell,
                                                       const std::string& placeholder);

}  // namespace artel::app
