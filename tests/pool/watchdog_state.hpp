#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

// A model of P4 to P6 in parker.hpp, small enough to try every interleaving: three workers, two
// submitters of one task each, every step one sequentially consistent operation. Worker 0 is in a
// task that does not end; waking and stealing never pay, so that only the watchdog helps.
// watchdog_test.cpp takes the steps; parker_test.cpp has the model of P1 to P3.

namespace artel::pool::watchdog_model {

inline constexpr std::size_t kWorkers = 3;
inline constexpr std::size_t kSubmitters = 2;
inline constexpr std::size_t kAgents = kWorkers + kSubmitters;

/// What may be left out, to see that the model finds it.
struct Protocol {
  bool takes_role_when_parking = true;     // P4, last sentence
  bool submitter_summons = true;           // P4: S makes sure that there is a watchdog
  bool looks_after_resigning = true;       // P5
  bool leaves_successor = true;            // P5, last sentence
  bool resigns = true;                     // P5: an idle pool has no watchdog
  bool answers_when_withdrawing = true;    // P6, first sentence
  bool takes_back_unheard_summons = true;  // P6: nobody was there to be summoned
  bool looks_after_taking_back = true;     // P6, last sentence
};

/// What an agent does next.
enum class Step : std::uint8_t {
  // A worker, Worker::work_once and run_job.
  look,
  queues_watched_any,  // Wakeups::leave_queues_watched
  queues_watched_present,
  queues_watched_queued,
  long_task,
  // Worker::idle, sleep.
  say_idle,
  set_bit,
  look_again,
  others_awake,
  take_role,
  asleep,
  answer,
  say_busy,
  // Worker::withdraw; goes on at `after_withdrawing`.
  withdraw,
  withdraw_wait,
  withdraw_answer,
  // Worker::watch.
  watching,
  woken_resign,
  woken_queued,
  idle_look,
  idle_resign,
  idle_look_again,
  idle_retake,
  rescue_resign,
  // Wakeups::summon_watchdog; goes on at `after_summoning`.
  summon_present,
  summon,
  summon_wake,
  summon_token,
  summon_take_back,
  summon_again,
  // A submitter: Wakeups::after_push, consider_helper.
  put,
  read_own_bit,
  claim_own_bit,
  read_any_bit,
  read_busy,
  done,
};

inline constexpr std::uint8_t kNobody = 0xFF;
inline constexpr std::uint8_t kSummoned = 0xFE;

/// A worker or a submitter.
struct Agent {
  Step step{};
  Step after_summoning{};
  Step after_withdrawing{};
  std::uint8_t victim = 0;  // whose bit it has claimed

  friend bool operator==(const Agent&, const Agent&) = default;
};

/// Everything at one moment.
struct State {
  std::array<Agent, kAgents> agents{};
  std::array<std::uint8_t, kWorkers> queue{};
  std::array<bool, kWorkers> bit{};
  std::array<std::uint8_t, kWorkers> tokens{};
  std::array<bool, kWorkers> busy{};
  std::array<bool, kWorkers> fresh{};
  std::array<bool, kWorkers> rescues{};
  std::array<bool, kWorkers> has_long_task{};
  std::uint8_t holder = kNobody;
  std::uint8_t taken = 0;

  friend bool operator==(const State&, const State&) = default;

  [[nodiscard]] bool anything_queued() const {
    return std::any_of(queue.begin(), queue.end(), [](auto tasks) { return tasks > 0; });
  }
  [[nodiscard]] bool any_bit() const {
    return std::any_of(bit.begin(), bit.end(), [](bool set) { return set; });
  }
};

struct HashBytes {
  static_assert(std::has_unique_object_representations_v<State>);
  std::size_t operator()(const State& state) const {
    std::array<char, sizeof(State)> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    std::memcpy(bytes.data(), &state, sizeof state);
    return std::hash<std::string_view>()({bytes.data(), bytes.size()});
  }
};

/// Who takes part.
struct Scene {
  std::size_t workers;
  std::vector<std::uint8_t> targets;  // to whose queue each submitter's task goes
  bool long_tasks = false;            // those of worker 1 do not end either
};

}  // namespace artel::pool::watchdog_model
