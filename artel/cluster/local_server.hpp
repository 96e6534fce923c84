#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "artel/cluster/cluster_options.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// The path of the nats-server that is installed here. Errors: not_found, with the package.
[[nodiscard]] Result<std::string> find_nats_server();

/// How the servers of a LocalServer are set up.
struct LocalServerOptions {
  std::size_t nodes = 1;  ///< 1; or 3, that replicate
  std::string settings;   ///< more lines for each configuration file: users, TLS, …
  bool token = true;      ///< only who knows a random token gets in; false: `settings` decide
  bool jetstream = true;  ///< false: a server without streams
  std::string program;    ///< path of the server; empty: find_nats_server()
};

/// nats-server processes of our own, on free ports of this machine's loopback interface, with a
/// store in a temporary folder. They and the folder are gone with the object.
///
/// The ports stay reserved meanwhile, so that a server can be stopped and started again. Should
/// this process be killed, the kernel ends the servers, and a process of ours removes the folder.
/// Cost:    starts in about 40 ms, 3 nodes in about a second.
/// Threads: one at a time.
/// Requires: the thread that starts a server outlives it (command::Child).
class LocalServer {
 public:
  /// Errors: not_found with the package to install; io with the server's own last words; timeout.
  [[nodiscard]] static Result<LocalServer> start(LocalServerOptions options = {});

  LocalServer(LocalServer&&) noexcept;
  LocalServer& operator=(LocalServer&&) noexcept;
  ~LocalServer();

  /// How to connect: all servers, and the token.
  [[nodiscard]] ClusterOptions cluster() const;
  [[nodiscard]] const std::filesystem::path& folder() const;
  [[nodiscard]] std::size_t nodes() const;
  [[nodiscard]] bool runs(std::size_t node) const;
  /// To one server, as SIGSTOP.
  void signal(std::size_t node, int signal) const;
  /// Ends one server by SIGTERM or SIGKILL and waits until it has ended.
  void stop(std::size_t node, int signal);
  /// On the same port and store. Errors: as start().
  [[nodiscard]] Result<void> start_again(std::size_t node);

 private:
  struct State;
  explicit LocalServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace artel::cluster
