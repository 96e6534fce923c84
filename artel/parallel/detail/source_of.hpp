#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/detail/chunk_sizer.hpp"

// What chunks are cut from. A source has
//   Items                   the items of a chunk: size(), get(i) for looking at one, and take(i),
//                           which moves it out if the source owns it
//   cut(n, items)           moves up to n more items into the empty `items`; none: it has ended.
//                           What was read before the range threw is in `items` then
//   at_end()                whether there are no more; may read one ahead
//   left()                  how many more, if known
// and is used by one thread at a time, but not always by the same one.

namespace artel::parallel::detail {

template <class View>
struct OwnsItems : std::false_type {};
template <class Range>
struct OwnsItems<std::ranges::owning_view<Range>> : std::true_type {};

/// Sized random-access ranges: chunks are ranges of indices, nothing is copied.
template <std::ranges::view View>
class IndexSource {
 public:
  static constexpr bool kSized = true;
  static constexpr std::size_t kChunkMax = std::size_t{1} << 30U;
  using Iterator = std::ranges::iterator_t<View>;

  class Items {
   public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] decltype(auto) get(std::size_t i) const { return first_[offset(i)]; }
    [[nodiscard]] decltype(auto) take(std::size_t i) const {
      if constexpr (OwnsItems<View>::value) {
        return std::ranges::iter_move(first_ + offset(i));
      } else {
        return first_[offset(i)];
      }
    }

   private:
    friend IndexSource;
    static auto offset(std::size_t i) { return static_cast<std::iter_difference_t<Iterator>>(i); }
    Iterator first_{};
    std::size_t size_ = 0;
  };

  IndexSource(View view, bool /*automatic*/)
      : view_(std::move(view)), left_(static_cast<std::uint64_t>(std::ranges::size(view_))) {}

  void cut(std::size_t most, Items& items) {
    if (!next_) next_.emplace(std::ranges::begin(view_));
    items.first_ = *next_;
    items.size_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, left_));
    *next_ += Items::offset(items.size_);
    left_ -= items.size_;
  }
  [[nodiscard]] bool at_end() const { return left_ == 0; }
  [[nodiscard]] std::optional<std::uint64_t> left() const { return left_; }

 private:
  View view_;
  std::optional<Iterator> next_;  // made when the view is in its final place: it may point to it
  std::uint64_t left_;
};

/// Every other range: items are moved or copied into their chunk, or pointed to if the range keeps
/// them (a list).
///
/// The next item is read when it is needed, not before: no item waits for the one behind it. An
/// automatic chunk ends early when reading takes long.
template <std::ranges::view View>
class StreamSource {
  using Iterator = std::ranges::iterator_t<View>;
  using Reference = std::ranges::range_reference_t<View>;
  using Value = std::ranges::range_value_t<View>;
  static constexpr bool kKept =
      std::ranges::forward_range<View> && std::is_lvalue_reference_v<Reference>;

 public:
  static constexpr bool kSized = false;
  static constexpr std::size_t kChunkMax = std::size_t{1} << 14U;

  class Items {
   public:
    [[nodiscard]] std::size_t size() const { return stored_.size(); }
    [[nodiscard]] auto& get(std::size_t i) {
      if constexpr (kKept) {
        return *stored_[i].item;
      } else {
        return stored_[i].item;
      }
    }
    [[nodiscard]] decltype(auto) take(std::size_t i) {
      if constexpr (kKept && !OwnsItems<View>::value) {
        return *stored_[i].item;
      } else if constexpr (kKept) {
        return std::move(*stored_[i].item);
      } else {
        return std::move(stored_[i].item);
      }
    }

   private:
    friend StreamSource;
    struct StoredItem {  // a struct, because a vector of bool has no items to refer to
      std::conditional_t<kKept, std::add_pointer_t<Reference>, Value> item;
    };
    std::vector<StoredItem> stored_;
  };

  StreamSource(View view, bool automatic) : view_(std::move(view)), automatic_(automatic) {
    if constexpr (std::ranges::sized_range<View>) {
      left_ = static_cast<std::uint64_t>(std::ranges::size(view_));
    }
  }

  void cut(std::size_t most, Items& items) {
    constexpr std::size_t kLook = 8;  // items between two looks at the clock
    items.stored_.reserve(std::min(most, kChunkMax));
    const Instant start = steady_now();
    for (std::size_t i = 0; i < most && !at_end(); ++i) {
      if (automatic_ && i % kLook == kLook - 1 && steady_now() - start > ChunkSizer::kTarget)
        return;
      read(items);
    }
  }
  [[nodiscard]] bool at_end() {
    if (!next_) {
      next_.emplace(std::ranges::begin(view_));
    } else if (used_) {
      ++*next_;
    }
    used_ = false;
    return *next_ == std::ranges::end(view_);
  }
  [[nodiscard]] std::optional<std::uint64_t> left() const { return left_; }

 private:
  // After at_end() said no.
  // NOLINTBEGIN(bugprone-unchecked-optional-access): at_end() found the place to read
  void read(Items& items) {
    if constexpr (kKept) {
      items.stored_.push_back({std::addressof(**next_)});
    } else if constexpr (std::is_lvalue_reference_v<Reference> &&
                         std::is_constructible_v<Value, Reference>) {
      items.stored_.push_back({Value(**next_)});  // it may belong to somebody
    } else {
      items.stored_.push_back({Value(std::ranges::iter_move(*next_))});
    }
    used_ = true;
    if (left_ && *left_ > 0) --*left_;
  }
  // NOLINTEND(bugprone-unchecked-optional-access)

  View view_;
  bool automatic_;                // chunks
  std::optional<Iterator> next_;  // not begun yet: beginning may already read
  bool used_ = false;             // *next_ is in a chunk already
  std::optional<std::uint64_t> left_;
};

template <class Range>
using SourceOf =
    std::conditional_t<std::ranges::sized_range<Range> && std::ranges::random_access_range<Range>,
                       IndexSource<std::views::all_t<Range>>,
                       StreamSource<std::views::all_t<Range>>>;

}  // namespace artel::parallel::detail
