#include "app/pool_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/command_line.hpp"

namespace artel::app {
namespace {

namespace fs = std::filesystem;

fs::path state_folder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
    return fs::path(state) / "artel";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr ? home : "/") / ".local/state/artel";
}

}  // namespace

fs::path PoolFolder::path() const {
  return fs::absolute(folder.empty() ? state_folder() / pool : fs::path(folder)).lexically_normal();
}

std::string PoolFolder::arguments() const {
  return " --pool " + pool + (folder.empty() ? "" : " --folder " + folder);
}

void add_pool_folder_options(Subcommand command, PoolFolder& options) {
  command.option("--pool", options.pool, "Its name").type_name("NAME").show_default();
  command
      .option("--folder", options.folder,
              "Where all that belongs to it is; default: artel/NAME in $XDG_STATE_HOME or "
              "~/.local/state")
      .type_name("DIR");
}

}  // namespace artel::app
