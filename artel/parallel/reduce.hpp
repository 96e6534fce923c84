#pragma once

#include <concepts>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "artel/parallel/detail/make_run.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/fold_body.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/parallel/seeds.hpp"

namespace artel::parallel {

/// Maps every item by `map_fn`, and folds the results: `fold(sum, mapped)` within a chunk, from
/// `seeds.chunk_init`; `combine(sum, sum_of_chunk)` over the chunks in order, from `seeds.init`.
///
/// A source that is no longer than one chunk is folded from `init`; an empty one gives `init`. So
/// the result depends on how chunks are cut unless `chunk_init` is neutral and `combine` says of
/// two sums what `fold` would have said of the items; it need not be commutative. Everything else
/// is as with map; retries are for `map_fn`.
/// Memory:  the sums of MapOptions::window chunks at most wait for one before them.
/// Threads: `map_fn` and `fold` are called by several threads at once, `combine` by the caller.
template <Executor E, std::ranges::input_range Range, class Sum, class Map, class Fold,
          std::invocable<Sum, Sum> Combine>
[[nodiscard]] auto map_reduce(E& executor, Range&& range, Seeds<Sum> seeds, Map&& map_fn,
                              Fold&& fold, Combine combine, const MapOptions& options = {}) {
  using Body = FoldBody<Sum, std::decay_t<Map>, std::decay_t<Fold>, detail::ItemsOf<Range>>;
  auto source = detail::source_of(std::forward<Range>(range), options);
  Sum sum = seeds.init;
  Body body(std::move(seeds), std::forward<Map>(map_fn), std::forward<Fold>(fold), options);
  const auto run = detail::make_run(executor, std::move(source), std::move(body),
                                    {.window = detail::window_of(executor, options)}, options);
  detail::finish_run(*run, [&](auto chunk) {
    if (!chunk) return;
    sum = run->only_chunk() ? std::move(*chunk)
                            : std::invoke(combine, std::move(sum), std::move(*chunk));
  });
  return sum;
}

/// The same where `fold` can combine sums of chunks, too: what is mapped is of the sum's type, or
/// `fold` is overloaded.
template <Executor E, std::ranges::input_range Range, class Sum, class Map, class Fold>
[[nodiscard]] auto map_reduce(E& executor, Range&& range, Seeds<Sum> seeds, Map&& map_fn,
                              Fold&& fold, const MapOptions& options = {}) {
  static_assert(std::invocable<std::decay_t<Fold>&, Sum, Sum>,
                "`fold` does not take two sums: say how those of two chunks combine, behind it");
  std::decay_t<Fold> combine = fold;
  return map_reduce(executor, std::forward<Range>(range), std::move(seeds),
                    std::forward<Map>(map_fn), std::forward<Fold>(fold), std::move(combine),
                    options);
}

/// Folds the items: map_reduce without mapping.
///
///     reduce(pool, words, 0, 0, add_length, std::plus{})
template <Executor E, std::ranges::input_range Range, class Sum, class Fold,
          std::invocable<Sum, Sum> Combine>
[[nodiscard]] auto reduce(E& executor, Range&& range, Sum init, Sum chunk_init, Fold&& fold,
                          Combine combine, const MapOptions& options = {}) {
  Seeds<Sum> seeds = {std::move(init), std::move(chunk_init)};
  return map_reduce(executor, std::forward<Range>(range), std::move(seeds), std::identity(),
                    std::forward<Fold>(fold), std::move(combine), options);
}

/// The same where `fold` takes two sums, too.
///
///     reduce(pool, words, std::string("++"), std::string(), std::plus{}, {.chunk = 2})
template <Executor E, std::ranges::input_range Range, class Sum, class Fold>
[[nodiscard]] auto reduce(E& executor, Range&& range, Sum init, Sum chunk_init, Fold&& fold,
                          const MapOptions& options = {}) {
  Seeds<Sum> seeds = {std::move(init), std::move(chunk_init)};
  return map_reduce(executor, std::forward<Range>(range), std::move(seeds), std::identity(),
                    std::forward<Fold>(fold), options);
}

}  // namespace artel::parallel
