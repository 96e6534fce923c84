#pragma once

#include <concepts>
#include <cstddef>
#include <stop_token>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/parallel/detail/chunk_sizer.hpp"
#include "artel/pool/pool.hpp"

namespace artel::parallel {

/// What map and reduce need to know about whoever runs chunks. Specialise it for a type without
/// these members.
///
/// An executor is given *grants*, each the right to work on one map, a chunk at a time. Somewhere,
/// some time, it calls `grant.run()` once, which works for a while and asks for another grant if
/// there is more to do; that is all for executors within the process. One that sends chunks away
/// calls `take(…)` for a chunk as soon as somebody has time for it, `finish(…)` when the result is
/// there, in any order and on any thread, and then takes again (work_grant.hpp). Chunks are values
/// in memory here; how they travel is the executor's own business. A grant may be destroyed unused.
/// The executor outlives the call, or the lazy range, that it was given to.
template <class E>
struct ExecutorTraits {
  /// Whether grants are run in this process. Then the caller runs chunks as well, while waiting
  /// would be all it has to do, so that the executor may refuse grants, for lack of room or
  /// because it has stopped; and results are written to their places directly where that is
  /// possible.
  static constexpr bool kLocal = [] {
    if constexpr (requires { E::kLocal; }) {
      return E::kLocal;
    } else {
      return true;
    }
  }();

  /// How long an automatic chunk takes: long against what sending one to a worker costs.
  static constexpr Duration kChunkTime = [] {
    if constexpr (requires { E::kChunkTime; }) {
      return E::kChunkTime;
    } else {
      return detail::ChunkSizer::kTarget;
    }
  }();

  /// How many bytes an automatic chunk has on its way, about (ChunkSizer); 0: it stays here.
  static constexpr std::size_t kChunkBytes = [] {
    if constexpr (requires { E::kChunkBytes; }) {
      return E::kChunkBytes;
    } else {
      return std::size_t{0};
    }
  }();

  /// How many chunks can be in work at once; at least 1, the caller's own included.
  static std::size_t width(const E& executor) { return executor.width(); }

  /// Accepts the grant, or destroys it and returns false. Never waits.
  template <class Grant>
  static bool start(E& executor, Grant grant) {
    return executor.start(std::move(grant));
  }

  /// Requested when what has not begun is to end; a run that has items left is cancelled then.
  static std::stop_token stop_token(const E& executor) {
    if constexpr (requires { executor.stop_token(); }) {
      return executor.stop_token();
    } else {
      return {};
    }
  }

  /// Not local: the caller of this run (WorkGrant::run_id) has left, so that nobody wants its
  /// chunks any more. On the caller's thread; grants of the run may still be around.
  static void ended(E& executor, const void* run) {
    if constexpr (requires { executor.ended(run); }) executor.ended(run);
  }
};

/// No workers: the caller does everything, on demand.
struct InlineExecutor {
  /// width(), start(): as Executor asks.
  [[nodiscard]] static std::size_t width() { return 1; }
  template <class Grant>
  static bool start(Grant /*grant*/) {
    return false;
  }
};

/// The workers of a pool. A map called in one of its tasks counts as the work of that worker.
template <>
struct ExecutorTraits<pool::Pool> {
  static constexpr bool kLocal = true;
  static constexpr Duration kChunkTime = detail::ChunkSizer::kTarget;
  static constexpr std::size_t kChunkBytes = 0;

  static std::size_t width(const pool::Pool& pool) { return pool.size(); }
  static std::stop_token stop_token(const pool::Pool& pool) { return pool.stop_token(); }

  template <class Grant>
  static bool start(pool::Pool& pool, Grant grant) {
    const auto admission = pool.try_post([held = std::move(grant)]() mutable { held.run(); });
    return admission == pool::Admission::accepted;
  }
};

/// The least that a grant can do: what an executor within the process may rely on.
struct AnyGrant {
  /// Works on the map until nothing is to do; any thread, once.
  void run() {}
};

/// Whoever can run chunks: a type for which ExecutorTraits has all it needs.
template <class E>
concept Executor = requires(E& executor, AnyGrant grant) {
  { ExecutorTraits<E>::kLocal } -> std::convertible_to<bool>;
  { ExecutorTraits<E>::width(executor) } -> std::convertible_to<std::size_t>;
  { ExecutorTraits<E>::start(executor, std::move(grant)) } -> std::same_as<bool>;
};

static_assert(Executor<InlineExecutor> && Executor<pool::Pool>);

}  // namespace artel::parallel
