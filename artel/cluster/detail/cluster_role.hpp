#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

// What a cluster's folder has for each user of its server.

namespace artel::cluster::detail {

/// A user of the server: how it logs in, what it signs with and whom it trusts.
struct ClusterRole {
  std::string name;       ///< of the user
  std::string inbox;      ///< subject below which its answers come
  bool signs = false;     ///< the operator signs nothing
  std::string trusted{};  ///< public keys, a line each
  std::string masters{};  ///< the same, of masters alone; empty: all of `trusted`
  Secret password{};
  Secret seed{};
};

/// Draws its password, and its key if it signs. Errors: no randomness.
[[nodiscard]] Result<void> make_secrets(ClusterRole& role);
/// Its public key and name, as a line of a file of trusted keys. Requires: it signs.
[[nodiscard]] std::string trusted_line(const ClusterRole& role);
/// What the server's configuration says of a worker: what it may do, no more.
[[nodiscard]] std::string worker_user(const ClusterRole& worker, std::string_view pool,
                                      std::string_view password);
/// Writes a new folder with all that a process of this role needs; `server` is "tls://…".
/// Errors: io.
[[nodiscard]] Result<void> write_role(const std::filesystem::path& folder, const ClusterRole& role,
                                      std::string_view server, std::string_view pool,
                                      const std::string& authority);

/// A new folder for its owner alone. Errors: io: it is there, or cannot be made.
[[nodiscard]] Result<void> make_private_folder(const std::filesystem::path& path);
/// A file for its owner alone, in the place of an older one. Errors: io.
[[nodiscard]] Result<void> write_private(const std::filesystem::path& path, std::string_view text);
/// The text with `by` wherever it had `what`.
[[nodiscard]] std::string replaced(std::string text, std::string_view what, std::string_view by);

}  // namespace artel::cluster::detail
