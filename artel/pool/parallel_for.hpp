#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "artel/pool/detail/parallel_loop.hpp"

namespace artel::pool {

class Pool;

/// Calls `fn(i)` once for each begin <= i < end, on the workers of the pool, and returns when all
/// have been called.
///
///     parallel_for(pool, 0, image.height(), 0, [&](int y) { blur(image, y); });
///
/// Workers take chunks of `grain` items from a counter, so that one with long items takes fewer. A
/// grain of 0 has each worker measure: it starts with one item, and goes on with as many as take
/// about 20 us. Name a grain where a chunk has a meaning of its own (a cache line, a row), or where
/// neighbours differ by more than a thousandfold. A loop of one chunk is run by one worker.
///
/// A caller in a task of the pool takes part, and returns as soon as the items are done, whether
/// or not others came to help: nested loops cannot wait for each other. Any other caller only
/// waits. The first exception of `fn` is rethrown, once those that run have ended; no further chunk
/// begins then, nor when `stop` is requested: that is a TaskError (cancelled) if items are left.
/// Errors:  TaskError: the pool refuses (closed), or cancels (cancelled) with items left.
/// Cost:    about 0.2 us per chunk; an allocation and a task per worker.
/// Threads: any; `fn` is called by several at once, by reference.
template <std::integral Index, class F>
  requires std::invocable<F&, Index>
void parallel_for(Pool& pool, Index begin, std::type_identity_t<Index> end, std::size_t grain,
                  F&& fn, const std::stop_token& stop = {}) {
  if (begin >= end) return;
  struct Callable {
    Index begin;
    std::remove_reference_t<F>* fn;  ///< the caller's, which waits
  } callable{begin, std::addressof(fn)};
  const auto call = [](void* of, std::uint64_t first, std::uint64_t last) {
    auto& [start, each] = *static_cast<Callable*>(of);
    for (std::uint64_t i = first; i < last; ++i) {
      std::invoke(*each, static_cast<Index>(static_cast<std::uint64_t>(start) + i));
    }
  };
  // Differences of integers of any sign are right in unsigned arithmetic.
  const auto count = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  std::make_shared<detail::ParallelLoop>(pool, detail::ParallelLoop::Items{count, grain}, +call,
                                         &callable, stop)
      ->run();
}

/// The same with `fn(element)` for each element of a range.
template <std::ranges::random_access_range Range, class F>
  requires std::ranges::sized_range<Range> &&
           std::invocable<F&, std::ranges::range_reference_t<Range>>
void parallel_for(Pool& pool, Range&& range, std::size_t grain, F&& fn,
                  const std::stop_token& stop = {}) {
  const auto begin = std::ranges::begin(range);
  using Step = std::iter_difference_t<decltype(begin)>;
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  parallel_for(
      pool, std::size_t{0}, size, grain,
      [&](std::size_t i) { std::invoke(fn, begin[static_cast<Step>(i)]); }, stop);
}

}  // namespace artel::pool
