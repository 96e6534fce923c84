#include "artel/service/pool_registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <tl/expected.hpp>
#include <typeindex>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/pool/pool.hpp"

namespace artel::service {

std::vector<PoolRegistry::Entry>::const_iterator PoolRegistry::position(
    std::string_view name) const {
  return std::find_if(entries_.begin(), entries_.end(),
                      [name](const Entry& entry) { return entry.name == name; });
}

Error PoolRegistry::unknown(std::string_view name) const {
  if (entries_.empty()) {
    return {ErrorCode::not_found, fmt::format("unknown pool '{}'; there are none", name), ""};
  }
  std::vector<std::string_view> names;
  names.reserve(entries_.size());
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return {ErrorCode::not_found, unknown_name("pool", name, names), ""};
}

Result<void> PoolRegistry::check_free(std::string_view name) const {
  const std::lock_guard lock(lock_);
  return is_free(name);
}

Result<void> PoolRegistry::is_free(std::string_view name) const {
  if (position(name) == entries_.end()) return {};
  return fail(ErrorCode::invalid,
              fmt::format("there is a pool '{}' already; give this one another name, or remove "
                          "that one first",
                          name));
}

Result<void> PoolRegistry::add_entry(Entry entry) {
  const std::lock_guard lock(lock_);
  if (auto checked = is_free(entry.name); !checked) return checked;
  entries_.push_back(std::move(entry));
  return {};
}

Result<std::shared_ptr<void>> PoolRegistry::find_entry(std::string_view name,
                                                       std::type_index kind) const {
  const std::lock_guard lock(lock_);
  const auto found = position(name);
  if (found == entries_.end()) return tl::unexpected<Error>(unknown(name));
  if (found->kind != kind) {
    return fail(ErrorCode::invalid,
                fmt::format("'{}' is a {}; find it as what it was made as", name,
                            found->service ? "ServicePool, maybe of other workers" : "Pool"));
  }
  return found->pool;
}

Result<void> PoolRegistry::remove(std::string_view name, pool::StopMode mode) {
  std::vector<Entry> removed;
  {
    const std::lock_guard lock(lock_);
    const auto found = position(name);
    if (found == entries_.end()) return tl::unexpected<Error>(unknown(name));
    const auto at = entries_.begin() + (found - entries_.cbegin());
    removed.push_back(std::move(*at));
    entries_.erase(at);
  }
  removed.front().stop(mode);
  return {};
}

std::vector<PoolRegistry::Listed> PoolRegistry::list() const {
  std::vector<Entry> entries;
  {
    const std::lock_guard lock(lock_);
    entries = entries_;
  }
  std::vector<Listed> listed;
  listed.reserve(entries.size());
  for (const Entry& entry : entries) {
    listed.push_back({.name = entry.name, .service = entry.service, .stats = entry.stats()});
  }
  return listed;
}

std::size_t PoolRegistry::size() const {
  const std::lock_guard lock(lock_);
  return entries_.size();
}

void PoolRegistry::stop_all(pool::StopMode mode) {
  std::vector<Entry> entries;
  {
    const std::lock_guard lock(lock_);
    entries.swap(entries_);
  }
  for (; !entries.empty(); entries.pop_back()) entries.back().stop(mode);
}

}  // namespace artel::service
