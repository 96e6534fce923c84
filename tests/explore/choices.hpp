#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace artel::explore {

/// The choices of one execution after the other: all of them depth first, or some by lot.
class Choices {
 public:
  /// By lot: every execution from a seed of its own.
  void roll(std::uint64_t seed) {
    path_.clear();
    at_ = 0;
    rolls_ = true;
    state_ = seed;
  }
  /// The same choices once more.
  void repeat() { at_ = 0; }
  /// The next execution, depth first; false: there is none.
  bool advance() {
    while (!path_.empty() && path_.back().taken + 1 == path_.back().options) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    at_ = 0;
    return true;
  }

  /// Whether the next choice is made for the first time.
  [[nodiscard]] bool fresh() const { return at_ == path_.size(); }
  [[nodiscard]] bool rolls() const { return rolls_; }

  /// One of `options`. By lot: each alike if `rarity` is 0, else the first but for one in `rarity`.
  std::size_t choose(std::size_t options, std::uint64_t rarity) {
    if (fresh())
      path_.push_back({.taken = rolls_ ? rolled(options, rarity) : 0, .options = options});
    return path_[at_++].taken;
  }

 private:
  struct Choice {
    std::size_t taken;
    std::size_t options;
  };

  std::size_t rolled(std::size_t options, std::uint64_t rarity) {
    if (rarity == 0) return random() % options;
    return random() % rarity != 0 ? 0 : 1 + random() % (options - 1);
  }
  // Splitmix64.
  std::uint64_t random() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  std::vector<Choice> path_;
  std::size_t at_ = 0;
  bool rolls_ = false;
  std::uint64_t state_ = 0;
};

}  // namespace artel::explore
