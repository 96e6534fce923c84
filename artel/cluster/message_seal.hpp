#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// What a message is. A signature for one kind is none for another.
enum class SealedKind : std::uint8_t {
  order,   ///< ChunkOrder
  call,    ///< QueueCall
  result,  ///< ChunkResult
  report,  ///< WorkerReport
  piece,   ///< a part of a large result
  beacon,  ///< BeaconRequest
  answer,  ///< BeaconAnswer
  letter   ///< DeadLetter, with an order in it that has a seal of its own
};

/// Signs what a process sends, and checks who has signed what it gets: Ed25519, with nkeys.
///
/// A sealed message is the byte 0xc1, with which no other begins, the sender's public key, the
/// signature, and the message. The signature is of the kind, the pool and the message, so it is
/// worth nothing in another pool. It says who has sent something, not when: what somebody has
/// recorded, he may send again.
/// Cost:    about 30 us to sign, 100 us to check, kOverhead bytes.
/// Threads: const, safe from any thread.
class MessageSeal {
 public:
  static constexpr std::size_t kOverhead = 1 + 32 + 64;  ///< bytes

  /// Whose keys are used.
  struct Files {
    std::filesystem::path key;      ///< the seed to sign with, "SU…"; empty: nothing is signed
    std::filesystem::path trusted;  ///< public keys, "U…", a line each; empty: all is taken
    /// The same, of those whose orders, calls and beacons are taken; empty: those in `trusted`.
    /// Dead letters are taken of either.
    std::filesystem::path masters;
  };
  /// Neither signs nor checks.
  MessageSeal() = default;
  /// Errors: io; invalid: not a key, with the file and line.
  [[nodiscard]] static Result<MessageSeal> open(const Files& files, std::string_view pool);

  /// Whether what is sent is signed.
  [[nodiscard]] bool signs() const { return key_ != nullptr; }
  /// Whether what is not signed is refused.
  [[nodiscard]] bool demands() const { return trusted_ != nullptr || masters_ != nullptr; }

  /// The message as it travels.
  [[nodiscard]] std::string close(SealedKind kind, std::string message) const;
  /// The message that has come. Errors: invalid: it is not signed by one of those trusted.
  [[nodiscard]] Result<std::string_view> open(SealedKind kind, std::string_view bytes) const;
  /// Whether we have signed it ourselves.
  [[nodiscard]] bool is_ours(SealedKind kind, std::string_view bytes) const;
  /// The message, whoever has signed it or not.
  [[nodiscard]] static std::string_view content(std::string_view bytes);

 private:
  struct Key;
  struct Trusted;

  std::string context(SealedKind kind, std::string_view message) const;

  std::string pool_;
  std::shared_ptr<const Key> key_;
  std::shared_ptr<const Trusted> trusted_;
  std::shared_ptr<const Trusted> masters_;
};

/// A new key: its seed. Errors: unsupported: this OpenSSL has no Ed25519.
[[nodiscard]] Result<Secret> make_seed();
/// Whose public half that is, "U…". Errors: invalid.
[[nodiscard]] Result<std::string> public_key_of(const Secret& seed);

}  // namespace artel::cluster
