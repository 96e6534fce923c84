#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "artel/core/instant.hpp"
#include "tests/explore/execution.hpp"

namespace artel::explore {

/// What std::atomic does, in an Execution.
template <class T>
class ExploredAtomic {
  static_assert(std::is_trivially_copyable_v<T> &&
                sizeof(T) <= sizeof(std::uint64_t));  // NOLINT(bugprone-sizeof-expression)
  using Where = std::source_location;
  static constexpr std::memory_order kStrongest = std::memory_order_seq_cst;

 public:
  ExploredAtomic() : ExploredAtomic(T{}) {}
  ExploredAtomic(T value)  // NOLINT(google-explicit-constructor): as std::atomic
      : location_(Execution::current().add(this, bits(value))) {}
  ExploredAtomic(const ExploredAtomic&) = delete;
  ExploredAtomic& operator=(const ExploredAtomic&) = delete;

  T load(std::memory_order order = kStrongest, Where where = Where::current()) const {
    return value(run().load(location_, order, where));
  }
  void store(T desired, std::memory_order order = kStrongest, Where where = Where::current()) {
    run().store(location_, bits(desired), order, where);
  }
  T exchange(T desired, std::memory_order order = kStrongest, Where where = Where::current()) {
    return update([&](T) { return desired; }, order, "exchange", where);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Where where = Where::current()) {
    std::uint64_t read = bits(expected);
    const bool same =
        run().compare_exchange(location_, read, bits(desired), success, failure, where);
    expected = value(read);
    return same;
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order = kStrongest,
                               Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, on_failure(order), where);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, success, failure, where);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order = kStrongest,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, where);
  }
  T fetch_add(T other, std::memory_order order = kStrongest, Where where = Where::current()) {
    return update([&](T old) { return static_cast<T>(old + other); }, order, "fetch_add", where);
  }
  T fetch_sub(T other, std::memory_order order = kStrongest, Where where = Where::current()) {
    return update([&](T old) { return static_cast<T>(old - other); }, order, "fetch_sub", where);
  }
  T fetch_and(T other, std::memory_order order = kStrongest, Where where = Where::current()) {
    return update([&](T old) { return static_cast<T>(old & other); }, order, "fetch_and", where);
  }
  T fetch_or(T other, std::memory_order order = kStrongest, Where where = Where::current()) {
    return update([&](T old) { return static_cast<T>(old | other); }, order, "fetch_or", where);
  }
  operator T() const { return load(); }  // NOLINT(google-explicit-constructor): as std::atomic
  T operator=(T desired) {               // NOLINT: as std::atomic
    store(desired);
    return desired;
  }

  [[nodiscard]] Execution::Location location() const { return location_; }

 private:
  static Execution& run() { return Execution::current(); }
  static std::uint64_t bits(T value) {
    std::uint64_t result = 0;
    std::memcpy(static_cast<void*>(&result), static_cast<const void*>(&value),
                sizeof(T));  // NOLINT(bugprone-sizeof-expression)
    return result;
  }
  static T value(std::uint64_t bits) {
    T result;
    std::memcpy(static_cast<void*>(&result), &bits,
                sizeof(T));  // NOLINT(bugprone-sizeof-expression)
    return result;
  }
  static std::memory_order on_failure(std::memory_order order) {
    if (order == std::memory_order_release) return std::memory_order_relaxed;
    return order == std::memory_order_acq_rel ? std::memory_order_acquire : order;
  }
  template <class Changed>
  T update(Changed&& changed, std::memory_order order, const char* operation, Where where) {
    return value(run().update(
        location_, [&](std::uint64_t old) { return bits(changed(value(old))); }, order, operation,
        where));
  }

  Execution::Location location_;
};

/// Memory that is not atomic: accesses must be ordered by something else. One that moves from
/// thread to thread, in a queue, tells whether it is handed over.
template <class T>
class ExploredPlain {
 public:
  ExploredPlain() : ExploredPlain(T{}) {}
  ExploredPlain(T value) { *this = value; }  // NOLINT(google-explicit-constructor): as T
  ExploredPlain(ExploredPlain&& other) noexcept : ExploredPlain(static_cast<T>(other)) {}
  ExploredPlain& operator=(ExploredPlain&&) = delete;
  operator T() const {  // NOLINT(google-explicit-constructor): as T
    Execution::current().read_plain(this);
    return value_;
  }
  T operator=(T value) {  // NOLINT: as T
    Execution::current().write_plain(this);
    return value_ = value;
  }
  T operator+=(T value) { return *this = static_cast<T>(static_cast<T>(*this) + value); }

 private:
  T value_{};
};

/// In place of sync::StdAtomics.
struct ExploredAtomics {
  template <class T>
  using Atomic = ExploredAtomic<T>;
  template <class T>
  using Plain = ExploredPlain<T>;

  static void futex_wait(const Atomic<std::uint32_t>& word, std::uint32_t expected,
                         Duration timeout = kForever) {
    Execution::current().futex_wait(word.location(), expected, timeout);
  }
  static void futex_wake(const Atomic<std::uint32_t>& word, int count) {
    Execution::current().futex_wake(word.location(), count);
  }
  static void relax() { Execution::current().relax(); }
  static void yield() { Execution::current().yield(); }
  static Instant now() { return Execution::current().now(); }
};

}  // namespace artel::explore
