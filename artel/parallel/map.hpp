#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <ranges>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/parallel/chunk_body.hpp"
#include "artel/parallel/chunk_run.hpp"
#include "artel/parallel/detail/item_source.hpp"
#include "artel/parallel/detail/result_store.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/map_options.hpp"

namespace artel::parallel {

template <class E>
[[nodiscard]] std::size_t window_of(const E& executor, const MapOptions& options) {
  if (options.window > 0) return options.window;
  const std::size_t width =
      options.workers > 0 ? options.workers : ExecutorTraits<E>::width(executor);
  return std::max<std::size_t>(width, 1) * kWindowPerWorker;
}

template <std::ranges::viewable_range Range>
[[nodiscard]] detail::SourceOf<Range> source_of(Range&& range, const MapOptions& options) {
  return {std::views::all(std::forward<Range>(range)), options.chunk == 0};
}

template <class Range>
using ItemsOf = typename detail::SourceOf<Range>::Items;

/// The run of these on this executor.
template <class E, class Source, class Body>
[[nodiscard]] auto make_run(E& executor, Source source, Body body,
                            typename ChunkRun<E, Source, Body>::Plan plan,
                            const MapOptions& options) {
  return std::make_shared<ChunkRun<E, Source, Body>>(executor, std::move(source), std::move(body),
                                                     plan, options);
}

/// Does all of it, handing every output of a chunk to `sink`.
template <class Run, class Sink>
void finish_run(Run& run, Sink&& sink) {
  struct Closing {
    Run& run;
    explicit Closing(Run& closed) : run(closed) {}
    Closing(const Closing&) = delete;
    Closing& operator=(const Closing&) = delete;
    ~Closing() { run.close(); }
  } const closing(run);
  run.start();
  while (auto output = run.next()) sink(std::move(*output));
}

/// Whether each result can be written to its place by whoever makes it. Not where the place is not
/// an object of its own (vector<bool>).
template <class E, class Range, class Out>
inline constexpr bool kWritesDirectly = [] {
  if constexpr (ExecutorTraits<E>::kLocal && detail::SourceOf<Range>::kSized &&
                std::random_access_iterator<Out>) {
    return std::is_lvalue_reference_v<std::iter_reference_t<Out>>;
  } else {
    return false;
  }
}();

template <class Range, class Fn>
using MappedTo = typename MapBody<std::decay_t<Fn>, ItemsOf<Range>>::Result;

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
  requires std::output_iterator<Out, MappedTo<Range, Fn>>
Out map(E& executor, Range&& range, Fn&& fn, Out out, const MapOptions& options = {}) {
  using Function = std::decay_t<Fn>;
  using Items = ItemsOf<Range>;
  auto source = source_of(std::forward<Range>(range), options);
  if constexpr (kWritesDirectly<E, Range, Out>) {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): a sized source knows what is left
    const auto size = static_cast<std::iter_difference_t<Out>>(*source.left());
    WriteBody<Function, Items, Out> body(std::forward<Fn>(fn), out, options);
    finish_run(*make_run(executor, std::move(source), std::move(body), {}, options),
               [](NoOutput) {});
    return out + size;
  } else {
    MapBody<Function, Items> body(std::forward<Fn>(fn), options);
    finish_run(*make_run(executor, std::move(source), std::move(body),
                         {.window = window_of(executor, options)}, options),
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
  using Result = MappedTo<Range, Fn>;
  std::vector<Result> all;
  if constexpr (kWritesDirectly<E, Range, typename std::vector<Result>::iterator> &&
                std::is_nothrow_default_constructible_v<Result>) {
    all.resize(static_cast<std::size_t>(std::ranges::size(range)));
    map(executor, std::forward<Range>(range), std::forward<Fn>(fn), all.begin(), options);
  } else {
    if constexpr (std::ranges::sized_range<Range>) {
      all.reserve(static_cast<std::size_t>(std::ranges::size(range)));
    }
    auto source = source_of(std::forward<Range>(range), options);
    MapBody<std::decay_t<Fn>, ItemsOf<Range>> body(std::forward<Fn>(fn), options);
    finish_run(*make_run(executor, std::move(source), std::move(body), {.window = options.window},
                         options),
               [&all](auto results) { std::ranges::move(results, std::back_inserter(all)); });
  }
  return all;
}

/// As map, with the results in the order in which chunks were done: none waits for another.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto map_unordered(E& executor, Range&& range, Fn&& fn,
                                 const MapOptions& options = {}) {
  auto source = source_of(std::forward<Range>(range), options);
  MapBody<std::decay_t<Fn>, ItemsOf<Range>> body(std::forward<Fn>(fn), options);
  std::vector<MappedTo<Range, Fn>> all;
  finish_run(*make_run(executor, std::move(source), std::move(body),
                       {.order = detail::Order::completion, .window = options.window}, options),
             [&all](auto results) { std::ranges::move(results, std::back_inserter(all)); });
  return all;
}

/// Calls `fn(item)` for every item of the range. As map otherwise.
template <Executor E, std::ranges::input_range Range, class Fn>
void for_each(E& executor, Range&& range, Fn&& fn, const MapOptions& options = {}) {
  auto source = source_of(std::forward<Range>(range), options);
  EachBody<std::decay_t<Fn>, ItemsOf<Range>> body(std::forward<Fn>(fn), options);
  finish_run(
      *make_run(executor, std::move(source), std::move(body), {.window = options.window}, options),
      [](NoOutput) {});
}

/// As map, but goes on when `fn` throws: each item has its result, or its index and exception.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto map_collect(E& executor, Range&& range, Fn&& fn,
                               const MapOptions& options = {}) {
  using Call = detail::ItemCall<std::decay_t<Fn>, ItemsOf<Range>>;
  using Item = tl::expected<std::remove_cvref_t<typename Call::Result>, ItemFailure>;
  auto source = source_of(std::forward<Range>(range), options);
  CollectBody<std::decay_t<Fn>, ItemsOf<Range>> body(std::forward<Fn>(fn), options);
  std::vector<Item> all;
  finish_run(
      *make_run(executor, std::move(source), std::move(body), {.window = options.window}, options),
      [&all](auto results) { std::ranges::move(results, std::back_inserter(all)); });
  return all;
}

}  // namespace artel::parallel
