#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::scheduler_test {

/// What a process may do in one step; `a` and `b` of the step say with what.
enum class Do : std::uint8_t {
  sleep,            // b ns
  send,             // to channel a
  receive,          // from channel a
  try_send,         //
  try_receive,      //
  close,            // channel a
  acquire,          // 1 + a % 3 units with priority b % 3, kept until released or the end
  release,          // the units acquired last
  down,             // the semaphore
  up,               //
  wait_flag,        //
  set_flag,         //
  reset_flag,       //
  wait_condition,   //
  notify,           // everybody at the condition
  arrive,           // at the barrier for two
  next,             // event
  next_with_key,    // a % 3
  emit,             // an event with key a % 3 after b ns
  spawn,            // a later script
  join,             // process a
  cancel,           // process a
  fail,             //
  next_within,      // b ns, event with key a % 3
  receive_within,   // b ns, from channel a
  receive_any,      // from channel a or b, or sleep 3 ns
  send_or_receive,  // to channel b or from channel a, or acquire
  run_within,       // b ns: a later script as a task
};
inline constexpr std::size_t kKinds = 28;

struct Step {
  Do what = Do::sleep;
  int a = 0;
  int b = 0;
};
using Script = std::vector<Step>;
/// Script 0 is run by one process at the start, script 1, if it is there, by another.
using Program = std::vector<Script>;

inline constexpr int kProcessesMax = 40;
inline constexpr std::size_t kChannels = 3;
inline constexpr std::size_t kCapacity[kChannels] = {0, 1, SIZE_MAX};
inline constexpr int kUnits = 3;

// Results of steps that have none of their own.
inline constexpr int kNothing = -1;  // closed, cancelled
inline constexpr int kFailed = -2;
inline constexpr int kTimedOut = -3;
inline constexpr int kEnded = -4;    // the end of a process' frame
inline constexpr int kHandled = -5;  // an event that no process waited for
inline constexpr int kSkipped = -6;

/// One line of the trace: after which step of which process, when, and what came out.
struct Line {
  std::int64_t time = 0;
  int process = 0;
  int step = 0;
  int value = 0;
  friend auto operator<=>(const Line&, const Line&) = default;
};
using Trace = std::vector<Line>;

/// The script that a step of `script` starts; the number of scripts if there is none.
inline std::size_t later_script(const Program& program, std::size_t script, int a) {
  const std::size_t left = program.size() - script - 1;
  return left == 0 ? program.size() : script + 1 + static_cast<std::size_t>(a) % left;
}

/// What the program does on the kernel.
[[nodiscard]] Trace kernel_run(const Program& program);
/// What it should do, by an interpreter made of lists that shares no code with the kernel.
[[nodiscard]] Trace reference_run(const Program& program);

}  // namespace artel::scheduler_test
