#include "artel/pool/detail/timers.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/detail/producer.hpp"
#include "artel/pool/detail/thread_manners.hpp"
#include "artel/pool/detail/timer_wheel.hpp"

namespace artel::pool::detail {
namespace {

std::chrono::steady_clock::time_point on_clock(Instant instant) {
  return std::chrono::steady_clock::time_point(instant.time_since_epoch());
}

Timers::Options filled_in(Timers::Options options) {
  if (!options.start_thread) {
    options.start_thread = [](std::function<void()> body) { return std::thread(std::move(body)); };
  }
  return options;
}

}  // namespace

Timers::Timers(Options options) : options_(filled_in(std::move(options))) {}

Timers::~Timers() { stop(); }

Result<void> Timers::add(TimerCallback& callback, Instant due) {
  const Lock lock(lock_);
  if (stopping_) return fail(ErrorCode::closed, "the timers have stopped");
  if (&callback == running_) {
    again_ = due;
    return {};
  }
  if (due != kNever) {
    if (auto started = start_thread(); !started) return started;
  }
  if (wheel_ == nullptr) wheel_ = std::make_unique<TimerWheel>(steady_now());
  if (callback.pending()) wheel_->cancel(callback);
  wheel_->add(callback, due);
  if (due < sleeps_until_) {
    sleeps_until_ = Instant::min();
    sooner_.notify_one();
  }
  return {};
}

Result<void> Timers::start_thread() {
  if (alive_) return {};
  if (thread_.joinable()) thread_.join();  // it has let go of the lock for good
  try {
    thread_ = options_.start_thread([this] { run(); });
    alive_ = true;
    return {};
  } catch (const std::system_error& error) {
    return fail(ErrorCode::unsupported, std::string("no thread for timers: ") + error.what());
  }
}

bool Timers::cancel(TimerCallback& callback) {
  const Lock lock(lock_);
  if (&callback == running_) {
    cancelled_ = true;
    again_ = kNever;
    return false;
  }
  if (!callback.pending()) return false;
  wheel_->cancel(callback);
  return true;
}

void Timers::cancel_and_wait(TimerCallback& callback) {
  if (cancel(callback)) return;
  Lock lock(lock_);
  if (on_own_thread()) return;
  returned_.wait(lock, [&] { return running_ != &callback; });
}

void Timers::stop() {
  std::thread ended;
  Lock lock(lock_);
  stopping_ = true;
  sooner_.notify_one();
  const bool own = on_own_thread();
  if (!own) {
    ended = std::move(thread_);
    lock.unlock();
    if (ended.joinable()) ended.join();
    lock.lock();
    returned_.wait(lock, [this] { return !alive_; });  // somebody else may be joining it
  }
  while (wheel_ != nullptr) {
    auto* const callback = static_cast<TimerCallback*>(wheel_->take_any());
    if (callback == nullptr) return;
    lock.unlock();
    callback->let_go(true);
    lock.lock();
  }
}

bool Timers::awake() const {
  const Lock lock(lock_);
  return alive_;
}

std::uint64_t Timers::looks() const {
  const Lock lock(lock_);
  return looks_;
}

// ---- On the thread

void Timers::run() {
  constexpr std::size_t kNameMax = 15;
  pthread_setname_np(pthread_self(), options_.name.substr(0, kNameMax).c_str());
  ThreadManners::watch_exit();
  never_waits_for_room = true;
  Lock lock(lock_);
  while (!stopping_) {
    const Instant now = steady_now();
    ++looks_;
    auto* const callback = static_cast<TimerCallback*>(wheel_->take_due(now));
    if (callback != nullptr) {
      call(lock, *callback, now);
    } else if (!sleep(lock)) {
      break;
    }
  }
  alive_ = false;
  returned_.notify_all();
}

// False: nothing was due for so long that the thread may end.
bool Timers::sleep(Lock& lock) {
  const Instant due = wheel_->next_due();
  sleeps_until_ = due;
  const Instant until = due != kNever ? due : later(steady_now(), options_.linger);
  const bool woken = sooner_.wait_until(
      lock, on_clock(until), [this] { return stopping_ || sleeps_until_ == Instant::min(); });
  sleeps_until_ = Instant::min();
  return woken || due != kNever;
}

void Timers::call(Lock& lock, TimerCallback& callback, Instant now) {
  running_ = &callback;
  again_ = kNever;
  cancelled_ = false;
  lock.unlock();
  const Instant wanted = callback.on_time(now);
  lock.lock();
  Instant next = cancelled_ ? again_ : std::min(wanted, again_);
  if (next == kNever || stopping_) {
    const bool stopped = next != kNever;
    again_ = kNever;
    lock.unlock();
    callback.let_go(stopped);
    lock.lock();
    next = again_;
  }
  running_ = nullptr;
  if (next != kNever) wheel_->add(callback, next);
  returned_.notify_all();
}

}  // namespace artel::pool::detail
