#pragma once

#include <filesystem>
#include <string>

#include "artel/core/error.hpp"

namespace artel::cluster {

/// Adds a worker with a user, an inbox and a key of its own to a folder of make_cluster_folder():
/// so it can be revoked alone, and reads nobody's orders but its own. Its folder, with the same
/// files as `worker/`, is FOLDER/workers/NAME; its user is `worker-NAME`. Its public key is added
/// to `master/trusted.keys` and `operator/trusted.keys`; an older folder gets the latter.
///
/// The server has to read its configuration once more (SIGHUP); who is connected stays so. Masters
/// and operators elsewhere need the new trusted.keys.
/// Errors: invalid: the name is no token of at most 40 bytes, or there is such a worker; the
/// server's
///         configuration is not as it was written; io: a file cannot be read or written.
[[nodiscard]] Result<std::filesystem::path> add_cluster_worker(const std::filesystem::path& folder,
                                                               const std::string& name);

/// Takes the user and the key of one worker away, and its folder: one that add_cluster_worker() has
/// added, or `worker`, the one that make_cluster_folder() makes.
///
/// The server has to read its configuration once more, which ends that worker's connection and
/// nobody else's. A master that is at work trusts the key until it ends.
/// Errors: not_found: there is no such worker; others as above.
[[nodiscard]] Result<void> revoke_cluster_worker(const std::filesystem::path& folder,
                                                 const std::string& name);

}  // namespace artel::cluster
