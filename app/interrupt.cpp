#include "app/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "app/command.hpp"
#include "artel/core/instant.hpp"

namespace artel::app {
namespace {

// Wakes the watcher when there is nothing left to watch.
constexpr int kDismissal = SIGUSR1;

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, kDismissal}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

void wait_or_stop(Duration time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
}

struct InterruptGuard::Watcher {
  sigset_t before{};
  std::jthread thread;
};

InterruptGuard::InterruptGuard() : watcher_(std::make_unique<Watcher>()) {
  const auto signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &watcher_->before);
  watcher_->thread = std::jthread([this] {
    const auto watched = watched_signals();
    while (true) {
      int signal = 0;
      sigwait(&watched, &signal);
      if (signal == kDismissal) return;
      if (stop_.stop_requested()) _exit(static_cast<int>(ExitStatus::interrupted));
      stop_.request_stop();
    }
  });
}

InterruptGuard::~InterruptGuard() {
  pthread_kill(watcher_->thread.native_handle(), kDismissal);
  watcher_->thread.join();
  pthread_sigmask(SIG_SETMASK, &watcher_->before, nullptr);
}

}  // namespace artel::app
