#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"

namespace artel::cluster {

/// Where the server keeps what waits.
enum class Storage : std::uint8_t {
  file,    ///< survives the server's process; not power loss, unless there are 3 replicas
  memory,  ///< somewhat faster; a restart loses it, and masters issue it again
};

/// How a master's chunks are kept and watched. Everything has a default; check() says what is
/// allowed.
///
/// `storage`, `replicas` and what has `_max` count when the pool's queue does not exist yet:
/// Cluster::remarks() says if it does, with others. `lease` and `tries` are those of the last
/// master that connected.
struct QueueOptions {
  Storage storage = Storage::file;
  unsigned replicas = 1;              ///< 1, or 3 with a cluster of servers
  std::int64_t chunks_max = 100'000;  ///< that may wait at the server, of all masters together
  /// The same in bytes. 0, or more than the server has room for: as many as it has.
  std::int64_t bytes_max = std::int64_t{1} << 30U;
  /// What has waited for so long is dropped by the server, and sent again if its master lives. 0:
  /// never; or 10 min and more.
  Duration age_max = std::chrono::hours(24);
  /// Of dead letters; the oldest ones go first. 0, or more than the server has room for: as many as
  /// it has.
  std::int64_t dead_bytes_max = 100'000'000;
  Duration dead_age_max = std::chrono::hours(24 * 30);  ///< 0: for ever; or 10 min and more
  /// A chunk whose worker says nothing for so long goes to another one. Workers renew it.
  Duration lease = std::chrono::seconds(3);
  unsigned tries = 3;  ///< deliveries of a chunk that fails, or whose worker is lost every time
  /// A chunk that nobody has mentioned for so long is looked up at the server. 0: lease + 1 s
  Duration patience{};
  /// Near the end a chunk that takes this many times longer than usual is issued once more, if
  /// workers are idle; the first result counts. 0: never
  double speculation = 2;
  Duration speculation_min = std::chrono::milliseconds(100);  ///< and at least so long
  /// A policy: every worker has a queue of its own at the server, and this says into which a chunk
  /// goes as soon as one has room. Nothing: all pull from one queue, which is nearly ideal without
  /// any estimate.
  std::optional<dispatch::Policy> dispatch{};
  /// With a policy: chunks of this master at a worker at most, and one more for each of its threads
  /// beyond the first.
  std::uint32_t per_worker = 2;
  /// Only workers that have all these tags get what this master sends (WorkerOptions::tags):
  /// "gpu", "host:lab7".
  std::vector<std::string> needs{};
  /// How long a map waits while no worker is there, or no server. kForever: it does not give up
  Duration worker_timeout = std::chrono::seconds(30);

  static constexpr Duration kLeaseMax = std::chrono::hours(24);  ///< of `lease`
  static constexpr std::uint32_t kTriesMax = 1000;               ///< of `tries`
};

/// The same with every 0 that stands for "as fits" replaced. Errors: the field, the value, the
/// range.
[[nodiscard]] Result<QueueOptions> check(QueueOptions options);

}  // namespace artel::cluster
