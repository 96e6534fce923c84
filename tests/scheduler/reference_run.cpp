#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "tests/scheduler/program.hpp"

namespace artel::scheduler_test {
namespace {

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

class Interpreter {
 public:
  explicit Interpreter(const Program& program) : program_(program) {
    for (std::size_t i = 0; i < kChannels; ++i) channels_[i].capacity = kCapacity[i];
  }

  Trace run() {
    for (std::size_t script = 0; script < std::min<std::size_t>(2, program_.size()); ++script) {
      handles_.push_back(spawn(script));
    }
    while (!events_.empty()) {
      // The first of the earliest: the list is in order of creation.
      const auto first =
          std::min_element(events_.begin(), events_.end(),
                           [](const Event& x, const Event& y) { return x.time < y.time; });
      const Event event = *first;
      events_.erase(first);
      deliver(event);
    }
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      trace_.push_back({0, static_cast<int>(i), 0, of(handles_[i]).status});
    }
    return trace_;
  }

 private:
  Process& of(int process) { return processes_[static_cast<std::size_t>(process)]; }
  Channel& channel(int i) { return channels_[static_cast<std::size_t>(i) % kChannels]; }
  void note(int process, int step, int value) { trace_.push_back({now_, process, step, value}); }

  // --- Events.

  void deliver(const Event& event) {
    const bool is_timer =
        event.kind == Event::timer || event.kind == Event::limit || event.kind == Event::last_limit;
    if (is_timer && of(event.process).epoch != event.epoch) return;
    now_ = event.time;
    if (event.kind == Event::wake) {
      pending_wakes_.erase(std::find(pending_wakes_.begin(), pending_wakes_.end(), event.process));
      if (of(event.process).status == 0) resume(event.process);
      return;
    }
    if (event.kind == Event::limit) {  // whatever happens right now still counts
      events_.push_back({now_, Event::last_limit, event.process, 0, event.epoch});
      return;
    }
    int served = event.process;
    std::optional<Place> taker;
    if (event.kind == Event::mail) {
      taker = take_waiter(event.process);
      if (!taker) {
        note(kHandled, 0, event.process);
        return;
      }
      served = taker->process;
      of(served).parts[taker->part].result = event.process;
    }
    served_ = served;
    served_ready_ = false;
    if (event.kind == Event::last_limit) {
      time_out(served);
    } else {
      complete(taker ? *taker : Place{event.process, event.part});
    }
    served_ = -1;
    if (served_ready_) resume(served);
  }

  std::optional<Place> take_waiter(int key) {
    for (const int wanted : {key, -1}) {
      for (auto place = mail_waiters_.begin(); place != mail_waiters_.end(); ++place) {
        if (of(place->process).parts[place->part].object != wanted) continue;
        const Place found = *place;
        mail_waiters_.erase(place);
        return found;
      }
    }
    return std::nullopt;
  }

  void wake(int process) {
    if (process == served_) {
      served_ready_ = true;
      return;
    }
    if (std::find(pending_wakes_.begin(), pending_wakes_.end(), process) != pending_wakes_.end()) {
      return;
    }
    pending_wakes_.push_back(process);
    events_.push_back({now_, Event::wake, process, 0, 0});
  }

  // --- Waits that come to an end.

  void complete(Place place) {
    Process& process = of(place.process);
    process.winner = place.part;
    ++process.epoch;
    process.held = true;
    withdraw_all(place.process, place.part);
    wake(place.process);
    end_hold(place.process);
  }
  void time_out(int process) {
    of(process).timed_out = true;
    ++of(process).epoch;
    of(process).held = true;
    withdraw_all(process, SIZE_MAX);
    wake(process);
    end_hold(process);
  }
  void end_hold(int process) {
    of(process).held = false;
    if (of(process).cancel_requested && of(process).status == 0 && process != running_) {
      kill(process);
    }
  }

  void withdraw_all(int process, std::size_t kept) {
    for (const bool tasks : {false, true}) {
      for (std::size_t i = 0; i < of(process).parts.size(); ++i) {
        if (i != kept && (of(process).parts[i].kind == Part::task) == tasks) {
          withdraw({process, i});
        }
      }
    }
  }
  void withdraw(Place place) {
    Part& part = of(place.process).parts[place.part];
    const auto leave = [&](Queue& queue) {
      const auto found = std::find(queue.begin(), queue.end(), place);
      if (found == queue.end()) return false;
      queue.erase(found);
      return true;
    };
    switch (part.kind) {
      case Part::sleep:
        break;  // by its epoch
      case Part::receive:
        leave(channel(part.object).receivers);
        break;
      case Part::send:
        leave(channel(part.object).senders);
        break;
      case Part::acquire:
        if (leave(lenders_)) {
          grant();
        } else if (std::exchange(part.granted, false)) {
          free_ += part.number;
          grant();
        }
        break;
      case Part::down:
        leave(semaphore_queue_);
        if (std::exchange(part.granted, false)) up();
        break;
      case Part::flag:
        leave(flag_queue_);
        break;
      case Part::condition:
        leave(condition_queue_);
        break;
      case Part::arrive:
        leave(barrier_queue_);
        break;
      case Part::next:
        leave(mail_waiters_);
        break;
      case Part::join:
        leave(of(part.object).joiners);
        break;
      case Part::task:
        if (!part.granted) break;  // never started
        leave(of(part.object).joiners);
        cancel(part.object);
        break;
    }
  }

  // --- What the objects do.

  Place* first_other(Queue& queue, const Channel& in, int self) {
    for (Place& place : queue) {
      if (in.capacity != 0 || place.process != self) return &place;
    }
    return nullptr;
  }
  void dismiss(Queue& queue, Place place) {
    queue.erase(std::find(queue.begin(), queue.end(), place));
    complete(place);
  }
  bool send_now(Channel& to, int value, int self) {
    if (Place* receiver = first_other(to.receivers, to, self)) {
      of(receiver->process).parts[receiver->part].result = value;
      dismiss(to.receivers, *receiver);
      return true;
    }
    if (to.values.size() >= to.capacity) return false;
    to.values.push_back(value);
    return true;
  }
  std::optional<int> receive_now(Channel& from, int self) {
    Place* sender = first_other(from.senders, from, self);
    std::optional<int> value;
    if (!from.values.empty()) {
      value = from.values.front();
      from.values.pop_front();
    }
    if (sender == nullptr) return value;
    Part& part = of(sender->process).parts[sender->part];
    part.result = 1;
    if (value) {
      from.values.push_back(part.number);
    } else {
      value = part.number;
    }
    dismiss(from.senders, *sender);
    return value;
  }
  void close(Channel& which) {
    which.closed = true;
    while (!which.senders.empty()) {
      of(which.senders[0].process).parts[which.senders[0].part].result = 0;
      dismiss(which.senders, which.senders[0]);
    }
    while (!which.receivers.empty()) {
      of(which.receivers[0].process).parts[which.receivers[0].part].result = kNothing;
      dismiss(which.receivers, which.receivers[0]);
    }
  }
  void grant() {
    while (!lenders_.empty()) {
      const Place first = lenders_.front();
      Part& part = of(first.process).parts[first.part];
      if (part.number > free_) return;
      free_ -= part.number;
      part.granted = true;
      dismiss(lenders_, first);
    }
  }
  void up() {
    if (semaphore_queue_.empty()) {
      ++count_;
      return;
    }
    const Place first = semaphore_queue_.front();
    of(first.process).parts[first.part].granted = true;
    dismiss(semaphore_queue_, first);
  }
  static int size(const Queue& queue) { return static_cast<int>(queue.size()); }
  int let_all_go(Queue& queue) {
    int count = 0;
    for (; !queue.empty(); ++count) dismiss(queue, queue.front());
    return count;
  }

  // --- Waits that begin.

  bool is_ready(int self, const Part& part) {
    switch (part.kind) {
      case Part::receive: {
        Channel& from = channel(part.object);
        return from.closed || !from.values.empty() ||
               first_other(from.senders, from, self) != nullptr;
      }
      case Part::send: {
        Channel& to = channel(part.object);
        return to.closed || to.values.size() < to.capacity ||
               first_other(to.receivers, to, self) != nullptr;
      }
      case Part::acquire:
        return lenders_.empty() && part.number <= free_;
      default:
        return false;  // not among several
    }
  }

  /// Whether it is done at once.
  bool start(Place place) {
    Process& process = of(place.process);
    Part& part = process.parts[place.part];
    switch (part.kind) {
      case Part::sleep:
        events_.push_back(
            {now_ + part.number, Event::timer, place.process, place.part, process.epoch});
        return false;
      case Part::receive: {
        const std::optional<int> got = receive_now(channel(part.object), place.process);
        part.result = got.value_or(kNothing);
        if (got || channel(part.object).closed) return true;
        channel(part.object).receivers.push_back(place);
        return false;
      }
      case Part::send:
        part.result = 0;
        if (channel(part.object).closed) return true;
        part.result = send_now(channel(part.object), part.number, place.process) ? 1 : 0;
        if (part.result == 0) channel(part.object).senders.push_back(place);
        return part.result == 1;
      case Part::acquire: {
        if (is_ready(place.process, part)) {
          free_ -= part.number;
          part.granted = true;
          return true;
        }
        auto behind = lenders_.begin();
        while (behind != lenders_.end() &&
               of(behind->process).parts[behind->part].priority <= part.priority) {
          ++behind;
        }
        lenders_.insert(behind, place);
        return false;
      }
      case Part::down:
        if (count_ > 0) {
          --count_;
          return true;
        }
        semaphore_queue_.push_back(place);
        return false;
      case Part::flag:
        if (is_set_) return true;
        flag_queue_.push_back(place);
        return false;
      case Part::condition:
        condition_queue_.push_back(place);
        return false;
      case Part::arrive:
        if (size(barrier_queue_) + 1 == 2) {
          let_all_go(barrier_queue_);
          return true;
        }
        barrier_queue_.push_back(place);
        return false;
      case Part::next:
        mail_waiters_.push_back(place);
        return false;
      case Part::join:
        if (of(part.object).status != 0) return true;
        of(part.object).joiners.push_back(place);
        return false;
      case Part::task:
        part.granted = true;
        wake(part.object);
        of(part.object).joiners.push_back(place);
        return false;
    }
    return false;
  }

  /// Waits for the first of the parts; whether that is done at once.
  bool await(int self, std::vector<Part> parts, std::optional<int> limit = std::nullopt) {
    Process& process = of(self);
    process.parts = std::move(parts);
    process.winner.reset();
    process.timed_out = false;
    ++process.epoch;
    if (process.parts.size() > 1) {
      for (std::size_t i = 0; i < process.parts.size() && !process.winner; ++i) {
        if (is_ready(self, process.parts[i])) process.winner = i;
      }
      if (process.winner) return start({self, *process.winner});
    }
    for (std::size_t i = 0; i < of(self).parts.size(); ++i) {
      if (!start({self, i})) continue;
      of(self).winner = i;
      ++of(self).epoch;
      withdraw_all(self, i);
      return true;
    }
    if (limit) events_.push_back({now_ + *limit, Event::limit, self, 0, of(self).epoch});
    return false;
  }

  // --- Processes.

  int spawn(std::size_t script) {
    const int process = prepare(script);
    wake(process);
    return process;
  }
  int prepare(std::size_t script) {
    processes_.emplace_back().script = script;
    return static_cast<int>(processes_.size()) - 1;
  }

  bool cancel(int process) {
    if (of(process).status != 0 || of(process).cancel_requested) return false;
    of(process).cancel_requested = true;
    if (process != running_ && !of(process).held) kill(process);
    return true;
  }
  void kill(int self) {
    constexpr int kCancelled = 3;
    Process& process = of(self);
    process.status = kCancelled;
    if (self == served_) served_ready_ = false;
    if (process.waits) {
      ++process.epoch;
      withdraw_all(self, SIZE_MAX);
    }
    leave(self);
  }
  /// Its frame ends, and who joins it learns of that.
  void leave(int self) {
    Process& process = of(self);
    for (int& units : process.leases) {
      free_ += std::exchange(units, 0);
      grant();
    }
    const bool started = process.at != 0 || process.waits || self == running_;
    if (started) note(self, 0, kEnded);
    let_all_go(process.joiners);
  }
  void end(int self, int status) {
    // Its frame ends first.
    Process& process = of(self);
    for (int& units : process.leases) {
      free_ += std::exchange(units, 0);
      grant();
    }
    process.leases.clear();
    note(self, 0, kEnded);
    running_ = -1;
    process.status = status;
    let_all_go(process.joiners);
  }

  void resume(int self) {
    running_ = self;
    if (std::exchange(of(self).waits, false)) finish_step(self);
    const Script& steps = program_[of(self).script];
    while (of(self).at < steps.size()) {
      const Step& step = steps[of(self).at];
      if (step.what == Do::fail) {
        end(self, 2);
        return;
      }
      std::optional<int> value = act(self, step);
      if (!value) {
        if (!wait_for(self, step)) {
          of(self).waits = true;
          running_ = -1;
          if (of(self).cancel_requested) kill(self);
          return;
        }
        finish_step(self);
        continue;
      }
      note(self, static_cast<int>(of(self).at), *value);
      ++of(self).at;
    }
    end(self, 1);
  }

  /// A step that does not wait; nullopt if it does.
  std::optional<int> act(int self, const Step& step) {
    switch (step.what) {
      case Do::try_send: {
        Channel& to = channel(step.a);
        return !to.closed && send_now(to, value_of(self), -1) ? 1 : 0;
      }
      case Do::try_receive:
        return receive_now(channel(step.a), -1).value_or(kNothing);
      case Do::close:
        close(channel(step.a));
        return 0;
      case Do::release:
        if (!of(self).leases.empty()) {
          free_ += of(self).leases.back();
          of(self).leases.pop_back();
          grant();
        }
        return free_;
      case Do::up:
        up();
        return count_;
      case Do::set_flag:
        is_set_ = true;
        let_all_go(flag_queue_);
        return 0;
      case Do::reset_flag:
        is_set_ = false;
        return 0;
      case Do::notify:
        return let_all_go(condition_queue_);
      case Do::emit:
        events_.push_back({now_ + step.b, Event::mail, step.a % 3, 0, 0});
        return 0;
      case Do::spawn: {
        const std::optional<std::size_t> script = script_to_start(self, step);
        if (!script) return kSkipped;
        handles_.push_back(spawn(*script));
        return handles_.back();
      }
      case Do::cancel:
        return cancel(handle(step.a)) ? 1 : 0;
      case Do::run_within:
        if (!script_to_start(self, step)) return kSkipped;
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  bool wait_for(int self, const Step& step) {
    const int value = value_of(self);
    switch (step.what) {
      case Do::sleep:
        return await(self, {{Part::sleep, 0, step.b}});
      case Do::send:
        return await(self, {{Part::send, step.a, value}});
      case Do::receive:
        return await(self, {{Part::receive, step.a}});
      case Do::acquire:
        return await(self, {{Part::acquire, 0, 1 + step.a % 2, step.b % 2}});
      case Do::down:
        return await(self, {{Part::down}});
      case Do::wait_flag:
        return await(self, {{Part::flag}});
      case Do::wait_condition:
        return await(self, {{Part::condition}});
      case Do::arrive:
        return await(self, {{Part::arrive}});
      case Do::next:
        return await(self, {{Part::next, -1}});
      case Do::next_with_key:
        return await(self, {{Part::next, step.a % 3}});
      case Do::join:
        return await(self, {{Part::join, handle(step.a)}});
      case Do::next_within:
        return await(self, {{Part::next, step.a % 3}}, step.b);
      case Do::receive_within:
        return await(self, {{Part::receive, step.a}}, step.b);
      case Do::receive_any:
        return await(self, {{Part::receive, step.a}, {Part::receive, step.b}, {Part::sleep, 0, 3}});
      case Do::send_or_receive:
        return await(
            self, {{Part::receive, step.a}, {Part::send, step.b, value}, {Part::acquire, 0, 1, 0}});
      case Do::run_within: {
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): there always is one to run within
        const int child = prepare(*script_to_start(self, step));
        return await(self, {{Part::task, child}, {Part::sleep, 0, step.b}});
      }
      default:
        return true;
    }
  }

  /// The process runs on after a wait: what came of it.
  void finish_step(int self) {
    Process& process = of(self);
    const Step& step = program_[process.script][process.at];
    int value = kTimedOut;
    if (!process.timed_out) {
      Part& part = process.parts[process.winner.value_or(0)];
      switch (part.kind) {
        case Part::sleep:
          value = step.what == Do::sleep ? 0 : kTimedOut;
          break;
        case Part::acquire:
          part.granted = false;
          process.leases.push_back(part.number);
          value = step.what == Do::acquire ? free_ : kTimedOut;
          break;
        case Part::down:
          part.granted = false;
          value = count_;
          break;
        case Part::join:
        case Part::task: {
          const int status = of(part.object).status;
          value = status == 1 ? part.object : status == 2 ? kFailed : kNothing;
          break;
        }
        default:
          value = part.result;
      }
    }
    note(self, static_cast<int>(process.at), value);
    ++process.at;
    process.parts.clear();
  }

  [[nodiscard]] int value_of(int self) { return self * 100 + static_cast<int>(of(self).at); }
  [[nodiscard]] int handle(int a) {
    return handles_[static_cast<std::size_t>(a) % handles_.size()];
  }
  [[nodiscard]] std::optional<std::size_t> script_to_start(int self, const Step& step) {
    const std::size_t script = later_script(program_, of(self).script, step.a);
    if (script == program_.size() || processes_.size() == kProcessesMax) return std::nullopt;
    return script;
  }

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

}  // namespace

Trace reference_run(const Program& program) { return Interpreter(program).run(); }

}  // namespace artel::scheduler_test
