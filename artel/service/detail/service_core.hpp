#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/deadline.hpp"
#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/service/service_options.hpp"
#include "artel/service/service_stats.hpp"
#include "artel/service/supervision.hpp"
#include "artel/sync/event_count.hpp"

namespace artel::service::detail {

/// A service pool without the types: keeps an object on every worker's thread, and supervises it.
///
/// Invariants:
///  V1  The object of a thread is built, used and destroyed on that thread only. A thread that
///      takes over a slot (because its owner waits or stalls) has an object of its own; the former
///      owner's is destroyed when its handler has returned.
///  V2  While a slot has no object it is paused (WorkerHandle::pause), unless the service has given
///      up: then it takes requests to end them with the Error.
///  V3  A request that meets a thread without an object goes back to the common queue, first in
///      line, and has the object built. It is accepted once and ends once, however often it is put
///      back.
/// Threads: any, where not said otherwise.
class ServiceCore {
 public:
  /// Why an object goes.
  enum class Removal : std::uint8_t { left, broken };
  /// A worker of a type only its maker knows.
  class Object {
   public:
    Object() = default;
    Object(void* object, void (*destroy)(void*, Removal)) : object_(object), destroy_(destroy) {}
    Object(Object&& other) noexcept
        : object_(std::exchange(other.object_, nullptr)), destroy_(other.destroy_) {}
    Object& operator=(Object&& other) noexcept {
      reset(Removal::left);
      object_ = std::exchange(other.object_, nullptr);
      destroy_ = other.destroy_;
      return *this;
    }
    ~Object() { reset(Removal::left); }

    [[nodiscard]] void* get() const { return object_; }
    void reset(Removal why) {
      if (object_ != nullptr) destroy_(std::exchange(object_, nullptr), why);
    }

   private:
    void* object_ = nullptr;
    void (*destroy_)(void*, Removal) = nullptr;
  };
  /// Builds a worker; may throw.
  using Factory = std::function<Object(WorkerId)>;

  /// Requires: options that passed check().
  ServiceCore(ServiceOptions options, Factory factory);
  ServiceCore(const ServiceCore&) = delete;
  ServiceCore& operator=(const ServiceCore&) = delete;
  ~ServiceCore();

  // ---- By whoever asks

  void restart();
  [[nodiscard]] Result<void> wait_serving(Instant until);
  [[nodiscard]] Result<void> resize(unsigned workers);
  void stop(pool::StopMode mode);
  [[nodiscard]] std::vector<pool::RunningTask> stop(pool::StopMode mode, Deadline until);
  [[nodiscard]] ServiceStats stats() const;
  [[nodiscard]] pool::Pool& pool() { return *pool_; }
  [[nodiscard]] const pool::Pool& pool() const { return *pool_; }
  [[nodiscard]] const ServiceOptions& options() const { return options_; }

  // ---- By requests, on a worker's thread

  [[nodiscard]] bool given_up() const { return given_up_.load(); }
  [[nodiscard]] Error error() const;
  /// The object of this thread; null: there is none at present.
  [[nodiscard]] void* object() const;
  /// Whether the current exception breaks the worker.
  [[nodiscard]] bool fatal() const;
  /// Destroys the object of this thread, and has it built anew after the task.
  void broke(std::exception_ptr cause);
  /// This thread has no object, and is between two tasks or in one that will be put back: has one
  /// built before it takes another.
  void have_object_built();
  /// A request is put back because its worker broke.
  void count_retry() { retried_.fetch_add(1); }
  /// The current exception is of interest to nobody who asked.
  void unclaimed_exception() const;

 private:
  struct Seat;
  /// What is known about the object of a slot.
  struct Record {
    const Seat* seat = nullptr;  // of the thread that came last
    WorkerState state = WorkerState::vacant;
    Instant since{};
    Instant build_at{};
    Instant built_at{};
    unsigned failed_in_row = 0;
    std::uint64_t built = 0;
    std::uint64_t failures = 0;
    std::string last_failure;
  };

  static pool::PoolOptions with_hooks(pool::PoolOptions options, ServiceCore& core);

  // On a worker's thread.
  void enter(WorkerId id);
  void leave(WorkerId id);
  void mend();
  bool build(Seat& seat);
  void lost(Seat& seat, std::exception_ptr cause, bool built);
  [[nodiscard]] bool ends_wait(const Seat& seat) const;
  void set_state(const Seat& seat, WorkerState state);
  Record& record(WorkerId id) { return records_[index(id)]; }
  [[nodiscard]] std::optional<Result<void>> all_serving() const;
  [[nodiscard]] WorkerHealth health(const Record& record, const pool::WorkerStats& stats,
                                    Instant now) const;

  static thread_local std::unique_ptr<Seat> current_seat;

  const ServiceOptions options_;
  const Factory factory_;
  std::atomic<bool> given_up_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> retried_ = 0;
  sync::EventCount changed_;  // a state, or whether to go on

  mutable std::mutex lock_;  // of all below
  RestartBudget budget_;
  std::vector<Record> records_;
  Error error_{};  // while given_up_

  std::unique_ptr<pool::Pool> pool_;  // the last, so that its threads end first
};

}  // namespace artel::service::detail
