#pragma once

#include <nats/nats.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// A message of the engine.
using Message = EngineHandle<natsMsg>;

/// The bytes of a message, as long as it lives.
[[nodiscard]] std::string_view payload_of(const Message& message);
[[nodiscard]] std::string_view subject_of(const Message& message);
/// Where an answer is wanted; empty: nowhere.
[[nodiscard]] std::string_view reply_of(const Message& message);

/// What becomes of a message that a consumer has delivered, with its reply subject: "+ACK", "-NAK",
/// … That it is acknowledged leaves with the bulk: see Connection::bulk().
void tell_server(const Connection& connection, const std::string& ack, const std::string& what);

/// Messages of a subject, one at a time, on a thread of the engine, for as long as this lives and
/// through reconnects.
class Subscription {
 public:
  using Handler = std::function<void(Message)>;

  /// Errors: a refused subject, a closed connection.
  /// `calm` is called after a message that no other follows at once.
  [[nodiscard]] static Result<Subscription> open(const Connection& connection,
                                                 const std::string& subject, Handler handler,
                                                 std::function<void()> calm = {});
  Subscription(Subscription&&) noexcept;
  Subscription& operator=(Subscription&&) noexcept;
  /// Waits until the handler is not running any more. Not inside of it.
  ~Subscription();

 private:
  struct State;
  explicit Subscription(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace artel::cluster::detail
