#include "bench/pool_throughput/limits.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "bench/measure.hpp"
#include "bench/rivals/tally.hpp"
#include "bench/rivals/throughput.hpp"
#include "bench/spin.hpp"

namespace artel::bench {
namespace {

// Callables in a line each, from one thread to one other.
class Ring {
 public:
  template <class F>
  [[nodiscard]] bool push(F fn) {
    static_assert(sizeof(F) <= sizeof(Slot::callable) && std::is_trivially_copyable_v<F>);
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_seen_ == kSlots) {
      head_seen_ = head_.load(std::memory_order_acquire);  // what is there has been run
      if (tail - head_seen_ == kSlots) return false;
    }
    Slot& slot = slots_[tail % kSlots];
    ::new (slot.callable.data()) F(fn);
    slot.call = [](void* callable) { (*static_cast<F*>(callable))(); };
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  // Runs the next one, if there is one.
  [[nodiscard]] bool run() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_seen_) {
      tail_seen_ = tail_.load(std::memory_order_acquire);
      if (head == tail_seen_) return false;
    }
    Slot& slot = slots_[head % kSlots];
    slot.call(slot.callable.data());
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  static constexpr std::size_t kSlots = 256;
  struct alignas(64) Slot {
    void (*call)(void*) = nullptr;
    alignas(8) std::array<std::byte, 56> callable;
  };
  std::array<Slot, kSlots> slots_;
  alignas(128) std::atomic<std::size_t> tail_ = 0;
  std::size_t head_seen_ = 0;  // by the producer
  alignas(128) std::atomic<std::size_t> head_ = 0;
  std::size_t tail_seen_ = 0;  // by the consumer
};

}  // namespace

Outcome hand_off(std::size_t tasks) {
  Tally tally;
  Ring ring;
  const double seconds = seconds_of([&] {
    std::thread consumer([&] {
      for (std::size_t i = 0; i < tasks; ++i) {
        while (!ring.run()) std::this_thread::yield();
      }
    });
    for (std::size_t i = 0; i < tasks; ++i) {
      while (!ring.push([&tally, i] { tally.add(i); })) std::this_thread::yield();
    }
    consumer.join();
  });
  return per_second(tasks, seconds, std::to_string(tally.sum()));
}

Outcome plain_loop(const Posts& posts) {
  const double work = spin_cpu_seconds(posts.tasks, posts.passes);
  Tally tally;
  const double cpu_before = cpu_seconds();
  const double seconds = seconds_of([&] {
    std::vector<std::thread> threads;
    for (unsigned w = 0; w < posts.workers; ++w) {
      threads.emplace_back([&, w] {
        for (std::size_t i = w; i < posts.tasks; i += posts.workers) {
          spin(posts.passes);
          tally.add(i);
        }
      });
    }
    for (auto& thread : threads) thread.join();
  });
  return posts.outcome(work, seconds, cpu_seconds() - cpu_before, tally.sum());
}

}  // namespace artel::bench
