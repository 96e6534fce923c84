// The limit: the same hand-overs between bare coroutines, without simulated time, events, types or
// anything to cancel: what of the cost is not the kernel's.

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"
#include "bench/sim_await/workload.hpp"

namespace artel::bench::sim_await {
namespace {

struct Bare {
  // NOLINTNEXTLINE(readability-identifier-naming): the language's name
  struct promise_type {
    Bare get_return_object() {
      return Bare(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };

  explicit Bare(std::coroutine_handle<promise_type> of) : handle(of) {}
  Bare(Bare&& other) noexcept : handle(std::exchange(other.handle, {})) {}
  Bare& operator=(Bare&&) = delete;
  ~Bare() {
    if (handle) handle.destroy();
  }

  std::coroutine_handle<promise_type> handle;
};

struct Keyed {
  std::uint64_t left;
  std::deque<std::uint64_t> events;
  std::uint64_t in_hand = 0;
  std::uint64_t sum = 0;
};

template <class After>
Bare wait_for_key(Keyed& shared, std::uint64_t key, After& after) {
  while (true) {
    co_await std::suspend_always{};
    shared.sum += shared.in_hand;
    if (--shared.left == 0) co_return;
    shared.events.push_back(after(key));
  }
}

struct Hand {
  std::vector<std::uint64_t> values;  // a ring
  std::size_t first = 0;
  std::size_t count = 0;
};

Bare send_all(Hand& hand, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    while (hand.count == hand.values.size()) co_await std::suspend_always{};
    hand.values[(hand.first + hand.count++) % hand.values.size()] = i;
  }
}
Bare receive_all(Hand& hand, std::uint64_t count, std::uint64_t& sum) {
  for (std::uint64_t i = 0; i < count; ++i) {
    while (hand.count == 0) co_await std::suspend_always{};
    sum += hand.values[hand.first];
    hand.first = (hand.first + 1) % hand.values.size();
    --hand.count;
  }
}

}  // namespace

Outcome run_keyed_limit(const Workload& workload) {
  random::Stream dice(Seed{1}, "keys");
  const auto after = [&](std::uint64_t key) -> std::uint64_t {
    if (workload.random_keys) return dice.below(workload.outstanding);
    return key + 1 == workload.outstanding ? 0 : key + 1;
  };
  Keyed shared{.left = workload.rounds, .events = {0}};
  std::vector<Bare> waiting;
  waiting.reserve(workload.outstanding);
  for (std::uint32_t key = 0; key < workload.outstanding; ++key) {
    waiting.push_back(wait_for_key(shared, key, after));
    waiting.back().handle.resume();
  }
  const double seconds = seconds_of([&] {
    while (!shared.events.empty()) {
      shared.in_hand = shared.events.front();
      shared.events.pop_front();
      waiting[shared.in_hand].handle.resume();
    }
  });
  return outcome(workload, seconds, shared.sum);
}

Outcome run_channel_limit(const Workload& workload) {
  Hand hand;
  hand.values.resize(workload.capacity == 0 ? 1 : workload.capacity);
  std::uint64_t sum = 0;
  const Bare sender = send_all(hand, workload.rounds);
  const Bare receiver = receive_all(hand, workload.rounds, sum);
  const double seconds = seconds_of([&] {
    while (!receiver.handle.done()) {
      if (!sender.handle.done()) sender.handle.resume();
      receiver.handle.resume();
    }
  });
  return outcome(workload, seconds, sum);
}

}  // namespace artel::bench::sim_await
