#include "app/map_ssh.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/ssh_hosts.hpp"
#include "artel/core/error.hpp"
#include "artel/file/protect_inputs.hpp"

namespace artel::app {

void MapSsh::add_options(Subcommand command) {
  command
      .option("--ssh,-S,--sshlogin", names_,
              "Run the jobs at these hosts, over ssh: host, user@host, N/host for N jobs at once "
              "there instead of --jobs, ':' for here; with commas, or again")
      .one_value_each()
      .type_name("HOST[,…]");
  command.option("--sshloginfile,--slf", file_, "The same, hosts from this file, one a line")
      .type_name("FILE");
}

Result<void> MapSsh::check(const command::JobLoopOptions& options) {
  if (!asked()) return {};
  const auto refuse = [](const char* what) {
    return fail(ErrorCode::invalid, what, "artel map --ssh");
  };
  if (options.tty) return refuse("--tty: the terminal is here");
  if (options.nice != 0) return refuse("--nice: write it into the command: -- nice cmd {}");
  if (options.slots_now) return refuse("--jobs: a number, not a file");
  if (options.start.load_max > 0 || options.start.free_memory > 0) {
    return refuse("--load, --memfree: they look at this machine");
  }
  return read_hosts();
}

Result<void> MapSsh::read_hosts() {
  std::vector<std::string> texts = names_;
  if (!file_.empty()) {
    std::ifstream file(file_);
    if (!file) return fail(ErrorCode::io, "cannot read", file_);
    if (const auto noted = file::note_input(file_); !noted) return noted;
    for (std::string line; std::getline(file, line);) {
      line.erase(std::min(line.find('#'), line.size()));
      line.erase(line.find_last_not_of(" \t\r") + 1);
      line.erase(0, line.find_first_not_of(" \t"));
      if (!line.empty()) texts.push_back(line);
    }
  }
  hosts_.clear();
  for (const auto& text : texts) {
    auto some = command::parse_ssh_hosts(text);
    if (!some) return fail(some);
    hosts_.insert(hosts_.end(), std::make_move_iterator(some->begin()),
                  std::make_move_iterator(some->end()));
  }
  return {};
}

Result<std::unique_ptr<command::SshHosts>> MapSsh::connect(
    std::size_t jobs, const command::JobLoopOptions& options) const {
  auto hosts = hosts_;
  for (auto& host : hosts) {
    if (host.slots == 0) host.slots = jobs;
  }
  return command::SshHosts::connect(hosts, options.tell, options.control_file);
}

}  // namespace artel::app
