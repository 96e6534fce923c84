#include "artel/command/ssh_hosts.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/scratch_folder.hpp"
#include "artel/command/shell_quote.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/pipe_ends.hpp"

namespace artel::command {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 60s;  // for all connections; a busy host takes its time
// A server of OpenSSH allows ten sessions on a connection (MaxSessions), and ours is one of them.
constexpr std::size_t kSlotsPerConnection = 9;
constexpr std::size_t kSlotsMax = 4096;
// The path of a socket has 108 bytes, and ssh makes it longer while it begins.
constexpr std::size_t kFolderMax = 60;
constexpr const char* kHere = ":";

// The first line says how many processors there are, and that we are connected. It ends when we do.
// The login shell may be fish, so all that it reads is one command with quoted words.
constexpr const char* kStay =
    "exec sh -c 'n=$(getconf _NPROCESSORS_ONLN 2>/dev/null); echo ${n:-1}; exec cat >/dev/null'";

// The job's own input would end at once; ssh's ends with the connection, and then all goes that the
// server has started for this job: it is in a session, and a process group, of its own.
constexpr std::string_view kScript =
    "exec 3<&0 </dev/null; "
    "(read -r x <&3; trap \"\" TERM; kill -TERM 0; sleep 1; kill -KILL 0) >/dev/null 2>&1 & "
    "exec 3<&-; \"$@\"; s=$?; kill -KILL $!; exit $s";

Result<file::PipeEnds> make_pipe() {
  auto made = file::make_pipe();
  if (!made) return fail(ErrorCode::io, "cannot make a pipe: " + made.error().message(), "ssh");
  return *std::move(made);
}

// Whatever there is now. False: the end.
bool read_some(const file::OpenFile& file, std::string& text) {
  std::array<char, 4096> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): just read into
  while (true) {
    const auto count = ::read(file.get(), piece.data(), piece.size());
    if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
    if (count == 0) return false;
    if (count < 0 && errno != EINTR) return errno == EAGAIN;
  }
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

bool answers(const std::filesystem::path& socket) {
  const file::OpenFile file(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (file.get() < 0 || socket.native().size() >= sizeof(address.sun_path)) return false;
  std::memcpy(static_cast<char*>(address.sun_path), socket.c_str(), socket.native().size());
  // NOLINTNEXTLINE(*-reinterpret-cast): as sockets are
  return ::connect(file.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

}  // namespace

Result<std::vector<SshHost>> parse_ssh_hosts(std::string_view text) {
  std::vector<SshHost> hosts;
  while (true) {
    const auto comma = std::min(text.find(','), text.size());
    SshHost host{.name = std::string(text.substr(0, comma))};
    if (const auto slash = host.name.find('/'); slash != std::string::npos) {
      const auto slots = parse_number<std::size_t>(std::string_view(host.name).substr(0, slash));
      if (!slots || *slots == 0 || *slots > kSlotsMax) {
        return fail(ErrorCode::invalid,
                    fmt::format("found '{}'; expected a host, or N/host for N jobs at once, N from "
                                "1 to {}",
                                host.name, kSlotsMax),
                    "--ssh");
      }
      host.slots = *slots;
      host.name.erase(0, slash + 1);
    }
    if (host.name.empty() || host.name.starts_with('-')) {
      return fail(ErrorCode::invalid, fmt::format("'{}' is no host", host.name), "--ssh");
    }
    hosts.push_back(std::move(host));
    if (comma == text.size()) return hosts;
    text.remove_prefix(comma + 1);
  }
}

std::string ssh_script(const std::vector<std::string>& command) {
  std::string script = fmt::format("exec sh -c {} sh", literal_quote(kScript));
  for (const auto& word : command) script += ' ' + literal_quote(word);
  return script;
}

std::vector<std::string> ssh_command(const std::vector<std::string>& options,
                                     const std::string& host, const std::string& script) {
  std::vector<std::string> words{"ssh"};
  words.insert(words.end(), options.begin(), options.end());
  for (const char* option :
       {"-oBatchMode=yes", "-oConnectTimeout=10", "-oLogLevel=ERROR", "-T", "-x", "-a", "--"}) {
    words.emplace_back(option);
  }
  words.insert(words.end(), {host, script});
  return words;
}

// ---- connecting ---------------------------------------------------------------------------------

Result<std::unique_ptr<SshHosts>> SshHosts::connect(const std::vector<SshHost>& hosts,
                                                    const Tell& tell, int stop_file) {
  std::unique_ptr<SshHosts> all(new SshHosts(tell));
  if (auto prepared = all->prepare(); !prepared) return fail(prepared);
  std::vector<std::vector<std::size_t>> of(hosts.size());  // connections of each
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i].name == kHere) continue;
    const auto begun = all->begin(hosts[i].name);
    if (!begun) return fail(begun);
    of[i].push_back(*begun);
  }
  if (auto waited = all->wait_for_all(stop_file); !waited) return fail(waited);
  // Now it is known how many slots they have, and so how many connections they need.
  std::vector<SshHost> sized = hosts;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (of[i].empty() || all->connections_[of[i].front()].lost) continue;
    auto& slots = sized[i].slots;
    if (slots == 0) {
      const auto& said = all->connections_[of[i].front()].said;
      slots = std::clamp<std::size_t>(
          parse_number<std::size_t>(said.substr(0, said.find('\n'))).value_or(1), 1, kSlotsMax);
    }
    while (of[i].size() * kSlotsPerConnection < slots) {
      const auto begun = all->begin(hosts[i].name);
      if (!begun) return fail(begun);
      of[i].push_back(*begun);
    }
  }
  if (auto waited = all->wait_for_all(stop_file); !waited) return fail(waited);
  all->share_out(sized, of);
  if (all->slots_.empty()) return fail(ErrorCode::io, "no host can be reached", "ssh");
  return all;
}

Result<void> SshHosts::prepare() {
  const auto program = find_program("ssh");
  if (!program) {
    return fail(ErrorCode::not_found, "cannot run 'ssh': " + program.error().message(), "ssh");
  }
  program_ = *program;
  std::error_code ignored;
  auto base = std::filesystem::temp_directory_path(ignored).string();
  if (ignored || base.size() > kFolderMax) base = "/tmp";
  auto folder = ScratchFolder::make("artel-ssh-", base);
  if (!folder) return fail(folder);
  folder_ = std::make_unique<ScratchFolder>(*std::move(folder));
  auto silence = make_pipe();
  if (!silence) return fail(silence);
  silence_ = std::move(silence->read);
  silence_end_ = std::move(silence->write);
  null_ = file::OpenFile(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  return {};
}

Result<std::size_t> SshHosts::begin(const std::string& host) {
  SshLink connection{.host = host, .socket = folder_->path() / std::to_string(connections_.size())};
  auto out = make_pipe();
  if (!out) return fail(out);
  auto err = make_pipe();
  if (!err) return fail(err);
  const auto command =
      ssh_command({"-M", "-S", connection.socket.string(), "-oServerAliveInterval=5",
                   "-oServerAliveCountMax=3", "-oControlPersist=no"},
                  host, kStay);
  auto child = Child::start(
      program_, command,
      {.in = silence_.get(), .out = out->write.get(), .err = err->write.get(), .inherit = false});
  if (!child) return fail(ErrorCode::io, "cannot run 'ssh': " + child.error().message(), "ssh");
  connection.child.emplace(std::move(*child));
  connection.out = std::move(out->read);
  connection.err = std::move(err->read);
  for (const auto* const file : {&connection.out, &connection.err}) {
    ::fcntl(file->get(), F_SETFL, O_NONBLOCK);
  }
  connections_.push_back(std::move(connection));
  return connections_.size() - 1;
}

// Whether it is known if the host can be reached.
bool SshHosts::is_settled(const SshLink& connection) {
  return connection.lost || connection.said.find('\n') != std::string::npos;
}

void SshHosts::hear(SshLink& connection) {
  read_some(connection.err, connection.problem);
  const bool ended = !read_some(connection.out, connection.said);
  if (ended && !is_settled(connection)) lose(connection, "cannot be reached");
}

Result<void> SshHosts::wait_for_all(int stop_file) {
  const Instant deadline = later(steady_now(), kPatience);
  while (true) {
    std::vector<pollfd> files{{.fd = stop_file, .events = POLLIN, .revents = 0}};
    for (auto& connection : connections_) {
      if (!is_settled(connection)) {
        files.push_back({.fd = connection.out.get(), .events = POLLIN, .revents = 0});
      }
    }
    if (files.size() == 1) return {};
    const Duration left = deadline - steady_now();
    if (left > Duration{}) {
      ::poll(files.data(), files.size(),
             static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count()));
    }
    if (files.front().revents != 0) return fail(ErrorCode::cancelled, "interrupted", "ssh");
    for (auto& connection : connections_) {
      if (is_settled(connection)) continue;
      hear(connection);
      if (left <= Duration{} && !is_settled(connection)) lose(connection, "does not answer");
    }
  }
}

// The hosts take turns, so that a few jobs are spread over all.
void SshHosts::share_out(const std::vector<SshHost>& hosts,
                         const std::vector<std::vector<std::size_t>>& of) {
  for (std::size_t turn = 0; turn < kSlotsMax; ++turn) {
    bool any = false;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const bool here = of[i].empty();
      if (turn >= std::max<std::size_t>(hosts[i].slots, here ? 1 : 0)) continue;
      any = true;
      if (here) {
        slots_.emplace_back(std::nullopt);
      } else if (const auto at = of[i][turn % of[i].size()]; !connections_[at].lost) {
        slots_.emplace_back(at);
      }
    }
    if (!any) return;
  }
}

SshHosts::~SshHosts() {
  for (auto& connection : connections_) connection.child.reset();
}

// ---- jobs ---------------------------------------------------------------------------------------

std::vector<std::string> SshHosts::via(std::size_t slot,
                                       const std::vector<std::string>& command) const {
  const auto connection = slots_[slot];
  if (!connection) return command;
  const SshLink& link = connections_[*connection];
  auto words = ssh_command({"-S", link.socket.string(), "-oControlMaster=no"}, link.host,
                           ssh_script(command));
  words.front() = program_;
  return words;
}

std::string SshHosts::name(std::size_t slot) const {
  const auto& connection = slots_[slot];
  return connection ? connections_[*connection].host : kHere;
}

int SshHosts::input(std::size_t slot) const { return slots_[slot] ? silence_.get() : -1; }

bool SshHosts::is_lost(std::size_t slot) {
  const auto& number = slots_[slot];
  if (!number) return false;
  auto& connection = connections_[*number];
  if (!connection.lost && connection.child->ended()) {  // NOLINT(*-unchecked-optional-access)
    lose(connection, "is lost");
  }
  return connection.lost;
}

// The end of a job may be seen before that of the connection, whose socket goes first.
bool SshHosts::was_lost(std::size_t slot) {
  if (is_lost(slot)) return true;
  const auto& number = slots_[slot];
  if (!number) return false;
  auto& connection = connections_[*number];
  if (!answers(connection.socket)) lose(connection, "is lost");
  return connection.lost;
}

void SshHosts::lose(SshLink& connection, const char* what) {
  read_some(connection.err, connection.problem);
  const auto why = last_line(connection.problem);
  connection.lost = true;
  connection.child.reset();
  if (tell_) {
    tell_(fmt::format("host '{}' {}{}{}", connection.host, what, why.empty() ? "" : ": ", why));
  }
}

}  // namespace artel::command
