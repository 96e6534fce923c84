#pragma once

#include <nats/nats.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/engine_subscription.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// What may happen to a connection later. Called on the engine's threads, one at a time and never
/// after the Connection is gone; they must not block for long, nor destroy it.
struct ConnectionEvents {
  std::function<void()> lost;                 ///< it reconnects by itself, unless `shut` follows
  std::function<void()> restored;             ///< messages sent meanwhile may be gone
  std::function<void(const Error&)> problem;  ///< a refused subject, a slow reader
  /// It will not come back. Code closed: a server that is there again has twice refused who we are;
  /// io: the server has ended it for something that was sent. Both may be told of one connection.
  std::function<void(const Error&)> shut;
};

/// A connection to the servers of a cluster, that comes back by itself when it breaks.
///
/// Settings that matter, and why: what is sent leaves at once (the engine's default of flushing
/// every millisecond would cap a worker at 950 tasks/s), but for bulk(); a server that says
/// nothing, or reads nothing, for 6 s is given up; reconnects are tried every 100 ms. Threads: all
/// members are safe from any thread; the handles as nats.c says, which is the same.
class Connection {
 public:
  /// Errors: as check(); not_found when no server answers; invalid when it refuses us or the
  ///         encryption differs; each says what to do, none holds a secret.
  [[nodiscard]] static Result<Connection> connect(const ClusterOptions& options,
                                                  ConnectionEvents events = {});

  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  /// Closes it. Waits until no event runs any more.
  ~Connection();

  [[nodiscard]] natsConnection* handle() const;
  /// For publishing what is small and not urgent: a second connection, whose messages leave within
  /// a millisecond, together. Before or after those of handle().
  [[nodiscard]] natsConnection* bulk() const;
  /// For publishing so many bytes that are not urgent: bulk(), unless they are so many that sending
  /// them together would only cost a copy.
  [[nodiscard]] natsConnection* way_together(std::size_t bytes) const;
  /// Each call waits for the options' request_timeout at most.
  [[nodiscard]] jsCtx* jetstream() const;
  /// For the `where` of an error.
  [[nodiscard]] const std::string& servers() const;
  /// Signs what is sent, and checks what has come, as the options say.
  [[nodiscard]] const MessageSeal& seal() const;
  /// To be made by a call of nats.c on handle().
  [[nodiscard]] EngineSubscription new_subscription() const;
  /// A new subject for answers, below the options' prefix.
  [[nodiscard]] std::string new_inbox() const;
  /// Of one message, as the server says.
  [[nodiscard]] std::size_t payload_bytes_max() const;
  [[nodiscard]] bool is_connected() const;
  /// What the server is, "2.9.10". Asks it, on a connection of its own, within the options'
  /// connect_timeout. Errors: as of a connection; parse: it does not say it.
  [[nodiscard]] Result<std::string> server_version() const;

  /// Asks the server for JetStream. Errors: unsupported when it has none, or not for us.
  [[nodiscard]] Result<void> require_jetstream() const;

  /// Sends what is buffered and waits for the server's answer. Errors: timeout, the connection's.
  [[nodiscard]] Result<void> flush(Duration timeout) const;

  /// How a call of nats.c failed: "cannot <action>: <the engine's reason>", `where` the servers.
  /// Requires: on the thread of the failed call, before another one.
  [[nodiscard]] Error error(std::string_view action, natsStatus status) const;

 private:
  struct State;
  explicit Connection(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// As Connection::error(), where there is no connection.
[[nodiscard]] Error engine_error(std::string_view action, natsStatus status, std::string where);

}  // namespace artel::cluster
