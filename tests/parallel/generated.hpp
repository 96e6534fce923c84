#pragma once

#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

// Ranges that the tests of flow map over.

namespace artel::parallel {

/// An input range, once through: make(0), …, make(n - 1); without an end if n < 0. Values are made
/// when they are read, and `make` may throw.
template <class Make>
class Generated : public std::ranges::view_interface<Generated<Make>> {
 public:
  Generated(int n, Make make) : n_(n), make_(std::move(make)) {}
  Generated(Generated&&) noexcept = default;
  Generated& operator=(Generated&& other) noexcept {
    n_ = other.n_;
    at_ = other.at_;
    return *this;
  }

  class Iterator {
   public:
    using value_type = std::invoke_result_t<Make&, int>;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(Generated& range) : range_(&range) {}
    value_type operator*() const { return range_->make_(range_->at_); }
    Iterator& operator++() {
      ++range_->at_;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t /*end*/) {
      return at.range_->at_end();
    }

   private:
    Generated* range_ = nullptr;
  };

  Iterator begin() { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }
  [[nodiscard]] bool at_end() const { return at_ == n_; }

 private:
  int n_;
  int at_ = 0;
  Make make_;
};

/// unique_ptr to n, n - 1, …, 1.
inline auto countdown(int n) {
  return Generated(n, [n](int i) { return std::make_unique<int>(n - i); });
}

/// A value that counts how many of its kind there are, and how many there were at most; those that
/// were moved from do not count.
class Tracked {
 public:
  explicit Tracked(int value) : value_(value) {
    const std::size_t now = ++live;
    std::size_t most = live_max;
    while (most < now && !live_max.compare_exchange_weak(most, now)) {
    }
  }
  Tracked(Tracked&& other) noexcept
      : value_(other.value_), holds_(std::exchange(other.holds_, false)) {}
  Tracked& operator=(Tracked&& other) noexcept {
    std::swap(value_, other.value_);
    std::swap(holds_, other.holds_);
    return *this;
  }
  ~Tracked() {
    if (holds_) --live;
  }
  [[nodiscard]] int value() const { return value_; }

  static void reset() { live_max = live.load(); }
  static std::size_t alive() { return live; }
  static std::size_t most() { return live_max; }

 private:
  int value_;
  bool holds_ = true;
  static inline std::atomic<std::size_t> live = 0;
  static inline std::atomic<std::size_t> live_max = 0;
};

/// Tracked values 0, 1, …, n - 1; without an end if n < 0.
inline auto tracked(int n) {
  return Generated(n, [](int i) { return Tracked(i); });
}

}  // namespace artel::parallel
