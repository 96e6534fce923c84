#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tests/scheduler/program.hpp"

namespace artel::scheduler_test {

/// One of the things that a process waits for at the same time.
struct Part {
  enum Kind { sleep, receive, send, acquire, down, flag, condition, arrive, next, join, task };
  Kind kind = sleep;
  int object = 0;  // channel, key (-1: any) or process
  int number = 0;  // value to send, units, time
  int priority = 0;
  // What came of it.
  int result = 0;
  bool granted = false;
};

/// A place in a queue: which part of which process.
struct Place {
  int process = 0;
  std::size_t part = 0;
  friend bool operator==(const Place&, const Place&) = default;
};
using Queue = std::deque<Place>;

struct Process {
  std::size_t script = 0;
  std::size_t at = 0;  // step
  int status = 0;      // as ProcessStatus
  bool waits = false;
  bool cancel_requested = false;
  bool held = false;
  std::vector<Part> parts;
  std::optional<std::size_t> winner;
  std::optional<int> limit;  // ns
  bool timed_out = false;
  int epoch = 0;  // timers of earlier waits are void
  std::vector<int> leases;
  Queue joiners;
};

struct Event {
  enum Kind { wake, timer, limit, last_limit, mail };
  std::int64_t time = 0;
  Kind kind = wake;
  int process = 0;  // or key
  std::size_t part = 0;
  int epoch = 0;
};

struct Channel {
  std::size_t capacity = 0;
  bool closed = false;
  std::deque<int> values;
  Queue senders;
  Queue receivers;
};

/// Runs a program on lists, with no care for speed: what reference_run() is made of.
class Interpreter {
 public:
  explicit Interpreter(const Program& program) : program_(program) {
    for (std::size_t i = 0; i < kChannels; ++i) channels_[i].capacity = kCapacity[i];
  }

  Trace run();

 private:
  Process& of(int process) { return processes_[static_cast<std::size_t>(process)]; }
  Part& part_at(Place place) { return of(place.process).parts[place.part]; }
  Channel& channel(int i) { return channels_[static_cast<std::size_t>(i) % kChannels]; }
  void note(int process, int step, int value) { trace_.push_back({now_, process, step, value}); }

  // --- Events.

  void deliver(const Event& event);

  std::optional<Place> take_waiter(int key);

  void wake(int process);

  // --- Waits that come to an end.

  void complete(Place place);
  void time_out(int process);
  void end_hold(int process);

  void withdraw_all(int process, std::size_t kept);
  void withdraw(Place place);

  // --- What the objects do.

  Place* first_other(Queue& queue, const Channel& in, int self);
  void dismiss(Queue& queue, Place place);
  bool send_now(Channel& to, int value, int self);
  std::optional<int> receive_now(Channel& from, int self);
  void close(Channel& which);
  void grant();
  void up();
  static int size(const Queue& queue) { return static_cast<int>(queue.size()); }
  int let_all_go(Queue& queue);

  // --- Waits that begin.

  bool is_ready(int self, const Part& part);

  /// Whether it is done at once.
  bool start(Place place);
  bool start_acquire(Place place, Part& part);
  [[nodiscard]] bool first_lender_waits_for_units();

  /// Waits for the first of the parts; whether that is done at once.
  bool await(int self, std::vector<Part> parts, std::optional<int> limit = std::nullopt);

  // --- Processes.

  int spawn(std::size_t script);
  int prepare(std::size_t script);

  bool cancel(int process);
  void kill(int self);
  /// Its frame ends, and who joins it learns of that.
  void leave(int self);
  void end(int self, int status);

  void resume(int self);

  /// A step that does not wait; nullopt if it does.
  std::optional<int> act(int self, const Step& step);

  bool wait_for(int self, const Step& step);

  /// The process runs on after a wait: what came of it.
  void finish_step(int self);

  [[nodiscard]] int value_of(int self) { return self * 100 + static_cast<int>(of(self).at); }
  [[nodiscard]] int handle(int a);
  [[nodiscard]] std::optional<std::size_t> script_to_start(int self, const Step& step);

  const Program& program_;
  Trace trace_;
  std::int64_t now_ = 0;
  std::vector<Event> events_;  // in order of creation
  std::deque<Process> processes_;
  std::vector<int> handles_;
  std::vector<int> pending_wakes_;
  int running_ = -1;
  int served_ = -1;
  bool served_ready_ = false;
  Channel channels_[kChannels];
  int free_ = kUnits;
  Queue lenders_;
  int count_ = 1;
  Queue semaphore_queue_;
  bool is_set_ = false;
  Queue flag_queue_;
  Queue condition_queue_;
  Queue barrier_queue_;
  Queue mail_waiters_;
};

}  // namespace artel::scheduler_test
