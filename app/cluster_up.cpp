#include "app/cluster_up.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command.hpp"
#include "app/command_line.hpp"
#include "app/host_scripts.hpp"
#include "app/pool_folder.hpp"
#include "artel/cluster/add_cluster_worker.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/make_cluster_folder.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remove_pool.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/command/ssh_hosts.hpp"
#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/file/write_file.hpp"

namespace artel::app {
namespace {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
constexpr int kPatience = 10;  // seconds, for what workers have begun
constexpr const char* kHere = ":";

struct UpCommand {
  std::string hosts = kHere;
  bool ssh = false;
  PoolFolder of;
  std::string address;
  std::uint32_t port = 4222;
  std::string artel;
  bool force = false;
};

template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  fmt::print(stderr, "artel: {}\n", fmt::format(text, std::forward<Args>(args)...));
}

fs::path folder_of(const UpCommand& command) { return command.of.path(); }

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
}

bool is_here(const command::SshHost& host) { return host.name == kHere; }

std::string names_of(const std::vector<command::SshHost>& hosts) {
  std::string names;
  for (const auto& host : hosts) {
    names += (names.empty() ? "" : ", ") + (is_here(host) ? "here" : host.name);
  }
  return names;
}

std::vector<command::SshHost> read_hosts(const std::string& text) {
  auto hosts = command::parse_ssh_hosts(text);
  if (!hosts) refuse({hosts.error().code, hosts.error().what, "--hosts"});
  for (auto host = hosts->begin(); host != hosts->end(); ++host) {
    if (std::find_if(hosts->begin(), host,
                     [&](const auto& one) { return one.name == host->name; }) != host) {
      refuse({ErrorCode::invalid,
              fmt::format("'{}' is there twice: one worker has many threads, {}", host->name,
                          "N/host"),
              "--hosts"});
    }
  }
  return *std::move(hosts);
}

void make_files(const UpCommand& command, const std::vector<command::SshHost>& hosts) {
  const bool all_here = std::ranges::all_of(hosts, is_here);
  cluster::ClusterFolderOptions options{.pool = command.of.pool,
                                        .port = static_cast<std::uint16_t>(command.port)};
  if (!all_here) options.address = host_name();
  if (!command.address.empty()) options.address = command.address;
  if (options.address != "127.0.0.1" && options.address != "localhost") options.listen = "0.0.0.0";
  if (!all_here) options.listen = "0.0.0.0";
  const auto made = cluster::make_cluster_folder(folder_of(command), options);
  if (!made)
    refuse(made.error(),
           made.error().code == ErrorCode::invalid ? ExitStatus::bad_input : ExitStatus::failed);
}

// ---- Scripts: the variables of each, then what is the same for all

// A host's own name is in it: hosts may share a home folder.
std::string remote_folder(const UpCommand& command, const std::string& host) {
  return fmt::format("\"${{XDG_STATE_HOME:-$HOME/.local/state}}\"/artel/{}.worker.{}",
                     command.of.pool, host);
}

std::string variables(const UpCommand& command, const command::SshHost& host) {
  const bool here = is_here(host);
  const std::string artel = !command.artel.empty() ? command.artel
                            : here                 ? fs::read_symlink("/proc/self/exe").string()
                                                   : "artel";
  return fmt::format("artel={}\njobs={}\nfolder={}\n", command::literal_quote(artel), host.slots,
                     here ? command::literal_quote((folder_of(command) / "here").string())
                          : remote_folder(command, command::literal_quote(host.name)));
}

// Nobody else reads it, whatever is in it.
void write_private(const fs::path& path, const std::string& text) {
  const auto written = file::write_file(path, text, {.owner_only = true});
  if (!written) refuse(written.error(), ExitStatus::failed);
}

// For hosts that are not reached from here, now or later.
void write_scripts(const UpCommand& command, const std::string& begin) {
  const std::string folder = remote_folder(command, "\"$(uname -n)\"");
  write_private(
      folder_of(command) / "join.sh",
      fmt::format("# sh join.sh [JOBS]: starts a worker. There are secrets in this file.\n"
                  "artel={}\njobs=${{1:-0}}\nfolder={}\n{}",
                  command::literal_quote(command.artel.empty() ? "artel" : command.artel), folder,
                  begin));
  write_private(folder_of(command) / "leave.sh",
                fmt::format("# sh leave.sh: ends the worker that join.sh has started.\n"
                            "folder={}\n{}",
                            folder, end_script(kPatience)));
}

// ---- down

void write_hosts(const fs::path& folder, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  write_private(folder / "hosts", text);
}

// Those that up has started, a line each.
std::vector<command::SshHost> hosts_in(const fs::path& folder) {
  std::vector<command::SshHost> hosts;
  std::ifstream file(folder / "hosts");
  for (std::string line; std::getline(file, line);) hosts.push_back({.name = line});
  return hosts;
}

// Errors: what waits there, or that it cannot be known.
Result<void> check_idle(const fs::path& folder) {
  if (!fs::exists(folder / "server" / "store")) return {};  // the server never ran
  const auto options = cluster::cluster_options({.servers = (folder / "operator").string()});
  if (!options) return fail(options);
  const auto stays = [&](ErrorCode code, const std::string& why) -> Result<void> {
    return fail(code, why + "; --force ends it all the same", options->pool);
  };
  const auto connection = cluster::Connection::connect(*options);
  if (!connection)
    return stays(connection.error().code,
                 "what waits there cannot be asked for: " + connection.error().what);
  // The operator may not find out which masters are gone.
  if (const auto master = cluster::cluster_options({.servers = (folder / "master").string()}))
    static_cast<void>(cluster::remove_unwanted_chunks(*master));
  const auto status = cluster::pool_status(*connection, options->pool, 10ms);
  if (!status) return fail(status);
  const auto [chunks, dead] = std::pair(status->queued + status->in_hand, status->dead_letters);
  if (chunks + dead == 0) return {};
  return stays(ErrorCode::full, fmt::format("still there: {} and {}", how_many(chunks, "chunk"),
                                            how_many(dead, "dead letter")));
}

// Ends workers and server, and removes all. Those of the hosts that cannot be reached; their names
// stay, and the folder with them.
std::vector<ScriptEnd> take_down(const UpCommand& command) {
  const fs::path folder = folder_of(command);
  auto failed = run_at_hosts(hosts_in(folder), [&](const command::SshHost& host) {
    return variables(command, host) + end_script(kPatience);
  });
  std::erase_if(failed, [](const ScriptEnd& end) { return end.status == 0; });
  if (!failed.empty() && !command.force) {
    std::vector<std::string> left;
    for (const ScriptEnd& end : failed) left.push_back(end.host);
    write_hosts(folder, left);
    return failed;
  }
  run_here(folder / "server", end_script(kPatience));
  // What up has made there, and nothing else.
  std::error_code ignored;
  for (const char* part : {"server", "worker", "workers", "master", "operator", "here", "hosts",
                           "join.sh", "leave.sh"}) {
    fs::remove_all(folder / part, ignored);
  }
  fs::remove(folder, ignored);
  return failed;
}

void down(const UpCommand& command) {
  const fs::path folder = folder_of(command);
  if (!fs::exists(folder / "server" / "server.conf")) {
    refuse({ErrorCode::not_found, "there is nothing that 'artel cluster up' made", folder.string()},
           ExitStatus::failed);
  }
  if (!command.force) {
    if (const auto idle = check_idle(folder); !idle) refuse(idle.error(), ExitStatus::failed);
  }
  const auto failed = take_down(command);
  for (const ScriptEnd& end : failed) say("host '{}': {}", end.host, end.words);
  if (!failed.empty()) finish(static_cast<int>(ExitStatus::failed));
  say("pool '{}' is down", command.of.pool);
}

// ---- up

// Whatever goes wrong until all is up: what has been made and started until then is ended again.
class TakenDownUnlessUp {
 public:
  explicit TakenDownUnlessUp(UpCommand command) : command_(std::move(command)) {
    command_.force = true;
  }
  TakenDownUnlessUp(const TakenDownUnlessUp&) = delete;
  TakenDownUnlessUp& operator=(const TakenDownUnlessUp&) = delete;
  ~TakenDownUnlessUp() {
    if (!up_) take_down(command_);
  }
  void is_up() { up_ = true; }

 private:
  UpCommand command_;
  bool up_ = false;
};

void demand_all(const UpCommand& command, const std::vector<ScriptEnd>& ends) {
  bool all = true;
  for (const ScriptEnd& end : ends) {
    if (end.status != 0) say("{}: {}", end.host, end.words);
    all = all && end.status == 0;
  }
  if (all) return;
  refuse({ErrorCode::io, "not all has started; the rest has been ended again", command.of.pool},
         ExitStatus::failed);
}

// What add_cluster_worker() takes.
std::string worker_name(const command::SshHost& host) {
  constexpr std::size_t kMost = 40;
  std::string name = host.name.substr(0, kMost);
  std::ranges::replace_if(
      name, [](char c) { return !cluster::is_subject_token(std::string_view(&c, 1)); }, '-');
  return name == "worker" ? "worker-host" : name;
}

// A host that is reached has a user and a key of its own, so that it can be revoked alone.
void make_workers(const UpCommand& command, const std::vector<command::SshHost>& hosts) {
  for (const auto& host : hosts) {
    if (is_here(host)) continue;
    const auto added = cluster::add_cluster_worker(folder_of(command), worker_name(host));
    if (!added) refuse(added.error(), ExitStatus::failed);
  }
}

std::string begin_worker(const UpCommand& command, const command::SshHost& host) {
  const fs::path own = folder_of(command) / "workers" / worker_name(host);
  auto script = worker_script(fs::exists(own) ? own : folder_of(command) / "worker");
  if (!script) refuse(script.error(), ExitStatus::failed);
  return *std::move(script);
}

void start_workers(const UpCommand& command, const std::vector<command::SshHost>& hosts) {
  std::vector<std::string> names;
  for (const auto& host : hosts) names.push_back(host.name);
  write_hosts(folder_of(command), names);
  demand_all(command, run_at_hosts(hosts, [&](const command::SshHost& host) {
               return variables(command, host) + begin_worker(command, host);
             }));
}

void up(const UpCommand& command) {
  auto hosts = read_hosts(command.hosts);
  const auto program = cluster::find_nats_server();
  if (!program) refuse(program.error(), ExitStatus::failed);
  const fs::path folder = folder_of(command);
  if (fs::exists(folder)) {
    refuse({ErrorCode::invalid,
            fmt::format("it is there already; 'artel cluster down --pool {}' ends it",
                        command.of.pool),
            folder.string()},
           ExitStatus::failed);
  }
  make_files(command, hosts);
  TakenDownUnlessUp attempt(command);
  if (command.ssh) make_workers(command, hosts);
  write_scripts(command, begin_worker(command, {.name = kHere}));
  std::vector<command::SshHost> by_hand;
  if (!command.ssh) {
    std::ranges::copy_if(hosts, std::back_inserter(by_hand), std::not_fn(is_here));
    std::erase_if(hosts, std::not_fn(is_here));
  }
  auto server = run_here(folder / "server", server_script(*program));
  server.host = "nats-server";
  demand_all(command, {server});
  start_workers(command, hosts);
  attempt.is_up();
  say("pool '{}' is up; workers: {}", command.of.pool, hosts.empty() ? "none" : names_of(hosts));
  if (!by_hand.empty()) {
    say("at {}: sh join.sh, and sh leave.sh; they are in {}", names_of(by_hand), folder.string());
  }
  say("use it:  artel map --cluster {} -- COMMAND {{}}", (folder / "master").string());
  say("look:    artel cluster status --cluster {}", (folder / "operator").string());
  say("end it:  artel cluster down{}", command.of.arguments());
  fmt::print("{}\n", (folder / "master").string());
}

void configure(const UpCommand& command) {
  const auto hosts = read_hosts(command.hosts);
  make_files(command, hosts);
  write_scripts(command, begin_worker(command, {.name = kHere}));
  fmt::print("{}\n", folder_of(command).string());
}

// ---- Options

constexpr const char* kUpFooter =
    R"(The server runs here, with TLS, a user for each role, and JetStream; the workers run commands that
are signed by this pool's masters, nothing else. All that belongs to it is in one folder, which
nobody else can read. Processes outlive this command and the login, not the machine: for that,
'artel cluster configure' and the systemd units of the package.
Hosts: host, user@host, N/host for N threads there; ':' is here. Over ssh nobody is asked for
passwords. Without --ssh what to do there is said, and nobody is reached.

Examples:
  cluster=$(artel cluster up)
  ls *.wav | artel map --cluster $cluster -- flac --best {}
  artel cluster up --hosts :,lab7,8/ann@lab9 --ssh --pool films
)";

constexpr const char* kConfigureFooter =
    R"(In the folder: server/ for nats-server, worker/, master/ and operator/ for --cluster. The units
artel-server@NAME and artel-worker@NAME of the package read /etc/artel/NAME.

Examples:
  artel cluster configure --pool films --address broker.example --folder /etc/artel/films
  systemctl enable --now artel-server@films
)";

void add_server_options(Subcommand command, UpCommand& options) {
  command
      .option("--address", options.address,
              "By which the others reach this machine; default: its name, or 127.0.0.1 if there "
              "are no others")
      .type_name("HOST");
  command.option("--port", options.port, "Of the server")
      .range(std::size_t{1}, std::size_t{65'535})
      .show_default();
}

}  // namespace

void add_up_and_down(Subcommand cluster) {
  auto start = cluster.subcommand("up", "Start a server and workers, with TLS, users and keys");
  const auto options = std::make_shared<UpCommand>();
  start.option("--hosts", options->hosts, "Where workers run").type_name("HOST[,…]").show_default();
  start.flag("--ssh", options->ssh, "Start them there, over ssh");
  add_pool_folder_options(start, options->of);
  add_server_options(start, *options);
  start.option("--artel", options->artel, "The program there; default: artel").type_name("PATH");
  start.footer(kUpFooter);
  start.action([options] { up(*options); });

  auto end = cluster.subcommand("down", "End what 'up' has started, and remove it");
  const auto ended = std::make_shared<UpCommand>();
  add_pool_folder_options(end, ended->of);
  end.flag("--force", ended->force, "Though chunks wait there, or a host cannot be reached");
  end.action([ended] { down(*ended); });

  auto files = cluster.subcommand("configure", "Write what a server, workers and masters need");
  const auto wanted = std::make_shared<UpCommand>();
  wanted->hosts = "others";  // it is not for this machine alone
  add_pool_folder_options(files, wanted->of);
  add_server_options(files, *wanted);
  files.footer(kConfigureFooter);
  files.action([wanted] { configure(*wanted); });
}

}  // namespace artel::app
