#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/parallel/item_call.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/map_options.hpp"

// What is done with a chunk. A body has
//   Output          of one chunk
//   kSilent         there is nothing in the output
//   run(items, first, output, wanted)
//                   works through the items, the first of which is number `first` of the source,
//                   and stops when wanted() says no; may throw, with the output so far in `output`
//   only_chunk()    told before run(), on the same thread, that there will be just one chunk
//   call()          how an item is worked on, for executors that send chunks away
// and is used by any number of threads at once.

namespace artel::parallel {

/// A result for each item, in order. Threads: run() any, several at once.
/// Cost: a call per item, one allocation per chunk.
template <class Fn, class Items>
class MapBody {
 public:
  using Result = std::remove_cvref_t<typename ItemCall<Fn, Items>::Result>;
  using Output = std::vector<Result>;
  /// kSilent, only_chunk(), run(), call(): see the top of this file.
  static constexpr bool kSilent = false;

  MapBody(Fn fn, const MapOptions& options) : call_(std::move(fn), options) {}

  void only_chunk() {}
  template <class Wanted>
  void run(Items& items, std::uint64_t first, Output& output, const Wanted& wanted) const {
    output.reserve(items.size());
    call_.for_items(items, first, wanted,
                    [&](std::size_t /*i*/, const auto& call) { output.push_back(call()); });
  }

  [[nodiscard]] const ItemCall<Fn, Items>& call() const { return call_; }

 private:
  ItemCall<Fn, Items> call_;
};

/// A result or a failure for each item, in order. Threads: run() any, several at once.
/// Cost: a call per item, one allocation per chunk.
template <class Fn, class Items>
class CollectBody {
 public:
  using Result =
      tl::expected<std::remove_cvref_t<typename ItemCall<Fn, Items>::Result>, ItemFailure>;
  using Output = std::vector<Result>;
  /// kSilent, only_chunk(), run(), call(): see the top of this file.
  static constexpr bool kSilent = false;

  CollectBody(Fn fn, const MapOptions& options) : call_(std::move(fn), options) {}

  void only_chunk() {}
  template <class Wanted>
  void run(Items& items, std::uint64_t first, Output& output, const Wanted& wanted) const {
    output.reserve(items.size());
    call_.for_items(items, first, wanted, [&](std::size_t i, const auto& call) {
      output.push_back(outcome_of(call, first + i));
    });
  }

  [[nodiscard]] const ItemCall<Fn, Items>& call() const { return call_; }

 private:
  template <class Call>
  Result outcome_of(const Call& call, std::uint64_t index) const {
    try {
      if constexpr (std::is_void_v<typename Result::value_type>) {
        call();
        return {};
      } else {
        return Result(call());
      }
    } catch (...) {
      return tl::unexpected(ItemFailure{index, call_.attempts(), std::current_exception()});
    }
  }

  ItemCall<Fn, Items> call_;
};

/// Nothing, as the output of a chunk.
struct NoOutput {};

/// Results go where they belong at once: `out[index of the item]`. Threads: run() any, several.
/// Cost: a call and a write per item.
template <class Fn, class Items, std::random_access_iterator Out>
class WriteBody {
 public:
  using Output = NoOutput;
  /// kSilent, only_chunk(), run(): see the top of this file.
  static constexpr bool kSilent = true;

  WriteBody(Fn fn, Out out, const MapOptions& options)
      : call_(std::move(fn), options), out_(std::move(out)) {}

  void only_chunk() {}
  template <class Wanted>
  void run(Items& items, std::uint64_t first, Output& /*output*/, const Wanted& wanted) const {
    using Offset = std::iter_difference_t<Out>;
    const Out out = out_ + static_cast<Offset>(first);
    call_.for_items(items, first, wanted,
                    [&](std::size_t i, const auto& call) { out[static_cast<Offset>(i)] = call(); });
  }

 private:
  ItemCall<Fn, Items> call_;
  Out out_;
};

/// No results. Threads: run() any, several at once. Cost: a call per item.
template <class Fn, class Items>
class EachBody {
 public:
  using Output = NoOutput;
  /// kSilent, only_chunk(), run(), call(): see the top of this file.
  static constexpr bool kSilent = true;

  EachBody(Fn fn, const MapOptions& options) : call_(std::move(fn), options) {}

  void only_chunk() {}
  template <class Wanted>
  void run(Items& items, std::uint64_t first, Output& /*output*/, const Wanted& wanted) const {
    call_.for_items(items, first, wanted,
                    [&](std::size_t /*i*/, const auto& call) { static_cast<void>(call()); });
  }

  [[nodiscard]] const ItemCall<Fn, Items>& call() const { return call_; }

 private:
  ItemCall<Fn, Items> call_;
};

}  // namespace artel::parallel
