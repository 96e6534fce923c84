#pragma once

#include <cstdint>
#include <functional>
#include <typeindex>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim {

/// A message that a Network is about to carry.
class SentMessage {
 public:
  template <class T>
  SentMessage(ComponentId from, ComponentId to, const T& payload)
      : src(from), dst(to), type_(typeid(T)), payload_(&payload) {}

  ComponentId src;  ///< who sends it
  ComponentId dst;  ///< whom it is for

  /// Its payload if that is a T, else nullptr.
  template <class T>
  [[nodiscard]] const T* payload_if() const {
    return type_ == typeid(T) ? static_cast<const T*>(payload_) : nullptr;
  }

 private:
  std::type_index type_;
  const void* payload_;
};

/// What becomes of a message, besides what the network does to all.
struct MessageFate {
  bool lost = false;         ///< it does not arrive, nor do copies
  std::uint32_t copies = 0;  ///< besides the message itself; each takes a latency of its own
  Duration delay{};          ///< in addition
};

/// Decides over each message: drops, doubles or delays those that it chooses. It may keep a state
/// and draw from a stream.
using MessageRule = std::function<MessageFate(const SentMessage& message)>;

}  // namespace artel::sim
