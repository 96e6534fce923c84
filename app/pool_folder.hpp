#pragma once

#include <filesystem>
#include <string>

#include "app/command_line.hpp"

namespace artel::app {

/// Which pool's files a command is about: --pool and --folder.
struct PoolFolder {
  std::string pool = "artel";
  std::string folder;  ///< empty: artel/POOL where users keep what programs need between two runs

  /// Absolute.
  [[nodiscard]] std::filesystem::path path() const;
  /// As further arguments of a command that names it: " --pool films".
  [[nodiscard]] std::string arguments() const;
};

/// --pool and --folder.
void add_pool_folder_options(Subcommand command, PoolFolder& options);

}  // namespace artel::app
