#pragma once

#include <asio/execution/context.hpp>
#include <asio/execution_context.hpp>
#include <asio/query.hpp>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace artel::interop::detail {

/// A handler that waits for a result, as the context in which it is to run sees it.
class ContextWait {
 public:
  ContextWait() = default;
  ContextWait(const ContextWait&) = delete;
  ContextWait& operator=(const ContextWait&) = delete;
  virtual ~ContextWait() = default;

 private:
  friend class ContextWaits;
  /// Destroys the handler, and all that belongs to the context, which is about to go.
  virtual void abandon() = 0;

  bool waits_ = false;  // it is in the list, at
  std::list<std::shared_ptr<ContextWait>>::iterator place_;
};

/// The handlers that wait for results and are to run in one execution context.
///
/// Invariant: one of three takes a wait out and has its handler: the result, a cancellation, or the
///            end of the context; and that comes only when nothing is being posted there.
/// Threads:   any.
class ContextWaits {
 public:
  /// Keeps it until take() or end(); false: that has been.
  [[nodiscard]] bool add(const std::shared_ptr<ContextWait>& wait) {
    const std::lock_guard lock(mutex_);
    if (over_) return false;
    wait->place_ = list_.insert(list_.end(), wait);
    wait->waits_ = true;
    return true;
  }
  /// True: its handler is the caller's, to post it and to call posted() then.
  [[nodiscard]] bool take(ContextWait& wait) {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(wait.waits_, false)) return false;
    list_.erase(wait.place_);
    ++posting_;
    return true;
  }
  void posted() {
    const std::lock_guard lock(mutex_);
    if (--posting_ == 0 && over_) none_.notify_all();
  }
  /// What waits is destroyed and never called, as Asio's own operations are.
  void end() {
    std::list<std::shared_ptr<ContextWait>> waits;
    {
      std::unique_lock lock(mutex_);
      over_ = true;
      none_.wait(lock, [this] { return posting_ == 0; });
      waits.swap(list_);
      for (const auto& wait : waits) wait->waits_ = false;
    }
    for (const auto& wait : waits) wait->abandon();
  }

 private:
  std::mutex mutex_;  // of all of it
  std::condition_variable none_;
  std::list<std::shared_ptr<ContextWait>> list_;
  std::size_t posting_ = 0;
  bool over_ = false;
};

/// Ends a context's waits before anything of it is gone.
class ContextWaitsService final : public asio::execution_context::service {
 public:
  // NOLINTBEGIN(readability-identifier-naming): Asio asks for these names
  using key_type = ContextWaitsService;
  inline static asio::execution_context::id id;
  // NOLINTEND(readability-identifier-naming)

  explicit ContextWaitsService(asio::execution_context& context)
      : asio::execution_context::service(context) {}

  [[nodiscard]] const std::shared_ptr<ContextWaits>& waits() const { return waits_; }

 private:
  void shutdown() override { waits_->end(); }

  const std::shared_ptr<ContextWaits> waits_ = std::make_shared<ContextWaits>();
};

/// Those of the context in which an executor runs things; of one that has none, as that of
/// `use_future`, a list that nobody ends.
template <class Executor>
std::shared_ptr<ContextWaits> waits_of(const Executor& executor) {
  if constexpr (asio::can_query_v<Executor, asio::execution::context_t>) {
    asio::execution_context& context = asio::query(executor, asio::execution::context);
    return asio::use_service<ContextWaitsService>(context).waits();
  } else {
    return std::make_shared<ContextWaits>();
  }
}

}  // namespace artel::interop::detail
