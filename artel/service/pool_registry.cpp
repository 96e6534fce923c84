#include "artel/service/pool_registry.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>
#include <typeindex>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/pool/pool.hpp"

namespace artel::service {
namespace {

tl::unexpected<Error> taken(std::string_view name) {
  return fail(ErrorCode::invalid,
              fmt::format("there is a pool '{}' already; give this one another name, or remove "
                          "that one first",
                          name));
}

}  // namespace

Result<std::size_t> PoolRegistry::position(std::string_view name) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].name == name) return i;
  }
  if (entries_.empty()) {
    return fail(ErrorCode::not_found, fmt::format("unknown pool '{}'; there are none", name));
  }
  std::vector<std::string_view> names;
  names.reserve(entries_.size());
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return fail(ErrorCode::not_found, unknown_name("pool", name, names));
}

Result<void> PoolRegistry::check_free(std::string_view name) const {
  const std::lock_guard lock(lock_);
  if (position(name)) return taken(name);
  return {};
}

Result<void> PoolRegistry::insert(Entry entry) {
  const std::lock_guard lock(lock_);
  if (position(entry.name)) return taken(entry.name);
  entries_.push_back(std::move(entry));
  return {};
}

Result<std::shared_ptr<void>> PoolRegistry::find_kind(std::string_view name,
                                                      std::type_index kind) const {
  const std::lock_guard lock(lock_);
  const auto at = position(name);
  if (!at) return fail(at);
  const Entry& found = entries_[*at];
  if (found.kind == kind) return found.pool;
  return fail(ErrorCode::invalid,
              fmt::format("'{}' is a {}; find it as what it was made as", name,
                          found.service() ? "ServicePool, maybe of other workers" : "Pool"));
}

Result<void> PoolRegistry::remove(std::string_view name, pool::StopMode mode) {
  std::optional<Entry> removed;
  {
    const std::lock_guard lock(lock_);
    const auto at = position(name);
    if (!at) return fail(at);
    removed = std::move(entries_[*at]);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(*at));
  }
  removed->stop(mode);
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
    listed.push_back({.name = entry.name, .service = entry.service(), .stats = entry.stats()});
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
