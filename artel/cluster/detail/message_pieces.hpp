#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/bytes_of.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// The most bytes that a message may have that travels in pieces.
inline constexpr std::size_t kPiecedMax = std::size_t{256} << 20U;

/// Of a message, at most in each of them.
inline constexpr std::size_t kPartMax = std::size_t{1} << 20U;

/// Puts messages together again that the server would not take whole.
///
/// A piece is the byte 0xc7, with which no other message begins; a random number, the message's
/// name; its own number and how many there are (bytes_of()); and its part of the message. Whoever
/// sends one waits for an answer before the next (send_in_pieces), so those of a message come in
/// order, and a receiver has as much of each sender in its buffers as one piece. What comes out of
/// order, is too large, or is not gone on with for kPatience is forgotten. Threads: one at a time.
class MessagePieces {
 public:
  static constexpr std::size_t kHead = 1 + 3 * kNumberBytes;  ///< bytes before the part
  static constexpr Duration kPatience = std::chrono::minutes(1);

  /// `most`: bytes of all messages together that are not whole yet.
  explicit MessagePieces(std::size_t most = 4 * kPiecedMax) : most_(most) {}

  [[nodiscard]] static bool is_piece(std::string_view bytes) { return bytes.starts_with('\xc7'); }
  /// Piece `number` of `count`.
  [[nodiscard]] static std::string piece(std::uint64_t name, std::uint64_t number,
                                         std::uint64_t count, std::string_view part);

  struct Taken {
    bool taken = false;                  ///< false: the sender is to give up
    std::optional<std::string> whole{};  ///< the message that this was the last piece of
  };
  [[nodiscard]] Taken take(std::string_view piece, Instant now);

 private:
  struct Begun {
    std::uint64_t next = 0;
    std::uint64_t count = 0;
    std::string bytes;
    Instant at{};
  };

  void forget(std::map<std::uint64_t, Begun>::iterator message);

  const std::size_t most_;
  std::map<std::uint64_t, Begun> begun_;  // by name
  std::size_t bytes_ = 0;                 // of all of them
};

/// Sends a message that is larger than the server takes, each piece signed if others are. Waits for
/// the receiver's word on every piece. Errors: the connection's; not_found: nobody is there any
/// more who wants it.
[[nodiscard]] Result<void> send_in_pieces(const Connection& connection, const std::string& subject,
                                          std::string_view message);

/// Whether a message that has come is one, signed or not.
[[nodiscard]] bool is_piece(const Message& message);

/// Takes a piece that has come, and answers it. The message that is whole now; nothing: more is to
/// come. Errors: as MessageSeal::open(): of somebody who is not trusted nothing is kept.
[[nodiscard]] Result<std::optional<std::string>> receive_piece(const Connection& connection,
                                                               MessagePieces& pieces,
                                                               const Message& message);

}  // namespace artel::cluster::detail
