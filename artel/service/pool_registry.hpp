#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/pool_stats.hpp"
#include "artel/service/service_options.hpp"

namespace artel::service {

/// Any number of pools by name: Pools and ServicePools (service_pool.hpp) of any kind.
///
///     PoolRegistry pools;
///     pools.make<Pool>({.name = "io", .workers = 2});
///     pools.make<ServicePool<Lookup>>({.pool = {.name = "lookup"}}, "/var/lib/rows");
///     if (auto lookup = pools.find<ServicePool<Lookup>>("lookup")) (*lookup)->cast(Forget{7});
///
/// The name of a pool is that of its options. Whoever found a pool keeps it in memory, but not at
/// work: remove() and the end of the registry stop it, and then it refuses. The last holder
/// destroys it, which must not happen on a thread of its own.
/// Order:   pools are stopped one after the other, those added last first, so that a pool may use
///          those that were there before it.
/// Cost:    a lock, and O(number of pools).
/// Threads: any, destroying apart. Pools are made and stopped outside of the lock.
class PoolRegistry {
 public:
  /// A pool in the list.
  struct Listed {
    std::string name;
    bool service = false;  ///< a ServicePool
    pool::PoolStats stats;
  };

  PoolRegistry() = default;
  PoolRegistry(const PoolRegistry&) = delete;
  PoolRegistry& operator=(const PoolRegistry&) = delete;
  ~PoolRegistry() { stop_all(); }

  /// Makes a pool as P::create(options, args…) does, and adds it. Errors: also as add().
  template <class P, class... Args>
  Result<std::shared_ptr<P>> make(typename P::Options options, Args&&... args) {
    if (auto free = check_free(name_of(options)); !free) return fail(free);
    auto made = P::create(std::move(options), std::forward<Args>(args)...);
    if (!made) return fail(made);
    return add(std::shared_ptr<P>(std::move(*made)));
  }

  /// Errors: the name is taken (then the pool stays as it is, with whoever else has it).
  template <class P>
  Result<std::shared_ptr<P>> add(std::shared_ptr<P> pool) {
    P* const raw = pool.get();
    auto added = insert({.name = name_of(raw->options()),
                         .kind = typeid(P),
                         .pool = pool,
                         .stop = [raw](pool::StopMode mode) { raw->stop(mode); },
                         .stats =
                             [raw] {
                               if constexpr (std::is_same_v<P, pool::Pool>) {
                                 return raw->stats();
                               } else {
                                 return raw->stats().pool;
                               }
                             }});
    if (!added) return fail(added);
    return pool;
  }

  /// Errors: unknown name (with the nearest and all there are), a pool of another kind.
  template <class P = pool::Pool>
  [[nodiscard]] Result<std::shared_ptr<P>> find(std::string_view name) const {
    auto found = find_kind(name, typeid(P));
    if (!found) return fail(found);
    return std::static_pointer_cast<P>(std::move(*found));
  }

  /// Takes the pool out and stops it. Errors: unknown name. Not from a task of that pool, if nobody
  /// else holds it.
  [[nodiscard]] Result<void> remove(std::string_view name,
                                    pool::StopMode mode = pool::StopMode::drain);

  /// All pools in the order in which they were added.
  [[nodiscard]] std::vector<Listed> list() const;
  [[nodiscard]] std::size_t size() const;

  /// Takes all pools out, and stops them.
  void stop_all(pool::StopMode mode = pool::StopMode::drain);

 private:
  struct Entry {
    std::string name;
    std::type_index kind;
    std::shared_ptr<void> pool;
    std::function<void(pool::StopMode)> stop;
    std::function<pool::PoolStats()> stats;

    [[nodiscard]] bool service() const { return kind != typeid(pool::Pool); }
  };

  static const std::string& name_of(const pool::PoolOptions& options) { return options.name; }
  static const std::string& name_of(const ServiceOptions& options) { return options.pool.name; }

  [[nodiscard]] Result<void> check_free(std::string_view name) const;
  Result<void> insert(Entry entry);
  [[nodiscard]] Result<std::shared_ptr<void>> find_kind(std::string_view name,
                                                        std::type_index kind) const;
  // With the lock held; an Error if there is none of that name.
  [[nodiscard]] Result<std::size_t> position(std::string_view name) const;

  mutable std::mutex lock_;
  std::vector<Entry> entries_;  // in the order in which they were added
};

}  // namespace artel::service
