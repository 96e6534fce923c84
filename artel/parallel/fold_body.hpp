#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "artel/parallel/item_call.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/parallel/seeds.hpp"

namespace artel::parallel {

/// The items of a chunk, mapped, then folded in order. A body: map_body.hpp. Threads: run() any.
/// Cost: a call of both functions per item, nothing besides.
template <class T, class Map, class Fold, class Items>
class FoldBody {
 public:
  using Output = std::optional<T>;
  /// kSilent, only_chunk(), run(), call(): see map_body.hpp.
  static constexpr bool kSilent = false;

  FoldBody(Seeds<T> seeds, Map map, Fold fold, const MapOptions& options)
      : seeds_(std::move(seeds)), call_(std::move(map), options), fold_(std::move(fold)) {}

  void only_chunk() { only_ = true; }

  template <class Wanted>
  void run(Items& items, std::uint64_t first, Output& output, const Wanted& wanted) const {
    T sum = only_ ? seeds_.init : seeds_.chunk_init;
    call_.for_items(items, first, wanted, [&](std::size_t /*i*/, const auto& call) {
      sum = std::invoke(fold_, std::move(sum), call());
    });
    output = std::move(sum);
  }

  [[nodiscard]] const ItemCall<Map, Items>& call() const { return call_; }
  /// What the fold of a chunk begins with.
  [[nodiscard]] const T& chunk_init() const { return seeds_.chunk_init; }

 private:
  Seeds<T> seeds_;
  ItemCall<Map, Items> call_;
  Fold fold_;
  bool only_ = false;
};

}  // namespace artel::parallel
