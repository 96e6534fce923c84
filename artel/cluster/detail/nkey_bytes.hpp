#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

// A user's nkey: an Ed25519 key, written in base32 with prefix bytes before it and a CRC-16 behind.
// The secret half is the seed, "SU…"; the public half "U…".
// Source: github.com/nats-io/nkeys

namespace artel::cluster::detail {

/// Either half.
using NkeyBytes = std::array<std::uint8_t, 32>;

/// Errors: invalid, without the seed, if it is not one, mistyped, or not a user's.
[[nodiscard]] Result<NkeyBytes> read_seed(const Secret& seed);
[[nodiscard]] Secret seed_text(const NkeyBytes& seed);

/// Errors: invalid if it is not a user's public key, or mistyped.
[[nodiscard]] Result<NkeyBytes> read_public_key(std::string_view text);
[[nodiscard]] std::string public_key_text(const NkeyBytes& key);

/// Errors: unsupported: this OpenSSL has no Ed25519.
[[nodiscard]] Result<NkeyBytes> public_key_of(const NkeyBytes& seed);
/// The public half as text. Errors: as read_seed() and public_key_of().
[[nodiscard]] Result<std::string> nkey_of_seed(const Secret& seed);

}  // namespace artel::cluster::detail
