#pragma once

#include <string>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// The public half ("U…") of a user's nkey, from its seed ("SU…").
///
/// Both are base32 of prefix bytes, an Ed25519 key and a CRC-16.
/// Errors: invalid, without the seed, if it is not one, mistyped, or not a user's.
/// Source: github.com/nats-io/nkeys
[[nodiscard]] Result<std::string> nkey_of_seed(const Secret& seed);

}  // namespace artel::cluster::detail
