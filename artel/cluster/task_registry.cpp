#include "artel/cluster/task_registry.hpp"

#include <cxxabi.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <typeinfo>
#include <utility>
#include <vector>

#include "artel/cluster/detail/codec.hpp"
#include "artel/cluster/protocol.hpp"
#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/require.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::cluster {
namespace {

// The type of the exception being handled, as in the source.
std::string current_exception_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "unknown";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : type->name();
}

std::string current_exception_what() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (const std::string& text) {
    return text;
  } catch (const char* text) {
    return text;
  } catch (...) {
    return "an exception without a text";
  }
}

void work(const TaskRegistry& registry, const ChunkOrder& order, ItemRun& run) {
  const auto refuse = [&](const Error& error) {
    run.note_unreadable(0, error);
    return;
  };
  std::string mapped;
  if (order.map) {
    const auto entry = registry.find(*order.map);
    if (!entry) return refuse(entry.error());
    if (entry->map == nullptr) {
      return refuse({ErrorCode::unsupported,
                     fmt::format("task '{}' does not take one item", order.map->name), ""});
    }
    entry->map(run);
    if (!order.fold || run.unreadable || !run.problems.empty()) return;
    mapped.swap(run.output);
    run.items = detail::Decoder(mapped);
  }
  if (!order.fold) {
    if (!order.map) refuse({ErrorCode::invalid, "the order names no task", ""});
    return;
  }
  const auto entry = registry.find(*order.fold);
  if (!entry) return refuse(entry.error());
  if (entry->fold == nullptr) {
    return refuse({ErrorCode::unsupported,
                   fmt::format("task '{}' does not take a sum and an item", order.fold->name), ""});
  }
  entry->fold(run, order.init);
}

}  // namespace

void ItemRun::note_failure(std::uint32_t i, std::uint32_t attempts) {
  problems.push_back({first + i, attempts, current_exception_type(), current_exception_what()});
}

void ItemRun::note_unreadable(std::uint32_t i, const Error& error) {
  unreadable = true;
  problems.push_back({first + i, 0, "", to_string(error)});
}

TaskRegistry& TaskRegistry::linked() {
  static TaskRegistry registry;
  return registry;
}

void TaskRegistry::add(const Entry& entry) {
  const std::lock_guard guard(lock_);
  const bool added = entries_.emplace(entry.key.name, entry).second;
  ARTEL_REQUIRE(added, "every task has a name of its own", entry.key.name);
}

Result<TaskRegistry::Entry> TaskRegistry::find(const TaskKey& key) const {
  {
    const std::lock_guard guard(lock_);
    const auto at = entries_.find(key.name);
    if (at != entries_.end() && at->second.key == key) return at->second;
  }
  return fail(check_known(catalogue(), key));
}

std::vector<TaskKey> TaskRegistry::catalogue() const {
  const std::lock_guard guard(lock_);
  std::vector<TaskKey> keys;
  keys.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) keys.push_back(entry.key);
  return keys;
}

Result<void> check_known(std::span<const TaskKey> known, const TaskKey& wanted) {
  const auto same_name = std::ranges::find(known, wanted.name, &TaskKey::name);
  if (same_name == known.end()) {
    std::vector<std::string_view> names;
    names.reserve(known.size());
    for (const TaskKey& key : known) names.push_back(key.name);
    return fail(ErrorCode::not_found, unknown_name("task", wanted.name, names));
  }
  if (same_name->version != wanted.version) {
    return fail(ErrorCode::unsupported,
                fmt::format("task '{}' has version {} there, version {} is "
                            "wanted: build master and workers alike",
                            wanted.name, same_name->version, wanted.version));
  }
  if (same_name->signature != wanted.signature) {
    return fail(ErrorCode::unsupported,
                fmt::format("task '{}' takes or returns other types there: build master and "
                            "workers alike, and raise the task's version with such a change",
                            wanted.name));
  }
  return {};
}

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

ChunkResult run_chunk(const TaskRegistry& registry, const ChunkOrder& order) {
  ItemRun run{.items = detail::Decoder(order.items),
              .kind = order.kind,
              .first = order.first,
              .count = order.count,
              .retries = order.retries,
              .output = {},
              .problems = {}};
  const auto begun = steady_now();
  work(registry, order, run);
  ChunkResult result;
  result.job = order.job;
  result.index = order.index;
  result.epoch = order.epoch;
  result.worked = steady_now() - begun;
  result.count = run.done;
  result.output = std::move(run.output);
  result.problems = std::move(run.problems);
  if (run.unreadable) {
    result.outcome = ChunkOutcome::refused;
  } else if (!result.problems.empty() && order.kind != ChunkKind::collect) {
    result.outcome = ChunkOutcome::failed;
  }
  return result;
}

}  // namespace artel::cluster
