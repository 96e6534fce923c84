#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {

/// One flag of a command line, for whichever library reads that.
struct FlagSpec {
  std::string names;                                 ///< "--user", "-j,--jobs"
  std::variant<std::string*, std::uint32_t*> value;  ///< what it sets, and the default
  std::string help;
  std::string type;            ///< how help calls the value; empty: as the reader calls numbers
  std::string group;           ///< heading in the help; empty: that of all options
  std::uint32_t most = 0;      ///< of a number, which begins at 1
  bool default_shown = false;  ///< in the help
};

/// What a command line says about a cluster; shared by all commands that use one.
struct ClusterFlags {
  std::string servers;         ///< --cluster: as parse_servers() reads it; empty: none was given
  std::string pool = "artel";  ///< --pool: masters and workers of one name belong together
  std::string user;            ///< --user
  std::string password_file;   ///< --password-file: its first line is the password
  std::string token_file;      ///< --token-file: its first line is the token
  std::string credentials;     ///< --credentials: a file made by `nsc`
  std::string nkey;            ///< --nkey: a file with the seed of a user's nkey
  std::string authority;       ///< --tls-ca: whom to trust (PEM)
  std::string certificate;     ///< --tls-cert: ours (PEM)
  std::string key;             ///< --tls-key: that of `certificate`
  std::string sign_key;        ///< --sign-key: signs what is sent
  std::string trusted_keys;    ///< --trusted-keys: whose signatures are taken
  std::string master_keys;     ///< --master-keys: whose orders are, if not of all of those
  std::string inbox_prefix = ClusterOptions{}.inbox_prefix;

  /// Whether `--cluster local` asks for a server and workers of our own.
  [[nodiscard]] bool local() const { return servers == "local"; }
};

/// --cluster, whose help is `help`, and all that belongs to it. `flags` must live until the command
/// line has been read.
[[nodiscard]] std::vector<FlagSpec> flag_specs(ClusterFlags& flags, const std::string& help);

/// What a command line says about the queues of a master: QueueOptions.
struct QueueFlags {
  std::string policy;  ///< empty: one queue for all
  std::uint32_t per_worker = QueueOptions{}.per_worker;
  std::string needs;  ///< tags, after commas
  std::string lease;  ///< a time; empty: as in QueueOptions
  std::uint32_t tries = QueueOptions{}.tries;
  std::uint32_t replicas = QueueOptions{}.replicas;
  std::string queue_bytes;  ///< empty: as in QueueOptions; "none": without limit
  std::string dead_bytes;   ///< the same
  std::string dead_age;     ///< a time; the same
};

/// --policy, --per-worker, --needs, --lease, --tries, --replicas, --queue-bytes, --dead-bytes and
/// --dead-age. `flags` must live until the command line has been read.
[[nodiscard]] std::vector<FlagSpec> flag_specs(QueueFlags& flags);

/// If --cluster names a folder, with a '/' in it ("./films/master"), takes from the file `access`
/// there what the flags do not say: lines "pool = films", names as of the flags, files seen from
/// the folder. See make_cluster_folder(). Otherwise, and the second time, does nothing.
/// Errors: io; parse, with the line: no such flag.
[[nodiscard]] Result<void> take_folder(ClusterFlags& flags);

/// "gpu,big-memory" as two.
[[nodiscard]] std::vector<std::string> tags_after_commas(std::string_view text);

/// Errors: as dispatch::parse_policy(), parse_duration(), parse_bytes() and check() say; `where` is
/// the flag.
[[nodiscard]] Result<QueueOptions> queue_options(const QueueFlags& flags);

/// The options that the flags, their folder and the environment describe. Secrets come from files
/// or from $ARTEL_CLUSTER_PASSWORD and $ARTEL_CLUSTER_TOKEN, which are gone from the environment
/// then, so that no process which we start gets to see them.
///
/// Errors:  as take_folder(), parse_servers() and check(); invalid for a secret in --cluster
/// itself,
///          which everybody on the machine could see.
/// Threads: before any other one starts.
[[nodiscard]] Result<ClusterOptions> cluster_options(const ClusterFlags& flags);

}  // namespace artel::cluster
