#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/parallel/detail/make_run.hpp"
#include "artel/parallel/detail/result_store.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/item_call.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/map_body.hpp"
#include "artel/parallel/map_options.hpp"

namespace artel::parallel {

namespace detail {

/// What the function makes of the range's items.
template <class Range, class Fn>
using MappedTo = typename MapBody<std::decay_t<Fn>, ItemsOf<Range>>::Result;

}  // namespace detail

/// Writes `fn(item)` for every item of the range to `out`, in order; returns the end of what was
/// written.
///
/// The next chunk is cut only when somebody has time for it; the caller works too. With a sized
/// random-access range and a random-access `out` nothing is copied; else results that cannot be
/// handed over yet are kept, MapOptions::window chunks of them at most. An exception of `fn` or of
/// the range arrives here, the one that a plain loop would have met first; the others end, and
/// nothing is left behind.
/// Cost:    about 0.3 us per chunk.
/// Errors:  pool::TaskError if stopped.
/// Threads: `fn` is called by several threads at once; the range is read by one at a time, but not
///          always the same one. Any thread may call map, a task of the same pool too.
template <Executor E, std::ranges::input_range Range, class Fn, class Out>
  requires std::input_or_output_iterator<Out>
Out map(E& executor, Range&& range, Fn&& fn, Out out, const MapOptions& options = {}) {
  static_assert(std::output_iterator<Out, detail::MappedTo<Range, Fn>>);
  using Function = std::decay_t<Fn>;
  using Items = detail::ItemsOf<Range>;
  auto source = detail::source_of(std::forward<Range>(range), options);
  if constexpr (detail::kWritesDirectly<E, Range, Out>) {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a sized source knows what is left
    const auto size = static_cast<std::iter_difference_t<Out>>(*source.left());
    WriteBody<Function, Items, Out> body(std::forward<Fn>(fn), out, options);
    detail::finish_run(*detail::make_run(executor, std::move(source), std::move(body), {}, options),
                       [](NoOutput) {});
    return out + size;
  } else {
    MapBody<Function, Items> body(std::forward<Fn>(fn), options);
    detail::finish_run(
        *detail::make_run(executor, std::move(source), std::move(body),
                          {.window = detail::window_of(executor, options)}, options),
        [&out](auto results) { out = std::move(results.begin(), results.end(), out); });
    return out;
  }
}

/// The results of `fn(item)` for every item of the range, in order, as a vector.
///
/// As the form with an output iterator; but results that cannot be handed over yet are kept without
/// a limit, as they have to be kept anyway.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto map(E& executor, Range&& range, Fn&& fn, const MapOptions& options = {}) {
  using Result = detail::MappedTo<Range, Fn>;
  std::vector<Result> all;
  if constexpr (detail::kWritesDirectly<E, Range, typename std::vector<Result>::iterator> &&
                std::is_nothrow_default_constructible_v<Result>) {
    all.resize(static_cast<std::size_t>(std::ranges::size(range)));
    map(executor, std::forward<Range>(range), std::forward<Fn>(fn), all.begin(), options);
  } else {
    if constexpr (std::ranges::sized_range<Range>) {
      all.reserve(static_cast<std::size_t>(std::ranges::size(range)));
    }
    auto source = detail::source_of(std::forward<Range>(range), options);
    MapBody<std::decay_t<Fn>, detail::ItemsOf<Range>> body(std::forward<Fn>(fn), options);
    detail::finish_run(
        *detail::make_run(executor, std::move(source), std::move(body), {.window = options.window},
                          options),
        [&all](auto results) { std::ranges::move(results, std::back_inserter(all)); });
  }
  return all;
}

/// As map, with the results in the order in which chunks were done: none waits for another.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto map_unordered(E& executor, Range&& range, Fn&& fn,
                                 const MapOptions& options = {}) {
  auto source = detail::source_of(std::forward<Range>(range), options);
  MapBody<std::decay_t<Fn>, detail::ItemsOf<Range>> body(std::forward<Fn>(fn), options);
  std::vector<detail::MappedTo<Range, Fn>> all;
  detail::finish_run(
      *detail::make_run(executor, std::move(source), std::move(body),
                        {.order = detail::Order::completion, .window = options.window}, options),
      [&all](auto results) { std::ranges::move(results, std::back_inserter(all)); });
  return all;
}

/// Calls `fn(item)` for every item of the range. As map otherwise.
template <Executor E, std::ranges::input_range Range, class Fn>
void for_each(E& executor, Range&& range, Fn&& fn, const MapOptions& options = {}) {
  auto source = detail::source_of(std::forward<Range>(range), options);
  EachBody<std::decay_t<Fn>, detail::ItemsOf<Range>> body(std::forward<Fn>(fn), options);
  detail::finish_run(*detail::make_run(executor, std::move(source), std::move(body),
                                       {.window = options.window}, options),
                     [](NoOutput) {});
}

/// As map, but goes on when `fn` throws: each item has its result, or its index and exception.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto map_collect(E& executor, Range&& range, Fn&& fn,
                               const MapOptions& options = {}) {
  using Call = ItemCall<std::decay_t<Fn>, detail::ItemsOf<Range>>;
  using Item = tl::expected<std::remove_cvref_t<typename Call::Result>, ItemFailure>;
  auto source = detail::source_of(std::forward<Range>(range), options);
  CollectBody<std::decay_t<Fn>, detail::ItemsOf<Range>> body(std::forward<Fn>(fn), options);
  std::vector<Item> all;
  detail::finish_run(*detail::make_run(executor, std::move(source), std::move(body),
                                       {.window = options.window}, options),
                     [&all](auto results) { std::ranges::move(results, std::back_inserter(all)); });
  return all;
}

}  // namespace artel::parallel
