#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/parallel/detail/make_run.hpp"
#include "artel/parallel/detail/result_store.hpp"
#include "artel/parallel/detail/run_plan.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/map_body.hpp"
#include "artel/parallel/map_options.hpp"

namespace artel::parallel {

/// The results of a map that goes on while they are used: an input range, once through.
///
/// Begins with begin(). Workers are ahead of the consumer by MapOptions::window chunks at most.
/// When it is destroyed no more chunks are cut, and it waits for those inside the function.
/// Exceptions arrive in begin() and ++, after the results that came before. Threads: one at a time.
/// Cost: as map; memory of the results of the chunks in its window.
template <class Run>
class LazyMap {
  using Results = typename Run::Output;

 public:
  /// An input iterator: ++ waits for the next result.
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = typename Results::value_type;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    explicit Iterator(LazyMap& map) : map_(&map) {}

    /// To look at or to move from.
    decltype(auto) operator*() const { return map_->results_[map_->at_]; }
    Iterator& operator++() {
      map_->advance();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t /*end*/) {
      return at.at_end();
    }

   private:
    [[nodiscard]] bool at_end() const { return map_->run_ == nullptr; }
    LazyMap* map_ = nullptr;
  };

  explicit LazyMap(std::shared_ptr<Run> run) : run_(std::move(run)) {}
  LazyMap(LazyMap&&) noexcept = default;
  LazyMap& operator=(LazyMap&& other) noexcept {
    close();
    run_ = std::move(other.run_);
    results_ = std::move(other.results_);
    at_ = other.at_;
    begun_ = other.begun_;
    return *this;
  }
  ~LazyMap() { close(); }

  /// Waits for the first result. Once.
  [[nodiscard]] Iterator begin() {
    ARTEL_REQUIRE(!begun_, "the results of a lazy map are there once");
    begun_ = true;
    run_->start();
    fetch();
    return Iterator(*this);
  }
  [[nodiscard]] std::default_sentinel_t end() const { return std::default_sentinel; }

 private:
  void advance() {
    if (++at_ == results_.size()) fetch();
  }
  void fetch() {
    do {
      auto results = run_->next();
      if (!results) return close();
      results_ = std::move(*results);
      at_ = 0;
    } while (results_.empty());
  }
  void close() {
    if (run_) run_->close();
    run_.reset();
  }

  std::shared_ptr<Run> run_;  // null: at the end
  Results results_;           // of one chunk
  std::size_t at_ = 0;
  bool begun_ = false;
};

namespace detail {

/// The lazy map of this body.
template <class Body, Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto lazy_map_of(E& executor, Range&& range, Fn&& fn, Order order,
                               const MapOptions& options) {
  auto source = source_of(std::forward<Range>(range), options);
  Body body(std::forward<Fn>(fn), options);
  return LazyMap(
      make_run(executor, std::move(source), std::move(body),
               {.caller = Caller::consumes, .order = order, .window = window_of(executor, options)},
               options));
}

}  // namespace detail

/// `fn(item)` for every item of the range, in order, as a range to be iterated while workers run:
/// for sources without an end, and results too many to keep.
///
///     for (auto& page : lazy_map(pool, urls, fetch)) if (!use(page)) break;
///
/// The consumer runs chunks itself when the next result is not there and nobody works on it; it
/// does not read a range that may block (one without a size) while results may still come. As map
/// otherwise. A range given as an lvalue, and the executor, must outlive the result.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto lazy_map(E& executor, Range&& range, Fn&& fn, const MapOptions& options = {}) {
  using Body = MapBody<std::decay_t<Fn>, detail::ItemsOf<Range>>;
  return detail::lazy_map_of<Body>(executor, std::forward<Range>(range), std::forward<Fn>(fn),
                                   detail::Order::source, options);
}

/// As lazy_map, with results as they come.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto lazy_map_unordered(E& executor, Range&& range, Fn&& fn,
                                      const MapOptions& options = {}) {
  using Body = MapBody<std::decay_t<Fn>, detail::ItemsOf<Range>>;
  return detail::lazy_map_of<Body>(executor, std::forward<Range>(range), std::forward<Fn>(fn),
                                   detail::Order::completion, options);
}

/// As lazy_map, but goes on when `fn` throws: each item has its result, or its index and exception.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto lazy_map_collect(E& executor, Range&& range, Fn&& fn,
                                    const MapOptions& options = {}) {
  using Body = CollectBody<std::decay_t<Fn>, detail::ItemsOf<Range>>;
  return detail::lazy_map_of<Body>(executor, std::forward<Range>(range), std::forward<Fn>(fn),
                                   detail::Order::source, options);
}

/// As lazy_map_collect, with results and failures as they come.
template <Executor E, std::ranges::input_range Range, class Fn>
[[nodiscard]] auto lazy_map_collect_unordered(E& executor, Range&& range, Fn&& fn,
                                              const MapOptions& options = {}) {
  using Body = CollectBody<std::decay_t<Fn>, detail::ItemsOf<Range>>;
  return detail::lazy_map_of<Body>(executor, std::forward<Range>(range), std::forward<Fn>(fn),
                                   detail::Order::completion, options);
}

}  // namespace artel::parallel
