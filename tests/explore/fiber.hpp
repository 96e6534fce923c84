#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace artel::explore {

/// A thread of control with a stack of its own, on one thread of the system. Switching is by hand.
class Fiber {
 public:
  /// The one that runs now, on the thread's own stack.
  Fiber();
  /// One that runs `body`, which never returns, when it is switched to.
  explicit Fiber(std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// From this one, which runs now, to another.
  void switch_to(Fiber& next);

 private:
  static constexpr std::size_t kStackBytes = 128UL * 1024;

  static void enter(unsigned high, unsigned low);
  void arrived();

  std::function<void()> body_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t context_{};
  // For the sanitizers, which follow stacks.
  [[maybe_unused]] void* tsan_fiber_ = nullptr;
  [[maybe_unused]] void* asan_fake_stack_ = nullptr;
  [[maybe_unused]] const void* asan_bottom_ = nullptr;
  [[maybe_unused]] std::size_t asan_size_ = 0;
};

}  // namespace artel::explore
