#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "artel/parallel/detail/chunk_run.hpp"
#include "artel/parallel/detail/run_plan.hpp"
#include "artel/parallel/detail/source_of.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/map_options.hpp"

namespace artel::parallel::detail {

/// Chunks of a run whose results are handed over one after the other, at most.
template <class E>
[[nodiscard]] std::size_t window_of(const E& executor, const MapOptions& options) {
  if (options.window > 0) return options.window;
  const std::size_t width =
      options.workers > 0 ? options.workers : ExecutorTraits<E>::width(executor);
  return std::max<std::size_t>(width, 1) * kWindowPerWorker;
}

/// Where the items come from.
template <std::ranges::viewable_range Range>
[[nodiscard]] SourceOf<Range> source_of(Range&& range, const MapOptions& options) {
  return {std::views::all(std::forward<Range>(range)), options.chunk == 0};
}

template <class Range>
using ItemsOf = typename SourceOf<Range>::Items;

/// The run of these on this executor.
template <class E, class Source, class Body>
[[nodiscard]] auto make_run(E& executor, Source source, Body body, RunPlan plan,
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
  if constexpr (ExecutorTraits<E>::kLocal && SourceOf<Range>::kSized &&
                std::random_access_iterator<Out>) {
    return std::is_lvalue_reference_v<std::iter_reference_t<Out>>;
  } else {
    return false;
  }
}();

}  // namespace artel::parallel::detail
