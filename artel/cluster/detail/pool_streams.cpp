#include "artel/cluster/detail/pool_streams.hpp"

#include <fmt/core.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {
namespace {

constexpr Duration kDuplicateWindow = std::chrono::minutes(2);
constexpr std::int64_t kDeadLettersMax = 10'000;

jsStorageType storage_of(const QueueOptions& options) {
  return options.storage == Storage::file ? js_FileStorage : js_MemoryStorage;
}

// Streams reserve their limit.
bool lacks_room(jsErrCode detail) {
  return detail == JSStorageResourcesExceededErr || detail == JSMemoryResourcesExceededErr ||
         detail == JSInsufficientResourcesErr || detail == JSAccountResourcesExceededErr ||
         detail == JSClusterNoPeersErr;
}

}  // namespace

// "already there, with other settings": those of whoever came first hold.
Result<void> PoolStreams::add(jsStreamConfig& config) const {
  jsErrCode detail{};
  natsStatus status = js_AddStream(nullptr, connection_.jetstream(), &config, nullptr, &detail);
  if (lacks_room(detail) && config.MaxBytes > 0) {
    config.MaxBytes = -1;
    status = js_AddStream(nullptr, connection_.jetstream(), &config, nullptr, &detail);
  }
  if (status == NATS_OK || detail == JSStreamNameExistErr) return {};
  return tl::unexpected(connection_.error(fmt::format("make stream {}", config.Name), status));
}

Result<void> PoolStreams::make() const {
  // First, as it reserves less: where the queue reserves all that the server has, no other stream
  // can be made.
  const std::string dead_stream = subjects_.dead_stream();
  const std::string letters = subjects_.dead_letters();
  const std::string given_up = subjects_.given_up();
  const char* dead_subjects[] = {letters.c_str(), given_up.c_str()};
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = dead_stream.c_str();
  config.Subjects = dead_subjects;
  config.SubjectsLen = 2;
  config.MaxMsgs = kDeadLettersMax;
  if (options_.dead_bytes_max > 0) config.MaxBytes = options_.dead_bytes_max;
  config.MaxAge = options_.dead_age_max.count();
  config.Storage = storage_of(options_);
  config.Replicas = options_.replicas;
  if (auto added = add(config); !added) return added;

  const std::string stream = subjects_.stream();
  const std::string tasks = subjects_.tasks();
  const char* task_subjects[] = {tasks.c_str()};
  jsStreamConfig_Init(&config);
  config.Name = stream.c_str();
  config.Subjects = task_subjects;
  config.SubjectsLen = 1;
  config.Retention = js_WorkQueuePolicy;
  config.Discard = js_DiscardNew;
  config.MaxMsgs = options_.chunks_max;
  if (options_.bytes_max > 0) config.MaxBytes = options_.bytes_max;
  config.MaxAge = options_.age_max.count();
  config.Storage = storage_of(options_);
  config.Replicas = options_.replicas;
  config.Duplicates = kDuplicateWindow.count();
  return add(config);
}

Result<std::vector<std::string>> PoolStreams::differences() const {
  EngineHandle<jsStreamInfo> info;
  EngineHandle<jsStreamInfo> dead_info;
  jsErrCode detail{};
  natsStatus status = js_GetStreamInfo(OutHandle(info), connection_.jetstream(),
                                       subjects_.stream().c_str(), nullptr, &detail);
  if (status == NATS_OK) {
    status = js_GetStreamInfo(OutHandle(dead_info), connection_.jetstream(),
                              subjects_.dead_stream().c_str(), nullptr, &detail);
  }
  if (status != NATS_OK) return tl::unexpected(connection_.error("see the queue", status));
  const jsStreamConfig& there = *info->Config;
  const jsStreamConfig& dead = *dead_info->Config;
  std::vector<std::string> found;
  const auto compare = [&](bool same, std::string_view what, auto is, auto wanted) {
    if (same) return;
    found.push_back(
        fmt::format("the queue of pool '{}' was made with other settings: {} is {}, not {}",
                    subjects_.pool(), what, is, wanted));
  };
  const auto count = [](std::int64_t most) {
    return most > 0 ? std::to_string(most) : std::string("without limit");
  };
  const auto time = [](std::int64_t ns) {
    return ns > 0 ? format_duration(Duration(ns)) : std::string("without limit");
  };
  const auto name = [](jsStorageType storage) {
    return storage == js_FileStorage ? "file" : "memory";
  };
  const jsStorageType storage = storage_of(options_);
  compare(there.Storage == storage, "storage", name(there.Storage), name(storage));
  compare(there.Replicas == options_.replicas, "replicas", there.Replicas, options_.replicas);
  compare(there.MaxMsgs == options_.chunks_max, "chunks_max", count(there.MaxMsgs),
          options_.chunks_max);
  const auto compare_limits = [&](const jsStreamConfig& is, std::string_view of, std::int64_t bytes,
                                  Duration age) {
    compare(std::max<std::int64_t>(is.MaxBytes, 0) == bytes, fmt::format("{}bytes_max", of),
            count(is.MaxBytes), count(bytes));
    compare(is.MaxAge == age.count(), fmt::format("{}age_max", of), time(is.MaxAge),
            time(age.count()));
  };
  compare_limits(there, "", options_.bytes_max, options_.age_max);
  compare_limits(dead, "dead_", options_.dead_bytes_max, options_.dead_age_max);
  return found;
}

}  // namespace artel::cluster::detail
