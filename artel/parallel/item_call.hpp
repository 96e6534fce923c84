#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/map_options.hpp"

namespace artel::parallel {

/// Calls the user's function with one item of a chunk, again if it throws and may be tried again.
///
/// The function gets the item itself, to move from, if the source owns its items and nobody may
/// need the item again; else a reference to it.
/// Threads: any number at once; so the function must be callable as const.
template <class Fn, class Items>
class ItemCall {
  using Taken = decltype(std::declval<Items&>().take(0));
  using Got = decltype(std::declval<Items&>().get(0));
  static constexpr bool kTakes = std::invocable<const Fn&, Taken>;
  static constexpr bool kGets = std::invocable<const Fn&, Got>;
  static_assert(kTakes || kGets,
                "the function takes an item, and is called by several threads at once: as const");
  using Raw = typename std::conditional_t<kTakes, std::invoke_result<const Fn&, Taken>,
                                          std::invoke_result<const Fn&, Got>>::type;

 public:
  /// An rvalue reference may be to an item that is gone when the call is over.
  using Result = std::conditional_t<std::is_rvalue_reference_v<Raw>, std::remove_cvref_t<Raw>, Raw>;

  ItemCall(Fn fn, const MapOptions& options)
      : fn_(std::move(fn)), retries_(options.retries), on_failure_(options.on_failure) {
    ARTEL_REQUIRE(retries_ == 0 || kKeeps,
                  "a function that uses its item up cannot be tried again with it");
  }

  /// Calls `use(i, call)` for the items of a chunk, in order, while wanted() says so; `call()` is
  /// the result for item i, or its exception when it has been tried often enough.
  ///
  /// The question is asked for every item if there are few, else now and then, so that loops over
  /// tiny items can be vectorised.
  /// Requires: `first` is the index of the chunk's first item in the source.
  template <class Wanted, class Use>
  void for_items(Items& items, std::uint64_t first, const Wanted& wanted, Use&& use) const {
    if (retries_ == 0 && !on_failure_) {
      for_wanted(items.size(), wanted,
                 [&](std::size_t i) { use(i, [&]() -> Result { return once(items, i); }); });
    } else {
      for_wanted(items.size(), wanted, [&](std::size_t i) {
        use(i, [&]() -> Result { return again(items, i, first); });
      });
    }
  }

  /// How often an item is tried.
  [[nodiscard]] unsigned attempts() const { return retries_ + 1; }
  /// Hears of attempts that failed; may be empty.
  [[nodiscard]] const std::function<void(const ItemFailure&)>& on_failure() const {
    return on_failure_;
  }

 private:
  template <class Wanted, class Each>
  static void for_wanted(std::size_t size, const Wanted& wanted, Each&& each) {
    constexpr std::size_t kBlocks = 64;
    const std::size_t block = std::max<std::size_t>(size / kBlocks, 1);
    for (std::size_t begin = 0; begin < size && wanted(); begin += block) {
      const std::size_t end = std::min(begin + block, size);
      for (std::size_t i = begin; i < end; ++i) each(i);
    }
  }

  // Whether it can be called with an item that is still needed afterwards.
  static constexpr bool kKeeps = std::is_invocable_r_v<Result, const Fn&, Got>;

  Result once(Items& items, std::size_t i) const {
    if constexpr (kTakes) {
      return std::invoke(fn_, items.take(i));
    } else {
      return std::invoke(fn_, items.get(i));
    }
  }

  Result again(Items& items, std::size_t i, std::uint64_t first) const {
    for (unsigned attempt = 1;; ++attempt) {
      try {
        if constexpr (kKeeps) {
          if (retries_ > 0) return std::invoke(fn_, items.get(i));
        }
        return once(items, i);
      } catch (...) {
        if (on_failure_) on_failure_({first + i, attempt, std::current_exception()});
        if (attempt > retries_) throw;
      }
    }
  }

  Fn fn_;
  unsigned retries_;
  std::function<void(const ItemFailure&)> on_failure_;
};

}  // namespace artel::parallel
