#pragma once

#include <nats/nats.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "artel/cluster/connection.hpp"
#include "artel/error/error.hpp"

namespace artel::cluster {

struct MessageDeleter {
  void operator()(natsMsg* message) const { natsMsg_Destroy(message); }
};
/// A message of the engine.
using Message = std::unique_ptr<natsMsg, MessageDeleter>;

/// The bytes of a message, as long as it lives.
[[nodiscard]] std::string_view payload_of(const Message& message);
[[nodiscard]] std::string_view subject_of(const Message& message);
/// Where an answer is wanted; empty: nowhere.
[[nodiscard]] std::string_view reply_of(const Message& message);

/// A subject of its own, for answers: "_INBOX.…".
[[nodiscard]] std::string new_inbox();

/// Messages of a subject, one at a time, on a thread of the engine, for as long as this lives and
/// through reconnects.
class Subscription {
 public:
  using Handler = std::function<void(Message)>;

  /// Errors: a refused subject, a closed connection.
  [[nodiscard]] static Result<Subscription> open(const Connection& connection,
                                                 const std::string& subject, Handler handler);
  Subscription(Subscription&&) noexcept;
  Subscription& operator=(Subscription&&) noexcept;
  /// Waits until the handler is not running any more. Not inside of it.
  ~Subscription();

 private:
  struct State;
  explicit Subscription(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace artel::cluster
