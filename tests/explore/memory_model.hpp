#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace artel::explore {

inline constexpr std::size_t kThreadsMax = 8;
inline constexpr std::size_t kLocationsMax = 64;

/// Where a choice between several outcomes is made; 0 is the one without surprise.
class OutcomeSource {
 public:
  virtual std::size_t choose_outcome(std::size_t outcomes) = 0;

 protected:
  ~OutcomeSource() = default;
};

/// Atomics as C++ orders them: a load may return any value that the order does not rule out.
///
/// Every location keeps all values written to it, in modification order, with a stamp each. A
/// thread has a view: of every location the oldest value that it may still read. Reading and
/// writing raises the view; a release stores it with the value, an acquire that reads the value
/// takes it over. Sequentially consistent operations happen in the order in which they are
/// executed: such a load returns nothing older than the last one of them read or wrote there. A
/// write goes to the end of the modification order, or before values that its thread has not seen.
///
/// Plain memory has clocks: an access that is not ordered after the last one that conflicts with
/// it is a race.
///
/// What it leaves out: loads that happen later than what follows them in program order (so a load
/// that must come before another one needs acquire, even if no test fails without), and fences,
/// which artel does not use.
/// Source: the view machine of "A Promising Semantics for Relaxed-Memory Concurrency" (Kang et al.,
///         2017), without promises; FastTrack (Flanagan and Freund, 2009) for the clocks.
class MemoryModel {
 public:
  using Thread = std::size_t;  // 0 is whoever sets up and checks
  using Location = std::size_t;

  explicit MemoryModel(OutcomeSource& outcomes) : outcomes_(outcomes) {}

  void clear();
  Location add(Thread thread, std::uint64_t value);

  std::uint64_t load(Thread thread, Location location, std::memory_order order);
  void store(Thread thread, Location location, std::uint64_t value, std::memory_order order);
  /// Replaces what it reads by `changed(what it read)`; returns what it read.
  template <class Changed>
  std::uint64_t update(Thread thread, Location location, Changed&& changed,
                       std::memory_order order) {
    const std::size_t at = choose(thread, location, order, Access::update, 0);
    const std::uint64_t read = read_at(thread, location, at, order);
    write_after(thread, location, at, changed(read), order, true);
    return read;
  }
  /// What it read, and whether it was `expected` and is replaced.
  std::pair<std::uint64_t, bool> compare_exchange(Thread thread, Location location,
                                                  std::uint64_t expected, std::uint64_t desired,
                                                  std::memory_order success,
                                                  std::memory_order failure);
  /// The newest value, which the thread has seen then: what the kernel compares.
  std::uint64_t newest(Thread thread, Location location);
  /// From now on the thread sees the newest value everywhere; whether that is new to it.
  bool see_newest(Thread thread);

  /// Everything that `from` has seen and done happens before what `to` does next.
  void join(Thread from, Thread to);

  /// False: a race.
  bool read_plain(Thread thread, const void* address);
  bool write_plain(Thread thread, const void* address);

  /// Writes so far.
  [[nodiscard]] std::size_t writes() const { return writes_; }
  /// Of all that can matter to what comes: who read what from whom, and the modification orders.
  [[nodiscard]] std::uint64_t fingerprint() const;
  /// The same of one thread; to be told what else happened to it.
  void note(Thread thread, std::uint64_t what) {
    histories_[thread] = mix(histories_[thread], what);
  }
  [[nodiscard]] static std::uint64_t mix(std::uint64_t hash, std::uint64_t with);

 private:
  using Stamp = std::uint32_t;
  struct Knowledge {
    std::array<Stamp, kLocationsMax> view{};
    std::array<std::uint32_t, kThreadsMax> clock{};
    void join(const Knowledge& other);
  };
  struct Value {
    std::uint64_t bits;
    Stamp stamp;
    bool follows;  // written by an update of the value right before it
    // What is passed on to who acquires it: an index of passed_, or none; and if it is just what
    // the writer knew, when that was.
    std::uint32_t passed;
    Thread writer;
    std::uint32_t written;  // by the writer's clock; 0: it is more than that
    std::uint64_t identity;
  };
  struct Place {
    std::vector<Value> values;  // in modification order
    Stamp sequential = 0;       // sequentially consistent operations have seen at least this
  };
  struct PlainPlace {
    const void* address;
    Thread writer;
    std::uint32_t written;  // when, by the writer's clock
    std::array<std::uint32_t, kThreadsMax> read;
  };
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
  enum class Access : std::uint8_t { load, store, update, compare_exchange };

  std::size_t choose(Thread thread, Location location, std::memory_order order, Access access,
                     std::uint64_t expected);
  std::uint64_t read_at(Thread thread, Location location, std::size_t at, std::memory_order order);
  void write_after(Thread thread, Location location, std::size_t at, std::uint64_t bits,
                   std::memory_order order, bool follows);
  std::uint32_t pass_on(const Knowledge& knowledge);
  PlainPlace& plain(const void* address);

  OutcomeSource& outcomes_;
  std::vector<Place> places_;
  std::size_t place_count_ = 0;
  std::array<Knowledge, kThreadsMax> known_{};
  std::vector<Knowledge> passed_;
  std::size_t passed_count_ = 0;
  std::array<std::uint64_t, kThreadsMax> histories_{};
  std::vector<PlainPlace> plain_;
  std::size_t writes_ = 0;
};

}  // namespace artel::explore
