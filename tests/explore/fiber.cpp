#include "tests/explore/fiber.hpp"

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARTEL_EXPLORE_ASAN
#endif
#if __has_feature(thread_sanitizer)
#define ARTEL_EXPLORE_TSAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(ARTEL_EXPLORE_ASAN)
#define ARTEL_EXPLORE_ASAN
#endif
#if defined(__SANITIZE_THREAD__) && !defined(ARTEL_EXPLORE_TSAN)
#define ARTEL_EXPLORE_TSAN
#endif
#ifdef ARTEL_EXPLORE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef ARTEL_EXPLORE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace artel::explore {
namespace {

Fiber* left = nullptr;  // the fiber that was switched away from last

}  // namespace

Fiber::Fiber() {
#ifdef ARTEL_EXPLORE_TSAN
  tsan_fiber_ = __tsan_get_current_fiber();
#endif
}

Fiber::Fiber(std::function<void()> body)
    : body_(std::move(body)),
      stack_(std::make_unique_for_overwrite<std::byte[]>(kStackBytes)),
      asan_bottom_(stack_.get()),
      asan_size_(kStackBytes) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack_.get();
  context_.uc_stack.ss_size = kStackBytes;
  const auto address = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&context_, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              static_cast<unsigned>(address >> 32U), static_cast<unsigned>(address));
#ifdef ARTEL_EXPLORE_TSAN
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#ifdef ARTEL_EXPLORE_TSAN
  if (stack_) __tsan_destroy_fiber(tsan_fiber_);
#endif
}

void Fiber::enter(unsigned high, unsigned low) {
  auto* const self =
      reinterpret_cast<Fiber*>((static_cast<std::uintptr_t>(high) << 32U) | low);  // NOLINT
  self->arrived();
  self->body_();
}

void Fiber::switch_to(Fiber& next) {
  left = this;
#ifdef ARTEL_EXPLORE_TSAN
  __tsan_switch_to_fiber(next.tsan_fiber_, 0);
#endif
#ifdef ARTEL_EXPLORE_ASAN
  __sanitizer_start_switch_fiber(&asan_fake_stack_, next.asan_bottom_, next.asan_size_);
#endif
  swapcontext(&context_, &next.context_);
  arrived();
}

void Fiber::arrived() {
#ifdef ARTEL_EXPLORE_ASAN
  // Tells where the stack is that we came from: the only way to learn that of the first one.
  __sanitizer_finish_switch_fiber(asan_fake_stack_, &left->asan_bottom_, &left->asan_size_);
#endif
}

}  // namespace artel::explore
