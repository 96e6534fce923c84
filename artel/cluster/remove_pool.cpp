#include "artel/cluster/remove_pool.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/clear_after_dead_masters.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"

namespace artel::cluster {
namespace {

// Messages in a stream but those of some subjects; nothing: it is not there.
Result<std::optional<std::uint64_t>> size_of(const Connection& connection,
                                             const std::string& stream, const std::string& but) {
  jsErrCode detail{};
  EngineHandle<jsStreamInfo> info;
  jsOptions options;
  jsOptions_Init(&options);
  options.Stream.Info.SubjectsFilter = but.c_str();
  const natsStatus status =
      js_GetStreamInfo(OutHandle(info), connection.jetstream(), stream.c_str(), &options, &detail);
  if (status == NATS_NOT_FOUND) return std::optional<std::uint64_t>();
  if (status != NATS_OK) return tl::unexpected(connection.error("look at " + stream, status));
  std::uint64_t count = info->State.Msgs;
  const auto* const all = info->State.Subjects;
  for (int i = 0; all != nullptr && i < all->Count; ++i)
    count -= std::min<std::uint64_t>(count, all->List[i].Msgs);
  return std::optional(count);
}

Result<void> remove(const Connection& connection, const std::string& stream) {
  jsErrCode detail{};
  const natsStatus status =
      js_DeleteStream(connection.jetstream(), stream.c_str(), nullptr, &detail);
  if (status == NATS_OK || status == NATS_NOT_FOUND) return {};
  return tl::unexpected(connection.error("remove " + stream, status));
}

}  // namespace

Result<std::uint64_t> remove_unwanted_chunks(const ClusterOptions& options) {
  const auto connection = Connection::connect(options);
  if (!connection) return fail(connection);
  return detail::clear_after_dead_masters(*connection, Subjects(options.pool));
}

Result<RemovedPool> remove_pool(const Connection& connection, const std::string& pool,
                                WhatWaits what_waits) {
  const Subjects subjects(pool);
  // Should that fail, it counts as waiting.
  if (what_waits == WhatWaits::keep)
    static_cast<void>(detail::clear_after_dead_masters(connection, subjects));
  const auto chunks = size_of(connection, subjects.stream(), subjects.beacon("*"));
  if (!chunks) return fail(chunks);
  const auto dead = size_of(connection, subjects.dead_stream(), "none");
  if (!dead) return fail(dead);
  if (!*chunks && !*dead) {
    return fail(ErrorCode::not_found, fmt::format("there is no pool '{}'", pool),
                connection.servers());
  }
  const RemovedPool found{.chunks = chunks->value_or(0), .dead_letters = dead->value_or(0)};
  if (what_waits == WhatWaits::keep && found.chunks + found.dead_letters > 0) {
    return fail(ErrorCode::full,
                fmt::format("pool '{}' still has {} and {}", pool, how_many(found.chunks, "chunk"),
                            how_many(found.dead_letters, "dead letter")),
                connection.servers());
  }
  for (const std::string& stream : {subjects.stream(), subjects.dead_stream()}) {
    if (auto removed = remove(connection, stream); !removed) return fail(removed);
  }
  return found;
}

}  // namespace artel::cluster
