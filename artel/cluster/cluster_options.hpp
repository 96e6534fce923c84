#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// Files in PEM format. Any of them set, or a server written "tls://…": TLS is required.
struct TlsFiles {
  std::filesystem::path authority;    ///< whom to trust; empty: what the system trusts
  std::filesystem::path certificate;  ///< ours, with its chain, for servers that ask for one
  std::filesystem::path key;          ///< its private key

  /// Whether one of them is set.
  [[nodiscard]] bool any() const {
    return !authority.empty() || !certificate.empty() || !key.empty();
  }
};

/// Where the cluster is and how to get in. Made by hand or by parse_servers(), checked by check().
///
/// At most one way to log in: user with password, token, credentials or nkey.
struct ClusterOptions {
  std::vector<std::string> servers;  ///< "nats://host:4222", "tls://host"; without user or password
  std::string pool = "artel";        ///< masters and workers of one name belong together
  std::string name = "artel";        ///< of this client, for whoever looks at the server
  std::string user;
  Secret password;
  Secret token;
  std::filesystem::path credentials;  ///< file of `nsc`: JWT and seed
  std::filesystem::path nkey;         ///< file with the seed of a user nkey, "SU…"
  TlsFiles tls;
  std::filesystem::path sign_key;      ///< seed to sign with what is sent: see MessageSeal
  std::filesystem::path trusted_keys;  ///< whose orders, or results, are taken; empty: everybody's
  std::filesystem::path
      master_keys;  ///< if not empty, whose orders alone; `trusted_keys` for the rest
  /// Answers come below this subject. A server can let every role hear its own alone.
  std::string inbox_prefix = "_INBOX";
  Duration connect_timeout = std::chrono::seconds(2);  ///< for each server
  Duration request_timeout = std::chrono::seconds(5);  ///< for each call to JetStream
};

/// "host", "host:port", "nats://host:port", "tls://user:password@host", several after commas.
/// What stands before "@" goes to `user` and `password`, or alone to `token`; %XX is decoded.
/// Errors: invalid, with the address in question and never what stands before its "@".
[[nodiscard]] Result<ClusterOptions> parse_servers(std::string_view text);

/// Whether `text` names a user, password or token, that do not belong on a command line.
[[nodiscard]] bool has_user_part(std::string_view text);

/// Errors: no server, a pool's name that cannot be part of a subject, two ways to log in, a
///         certificate without its key, a file that cannot be read.
[[nodiscard]] Result<void> check(const ClusterOptions& options);

/// The servers after commas, for the `where` of an error.
[[nodiscard]] std::string server_list(const ClusterOptions& options);

}  // namespace artel::cluster
