#pragma once

#include <string>
#include <vector>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {

/// A certificate that is its own authority, and its key, both in PEM format.
struct SelfSigned {
  std::string certificate;
  Secret key;
};

/// For a server with these names: of hosts, or IP addresses. P-256; good for ten years.
/// Errors: invalid: a name that cannot be in a certificate; unsupported: this OpenSSL cannot.
[[nodiscard]] Result<SelfSigned> make_self_signed(const std::vector<std::string>& names);

}  // namespace artel::cluster::detail
