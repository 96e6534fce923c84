#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "artel/pool/detail/body_blocks.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/task_body.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

/// A task in a queue: one cache line that holds a task body of any type, ended once.
///
/// Bodies up to 56 bytes that move without throwing are kept in place, larger ones up to 128 bytes
/// in a recycled block; others cost an allocation.
/// Cost:    64 bytes; a move copies them, unless the body has a move constructor of its own.
/// Threads: one at a time.
class Job {
 public:
  static constexpr std::size_t kInline = 56;

  template <class Body>
  static constexpr bool kFits = sizeof(Body) <= kInline && alignof(Body) <= alignof(void*) &&
                                std::is_nothrow_move_constructible_v<Body>;

  Job() = default;
  template <TaskBody Body>
  explicit Job(Body&& body) {
    emplace(std::forward<Body>(body));
  }
  Job(Job&& other) noexcept { take(other); }
  Job& operator=(Job&& other) noexcept {
    if (this != &other) {
      destroy();
      take(other);
    }
    return *this;
  }
  ~Job() { destroy(); }

  /// What constructs it, out of `job`, in memory that holds none.
  static auto moved_from(Job& job) {
    return [&job](void* at) { ::new (at) Job(std::move(job)); };
  }
  /// Moves a job out of memory that holds one and holds none afterwards. Only reads the memory if
  /// copying the bytes will do, so that the cache line can stay with whoever wrote it.
  static void relocate(Job& from, Job& to) {
    to.destroy();
    to.ops_ = from.ops_;
    to.take_body(from);
  }
  /// The same, into memory that holds none.
  static void relocate(Job& from, void* to) {
    auto* const job = ::new (to) Job;
    job->ops_ = from.ops_;
    job->take_body(from);
  }

  [[nodiscard]] explicit operator bool() const { return ops_ != nullptr; }

  /// Runs the task, or ends it unstarted if it may not start any more. Empty afterwards.
  std::optional<TaskOutcome> run(Runner& runner) {
    return std::exchange(ops_, nullptr)->run(room_, runner);
  }
  /// Ends the task without starting it. Empty afterwards.
  std::optional<TaskOutcome> drop(Runner& runner, TaskOutcome outcome) {
    return std::exchange(ops_, nullptr)->drop(room_, runner, outcome);
  }
  /// Nothing for a task that carries no times.
  [[nodiscard]] TaskTimes* times() { return ops_->times(room_); }

  /// The type of its body. One that runs what has another type says so itself (running_type.hpp).
  [[nodiscard]] const std::type_info& type() const { return *ops_->type; }

  /// Whether the body is a `Body` kept in place.
  template <class Body>
  [[nodiscard]] bool holds() const {
    return ops_ == &kOps<Body>;
  }
  template <class Body>
  [[nodiscard]] Body& body() {
    return at<Body>(room_);
  }

 private:
  struct Ops {
    std::optional<TaskOutcome> (*run)(void* room,
                                      Runner& runner);  // run and drop end the body's life
    std::optional<TaskOutcome> (*drop)(void* room, Runner& runner, TaskOutcome outcome);
    void (*relocate)(void* to, void* from);  // null: copying the bytes will do
    void (*destroy)(void* room);             // null: nothing to do
    TaskTimes* (*times)(void* room);
    const std::type_info* type;
  };

  // A body that does not fit; the job owns it.
  template <class Body>
  struct Boxed {
    Body* inner;
    std::optional<TaskOutcome> run(Runner& runner) {
      const BodyOwner<Body> owner(inner);
      return inner->run(runner);
    }
    std::optional<TaskOutcome> drop(Runner& runner, TaskOutcome outcome) {
      const BodyOwner<Body> owner(inner);
      return inner->drop(runner, outcome);
    }
    TaskTimes* times() { return inner->times(); }
    using Inner = Body;
    void end_unused() { BodyDeleter()(inner); }
  };

  template <class Body>
  static Body& at(void* room) {
    return *std::launder(static_cast<Body*>(room));
  }

  // Ends the life of a body when its last function returns.
  template <class Body>
  struct LastCall {
    Body& body;
    explicit LastCall(void* room) : body(at<Body>(room)) {}
    LastCall(const LastCall&) = delete;
    LastCall& operator=(const LastCall&) = delete;
    ~LastCall() { body.~Body(); }
  };

  template <class Body>
  static constexpr auto relocate_of() -> void (*)(void*, void*) {
    if constexpr (std::is_trivially_copyable_v<Body>) return nullptr;
    return [](void* to, void* from) {
      const LastCall<Body> last(from);
      ::new (to) Body(std::move(last.body));
    };
  }
  template <class Body>
  static constexpr auto destroy_of() -> void (*)(void*) {
    if constexpr (requires(Body& body) { body.end_unused(); }) {
      return [](void* room) { at<Body>(room).end_unused(); };
    } else if constexpr (std::is_trivially_destructible_v<Body>) {
      return nullptr;
    } else {
      return [](void* room) { at<Body>(room).~Body(); };
    }
  }

  template <class Body>
  static constexpr const std::type_info* type_of() {
    if constexpr (requires { typename Body::Inner; }) {
      return &typeid(typename Body::Inner);
    } else {
      return &typeid(Body);
    }
  }
  template <class Body>
  static constexpr Ops kOps{
      .run = [](void* room, Runner& runner) { return LastCall<Body>(room).body.run(runner); },
      .drop = [](void* room, Runner& runner,
                 TaskOutcome outcome) { return LastCall<Body>(room).body.drop(runner, outcome); },
      .relocate = relocate_of<Body>(),
      .destroy = destroy_of<Body>(),
      .times = [](void* room) { return at<Body>(room).times(); },
      .type = type_of<Body>()};

  template <class Body>
  void emplace(Body&& body) {
    using B = std::decay_t<Body>;
    if constexpr (kFits<B>) {
      ::new (static_cast<void*>(room_)) B(std::forward<Body>(body));
      ops_ = &kOps<B>;
    } else {
      BodyOwner<B> inner = make_body<B>(std::forward<Body>(body));
      ::new (static_cast<void*>(room_)) Boxed<B>{inner.release()};
      ops_ = &kOps<Boxed<B>>;
    }
  }
  void take(Job& other) {
    ops_ = std::exchange(other.ops_, nullptr);
    take_body(other);
  }
  void take_body(Job& other) {
    if (ops_ == nullptr) return;
    if (ops_->relocate == nullptr) {
      std::memcpy(room_, other.room_, kInline);
    } else {
      ops_->relocate(room_, other.room_);
    }
  }
  void destroy() {
    if (ops_ != nullptr && ops_->destroy != nullptr) ops_->destroy(room_);
  }

  const Ops* ops_ = nullptr;
  alignas(void*) std::byte room_[kInline];  // NOLINT(cppcoreguidelines-pro-type-member-init)
};

static_assert(sizeof(Job) == 64);

}  // namespace artel::pool::detail
