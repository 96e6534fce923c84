#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "tests/explore/choices.hpp"
#include "tests/explore/fiber.hpp"
#include "tests/explore/memory_model.hpp"

namespace artel::explore {

/// How far an exploration goes. What is bounded is counted per execution.
struct Bounds {
  std::size_t preemptions = 2;  ///< times that a thread is stopped although it could go on
  std::size_t surprises = 1;    ///< times that memory does not do what it would if all were ordered
  std::size_t spurious = 0;     ///< times that a futex_wait() returns for no reason
  std::size_t steps = 4'000;    ///< an execution that takes more does not end
  std::size_t executions = 2'000'000;
  std::size_t rolls = 0;  ///< so many executions by lot, instead of all within these bounds
  std::uint64_t seed = 1;
};

/// One execution of some threads: a scenario makes its objects, its threads, and runs them.
///
///     const Report report = explore({.preemptions = 2}, [](Execution& run) {
///       BasicParker<ExploredAtomics> parker;
///       run.thread("worker", [&] { parker.park(); });
///       run.thread("submitter", [&] { parker.unpark(); });
///       run.go();                                      // until all have ended, or sleep for good
///       run.require(run.asleep() == 0, "a lost wake-up");
///     });
///
/// A scenario is run again and again, and must do the same each time but for what its threads read
/// from each other. Threads switch at operations of ExploredAtomics only. A thread in relax() waits
/// until another one writes; one in yield() until that, or until nobody else can run.
class Execution {
 public:
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // ---- By the scenario

  void thread(std::string name, std::function<void()> body);
  /// Shows the object by this name in traces.
  void name(const void* object, std::size_t bytes, std::string name);
  template <class T>
  void name(const T& object, std::string text) {
    name(&object, sizeof object, std::move(text));
  }
  /// Runs the threads until they have ended or sleep, and nobody is left to wake them.
  void go();
  /// The same without exploring, for the end: after the scenario has told those that sleep to end.
  /// It is a failure if one does not.
  void finish();
  /// Threads that sleep for good, after go().
  [[nodiscard]] std::size_t asleep() const;

  // ---- By the scenario and its threads

  /// False: the execution went wrong.
  void require(bool holds, std::string_view what);

  // ---- By ExploredAtomics

  using Location = MemoryModel::Location;
  using Where = std::source_location;
  /// The execution that runs now.
  [[nodiscard]] static Execution& current();

  Location add(const void* address, std::uint64_t value);
  std::uint64_t load(Location location, std::memory_order order, Where where);
  void store(Location location, std::uint64_t value, std::memory_order order, Where where);
  template <class Changed>
  std::uint64_t update(Location location, Changed&& changed, std::memory_order order,
                       std::string_view operation, Where where) {
    before_operation(location, true);
    const std::uint64_t read = memory_.update(self_, location, changed, order);
    if (tracing_) trace(location, operation, read, changed(read), where);
    return read;
  }
  bool compare_exchange(Location location, std::uint64_t& expected, std::uint64_t desired,
                        std::memory_order success, std::memory_order failure, Where where);
  void futex_wait(Location location, std::uint64_t expected, Duration timeout);
  void futex_wake(Location location, int count);
  void relax();
  void yield();
  [[nodiscard]] Instant now() const { return now_; }
  void read_plain(const void* address);
  void write_plain(const void* address);

 private:
  friend class Explorer;
  enum class Status : std::uint8_t { ready, relaxing, yielding, sleeping, ended };
  struct Thread {
    std::string name;
    std::function<void()> body;
    Status status = Status::ready;
    std::size_t writes = 0;  // relaxing, yielding: until there are others than these
    Location sleeps_on = 0;  // sleeping: on which word,
    Instant until = kNever;  //   until when at most,
    std::size_t since = 0;   //   and in which order
    std::unique_ptr<Fiber> fiber;
  };
  struct Named {
    const std::byte* begin;
    std::size_t bytes;
    std::string name;
  };
  // Which threads have ever used a location, a bit each.
  struct Users {
    std::uint32_t readers = 0;
    std::uint32_t writers = 0;
  };
  // What is known from all executions of a scenario before.
  struct Experience {
    std::array<Users, kLocationsMax> users;
    bool grown = false;  // users has, in this execution
    // At which states it was chosen between threads, and what was left of the bounds then.
    std::unordered_map<std::uint64_t, std::array<std::size_t, 3>> seen;
  };

  class Outcomes final : public OutcomeSource {
   public:
    explicit Outcomes(Execution& run) : run_(run) {}
    std::size_t choose_outcome(std::size_t outcomes) override;

   private:
    Execution& run_;
  };

  Execution(const std::function<void(Execution&)>& scenario, Experience& experience)
      : scenario_(scenario), experience_(experience), outcomes_(*this), memory_(outcomes_) {}
  // False: it went wrong, and this object can do no more: threads are stuck in the middle.
  bool execute(const Bounds& bounds, Choices& choices, bool tracing);
  void begin(const Bounds& bounds, Choices& choices, bool tracing);

  void before_operation(Location location, bool writes);
  void run_threads();
  [[nodiscard]] bool can_run(const Thread& thread) const;
  [[nodiscard]] bool seen_before();
  bool conflicts(Location location, bool writes);
  [[nodiscard]] bool preempt();
  void pause(Status how);
  void leave();
  void give_way_to(std::size_t next);
  bool wake_earliest();
  void wake(std::size_t thread);
  [[noreturn]] void fail(std::string what);

  void trace(Location location, std::string_view operation, std::uint64_t before,
             std::uint64_t after, Where where);
  void trace(const std::string& what);

  static inline Execution* running = nullptr;

  const std::function<void(Execution&)>& scenario_;
  Experience& experience_;
  Fiber explorer_;  // who waits for the end
  Bounds bounds_;   // what is left of them
  Choices* choices_ = nullptr;
  Outcomes outcomes_;
  MemoryModel memory_;
  std::vector<Thread> threads_;   // [0] is the scenario itself
  std::size_t thread_count_ = 0;  // the fibers of the others wait for the next execution
  std::size_t self_ = 0;
  bool calm_ = false;  // no choices any more
  Instant now_{};
  std::size_t sleeps_ = 0;
  std::array<std::size_t, kLocationsMax> last_access_{};  // in steps
  std::array<std::size_t, kLocationsMax> last_write_{};
  std::size_t steps_ = 0;
  std::string failure_;
  bool tracing_ = false;
  std::string trace_;
  std::vector<Named> named_;
  std::vector<const void*> addresses_;  // of the locations
};

}  // namespace artel::explore
