#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "artel/core/error.hpp"

namespace artel::cluster {

/// What a cluster of one server is to be.
struct ClusterFolderOptions {
  std::string pool = "artel";         ///< ClusterOptions::pool of those who use it
  std::string address = "127.0.0.1";  ///< by which the others reach the server: a name or an IP
  std::string listen = "127.0.0.1";   ///< where the server listens; 0.0.0.0: everywhere
  std::uint16_t port = 4222;          ///< where clients connect
};

/// Writes all that a server, its workers and its masters need into a new folder, secrets and all;
/// nobody but its owner can read it:
///
///     server/    server.conf (TLS, a user for each role, JetStream), certificate.pem, key.pem
///     worker/    access, ca.pem, password, sign.key, trusted.keys
///     master/    the same, and masters.keys
///     operator/  access, ca.pem, password, trusted.keys, masters.keys
///
/// add_cluster_worker() adds workers with a user and a key of their own.
/// What a process needs is the folder of its role: `artel worker --cluster FOLDER/worker`, see
/// take_folder(). `nats-server -c server.conf -sd STORE` is to be started in server/. Orders and
/// results are signed; the certificate, good for ten years, is its own authority.
/// Errors: invalid: a name that cannot be a pool's, an address that cannot be in a certificate;
///         io: the folder is there, or cannot be written; nothing of it is left then.
[[nodiscard]] Result<void> make_cluster_folder(const std::filesystem::path& folder,
                                               const ClusterFolderOptions& options);

}  // namespace artel::cluster
