#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "artel/command/ssh_hosts.hpp"
#include "artel/core/error.hpp"

// Scripts of the POSIX shell that start and end the processes of a cluster, and run at its hosts.
namespace artel::app {

/// Starts a worker, from variables: `artel`, the program; `jobs`, 0 for as many as there are
/// processors; `folder`, where what it needs goes. Ends when the worker has connected.
/// `role`: of make_cluster_folder(), worker's; its files are in the script. Errors: io.
[[nodiscard]] Result<std::string> worker_script(const std::filesystem::path& role);
/// Starts nats-server in `folder`, which has its files. Ends when it is ready.
[[nodiscard]] std::string server_script(const std::string& program);
/// Ends what was started in `folder`, and removes that. A worker may end what it has begun for
/// `patience` seconds.
[[nodiscard]] std::string end_script(int patience);

/// What became of a script at a host.
struct ScriptEnd {
  std::string host;
  int status = 0;     ///< of the shell; 255: ssh cannot reach the host; 127: there is no ssh
  std::string words;  ///< on stderr, the last line, or why nothing has run
};

/// Runs a script at all of the hosts at once, over ssh, or here for ":". They come on stdin: nobody
/// sees what is in them. `script`: for that host. An end for each host, in their order.
[[nodiscard]] std::vector<ScriptEnd> run_at_hosts(
    const std::vector<command::SshHost>& hosts,
    const std::function<std::string(const command::SshHost&)>& script);

/// Runs it here, with its variable `folder`.
ScriptEnd run_here(const std::filesystem::path& folder, const std::string& script);

}  // namespace artel::app
