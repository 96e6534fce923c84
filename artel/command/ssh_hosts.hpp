#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/command/job_hosts.hpp"
#include "artel/command/scratch_folder.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {

/// A host that ssh(1) reaches, as its user writes it: "host", "user@host", "4/host"; ":" is here.
struct SshHost {
  std::string name;
  std::size_t slots = 0;  ///< 0: as many as it has processors
};

/// Hosts with commas between them. Errors: invalid.
[[nodiscard]] Result<std::vector<SshHost>> parse_ssh_hosts(std::string_view text);

/// What the shell of a user at such a host is to run: the command, in the home folder, with nothing
/// to read. It ends, with all that it has started there, when the connection does.
[[nodiscard]] std::string ssh_script(const std::vector<std::string>& command);

/// The words of an ssh that runs a script at a host: it asks nobody, says errors only, and gives up
/// a network that is silent.
/// `options`: more of them, before those.
[[nodiscard]] std::vector<std::string> ssh_command(const std::vector<std::string>& options,
                                                   const std::string& host,
                                                   const std::string& script);

/// Hosts with a connection of ours to each, over which ssh runs the jobs. They need no artel, only
/// a shell as POSIX has it; we need keys, or an agent: nobody is asked for passwords.
///
/// A host whose connection breaks is lost for good; ssh notices after some 15 seconds.
/// Cost:    a process here for each connection and each job.
/// Threads: one, which must outlive it, see Child.
class SshHosts final : public JobHosts {
 public:
  /// Connects to all at once, a minute at most; `tell` hears of each that cannot be reached.
  /// `stop_file`: is readable when nobody waits any more; -1: none.
  /// Errors: not_found: there is no ssh; io: none can be reached; cancelled: by `stop_file`.
  [[nodiscard]] static Result<std::unique_ptr<SshHosts>> connect(
      const std::vector<SshHost>& hosts, const std::function<void(const std::string&)>& tell,
      int stop_file = -1);
  SshHosts(const SshHosts&) = delete;
  SshHosts& operator=(const SshHosts&) = delete;
  ~SshHosts() override;

  /// Of all hosts.
  [[nodiscard]] std::size_t slots() const { return slots_.size(); }

  [[nodiscard]] std::vector<std::string> via(
      std::size_t slot, const std::vector<std::string>& command) const override;
  [[nodiscard]] std::string name(std::size_t slot) const override;
  [[nodiscard]] int input(std::size_t slot) const override;
  [[nodiscard]] bool is_lost(std::size_t slot) override;
  [[nodiscard]] bool was_lost(std::size_t slot) override;

 private:
  /// An ssh that stays, and that those of the jobs go through.
  struct SshLink {
    std::string host;
    std::filesystem::path socket;
    std::optional<Child> child;
    file::OpenFile out;
    file::OpenFile err;
    std::string said;  // on out
    std::string problem;
    bool lost = false;
  };
  using Tell = std::function<void(const std::string&)>;

  explicit SshHosts(Tell tell) : tell_(std::move(tell)) {}
  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<std::size_t> begin(const std::string& host);
  [[nodiscard]] Result<void> wait_for_all(int stop_file);
  void hear(SshLink& connection);
  [[nodiscard]] static bool is_settled(const SshLink& connection);
  void lose(SshLink& connection, const char* what);
  void share_out(const std::vector<SshHost>& hosts,
                 const std::vector<std::vector<std::size_t>>& of);

  const Tell tell_;
  std::string program_;
  std::unique_ptr<ScratchFolder> folder_;  // of the sockets, from prepare() on
  file::OpenFile silence_;                 // nothing ever comes, and no end
  file::OpenFile silence_end_;
  file::OpenFile null_;
  std::vector<SshLink> connections_;
  std::vector<std::optional<std::size_t>> slots_;  // each one's connection; none: here
};

}  // namespace artel::command
