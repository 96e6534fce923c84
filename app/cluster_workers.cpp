#include "app/cluster_workers.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/pool_folder.hpp"
#include "artel/cluster/add_cluster_worker.hpp"
#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/read_text_file.hpp"

namespace artel::app {
namespace {

namespace fs = std::filesystem;

struct WorkerNameCommand {
  PoolFolder of;
  std::string name;
};

// Of the server that `up` has started, if it runs.
bool reload_server(const fs::path& folder) {
  constexpr std::uint64_t kBytesMax = 65'536;
  auto text = file::read_text_file(folder / "server" / "pid", kBytesMax);
  if (!text) return false;
  while (text->ends_with('\n')) text->pop_back();
  const auto pid = parse_number<std::uint32_t>(*text);
  if (!pid || *pid < 2) return false;
  const auto words = file::read_text_file(fmt::format("/proc/{}/cmdline", *pid), kBytesMax);
  if (!words || words->find((folder / "server" / "up.conf").string()) == std::string::npos)
    return false;
  return ::kill(static_cast<pid_t>(*pid), SIGHUP) == 0;
}

void say_what_the_server_knows(const WorkerNameCommand& command) {
  if (reload_server(command.of.path())) return;
  fmt::print(stderr,
             "artel: the server has to read its configuration again: restart it (systemctl restart "
             "artel-server@{})\n",
             command.of.pool);
}

[[noreturn]] void refuse_worker(const Error& error) {
  refuse(error, error.code == ErrorCode::invalid ? ExitStatus::bad_input : ExitStatus::failed);
}

void add(const WorkerNameCommand& command) {
  const auto added = cluster::add_cluster_worker(command.of.path(), command.name);
  if (!added) refuse_worker(added.error());
  say_what_the_server_knows(command);
  fmt::print(stderr, "artel: masters and operators elsewhere need the new trusted.keys\n");
  fmt::print("{}\n", added->string());
}

void revoke(const WorkerNameCommand& command) {
  const auto revoked = cluster::revoke_cluster_worker(command.of.path(), command.name);
  if (!revoked) refuse_worker(revoked.error());
  say_what_the_server_knows(command);
  fmt::print(stderr,
             "artel: worker '{}' is revoked; masters and operators elsewhere need the new "
             "trusted.keys\n",
             command.name);
}

constexpr const char* kAddFooter =
    R"(The worker gets a user of the server, a password and a key of its own, in a new folder that is
printed: copy it to its host, and to no other. The server reads its configuration again; nobody is
disconnected.

Examples:
  artel cluster add-worker lab7 --pool films
  artel worker --cluster ./films/workers/lab7 --allow-commands        # at lab7
)";

constexpr const char* kRevokeFooter =
    R"(For a worker whose host is lost or stolen. Its user and its key are taken away, its folder is removed,
and the server ends its connection; the other workers stay connected. 'worker' is the one that 'up' and
'configure' make.

Examples:
  artel cluster revoke-worker lab7 --pool films
)";

Subcommand add_command(Subcommand cluster, const char* name, const char* help,
                       WorkerNameCommand& options) {
  auto command = cluster.subcommand(name, help);
  command.option("worker", options.name, "Its name").type_name("NAME").required();
  add_pool_folder_options(command, options.of);
  return command;
}

}  // namespace

void add_cluster_workers(Subcommand cluster) {
  const auto added = std::make_shared<WorkerNameCommand>();
  auto one =
      add_command(cluster, "add-worker", "Make a user and a key for one more worker", *added);
  one.footer(kAddFooter);
  one.action([added] { add(*added); });

  const auto revoked = std::make_shared<WorkerNameCommand>();
  auto other = add_command(cluster, "revoke-worker", "Take a worker's user and key away", *revoked);
  other.footer(kRevokeFooter);
  other.action([revoked] { revoke(*revoked); });
}

}  // namespace artel::app
