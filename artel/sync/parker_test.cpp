#include "artel/sync/parker.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <thread>

#include "artel/core/instant.hpp"

// A model of the protocol in parker.hpp, small enough to try every interleaving: two workers and
// two submitters of one task each, every step one sequentially consistent operation.

namespace artel::sync {
namespace {

constexpr std::size_t kWorkers = 2;
constexpr std::size_t kSubmitters = 2;

enum class WorkerStep : std::uint8_t { look, set_bit, look_again, clear_bit, wait_token, asleep };
enum class SubmitStep : std::uint8_t { put, read_bit, clear_bit, give_token, done };

// What may be left out or swapped, to see that the model finds it.
struct Protocol {
  bool looks_again = true;          // W2
  bool puts_before_reading = true;  // S1 before S2
  bool clears_atomically = true;    // P2
};

struct State {
  std::array<std::uint8_t, kWorkers> queue{};  // tasks in each worker's queue
  std::array<bool, kWorkers> bit{};
  std::array<std::uint8_t, kWorkers> tokens{};
  std::array<WorkerStep, kWorkers> worker{};
  std::array<SubmitStep, kSubmitters> submit{};
  std::array<bool, kSubmitters> saw_bit{};
  std::uint8_t done = 0;

  auto operator<=>(const State&) const = default;
};

class Explorer {
 public:
  explicit Explorer(Protocol protocol) : protocol_(protocol) {}

  // Whether every way ends with all tasks done and no token left over.
  bool sound() {
    explore({});
    return sound_;
  }
  [[nodiscard]] std::size_t states() const { return seen_.size(); }

 private:
  void explore(const State& state) {
    if (!seen_.insert(state).second) return;
    bool moved = false;
    for (std::size_t w = 0; w < kWorkers; ++w) moved |= step_worker(state, w);
    for (std::size_t s = 0; s < kSubmitters; ++s) moved |= step_submitter(state, s);
    if (moved) return;
    if (state.done != kSubmitters) sound_ = false;  // everybody sleeps and a task waits
    for (const auto tokens : state.tokens) sound_ = sound_ && tokens == 0;
  }

  bool step_worker(State state, std::size_t w) {
    WorkerStep& step = state.worker[w];
    switch (step) {
      case WorkerStep::look:
        if (state.queue[w] > 0) {
          --state.queue[w];
          ++state.done;
        } else {
          step = WorkerStep::set_bit;
        }
        break;
      case WorkerStep::set_bit:
        state.bit[w] = true;
        step = protocol_.looks_again ? WorkerStep::look_again : WorkerStep::asleep;
        break;
      case WorkerStep::look_again:
        step = state.queue[w] > 0 ? WorkerStep::clear_bit : WorkerStep::asleep;
        break;
      case WorkerStep::clear_bit:
        step = state.bit[w] ? WorkerStep::look : WorkerStep::wait_token;
        state.bit[w] = false;
        break;
      case WorkerStep::wait_token:
      case WorkerStep::asleep:
        if (state.tokens[w] == 0) return false;
        --state.tokens[w];
        if (state.bit[w]) sound_ = false;  // woken, though nobody claimed it this time
        step = WorkerStep::look;
        break;
    }
    explore(state);
    return true;
  }

  // Both submitters use the queue of worker 0, so that they compete for waking it.
  bool step_submitter(State state, std::size_t s) {
    SubmitStep& step = state.submit[s];
    const std::size_t w = 0;
    switch (step) {
      case SubmitStep::put:
        if (protocol_.puts_before_reading) {
          ++state.queue[w];
        } else {
          state.saw_bit[s] = state.bit[w];
        }
        step = SubmitStep::read_bit;
        break;
      case SubmitStep::read_bit:
        if (protocol_.puts_before_reading) {
          state.saw_bit[s] = state.bit[w];
        } else {
          ++state.queue[w];
        }
        step = state.saw_bit[s] ? SubmitStep::clear_bit : SubmitStep::done;
        break;
      case SubmitStep::clear_bit: {
        const bool mine = protocol_.clears_atomically ? state.bit[w] : true;
        state.bit[w] = false;
        step = mine ? SubmitStep::give_token : SubmitStep::done;
        break;
      }
      case SubmitStep::give_token:
        ++state.tokens[w];
        step = SubmitStep::done;
        break;
      case SubmitStep::done:
        return false;
    }
    explore(state);
    return true;
  }

  Protocol protocol_;
  std::set<State> seen_;
  bool sound_ = true;
};

TEST(ParkingProtocol, LosesNoWakeUpAndLeavesNoTokenInAnyInterleaving) {
  Explorer explorer({});
  EXPECT_TRUE(explorer.sound());
  EXPECT_GT(explorer.states(), 100U);
}

TEST(ParkingProtocol, EveryPartOfItIsNeeded) {
  EXPECT_FALSE(Explorer({.looks_again = false}).sound());
  EXPECT_FALSE(Explorer({.puts_before_reading = false}).sound());
  EXPECT_FALSE(Explorer({.clears_atomically = false}).sound());
}

TEST(Parker, ATokenGivenBeforeParkingIsNotLost) {
  Parker parker;
  parker.unpark();
  EXPECT_TRUE(parker.park());
  EXPECT_FALSE(parker.park(Duration{1000}));
}

TEST(Parker, WakesTheThreadThatParks) {
  Parker parker;
  std::thread sleeper([&parker] { EXPECT_TRUE(parker.park()); });
  parker.unpark();
  sleeper.join();
}

}  // namespace
}  // namespace artel::sync
