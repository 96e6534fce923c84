// The interpreter's loop, its processes and their steps.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/scheduler/interpreter.hpp"
#include "tests/scheduler/program.hpp"

namespace artel::scheduler_test {

Trace Interpreter::run() {
  for (std::size_t script = 0; script < std::min<std::size_t>(2, program_.size()); ++script) {
    handles_.push_back(spawn(script));
  }
  while (!events_.empty()) {
    // The first of the earliest: the list is in order of creation. A limit comes at the very end.
    const auto first =
        std::min_element(events_.begin(), events_.end(), [](const Event& x, const Event& y) {
          return std::pair(x.time, x.kind == Event::last_limit) <
                 std::pair(y.time, y.kind == Event::last_limit);
        });
    const Event event = *first;
    events_.erase(first);
    deliver(event);
    if (!first_lender_waits_for_units())
      throw std::logic_error("a request that fits waits first in line");
  }
  for (std::size_t i = 0; i < handles_.size(); ++i) {
    trace_.push_back({0, static_cast<int>(i), 0, of(handles_[i]).status});
  }
  return trace_;
}

void Interpreter::deliver(const Event& event) {
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

std::optional<Place> Interpreter::take_waiter(int key) {
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

void Interpreter::wake(int process) {
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

int Interpreter::spawn(std::size_t script) {
  const int process = prepare(script);
  wake(process);
  return process;
}

int Interpreter::prepare(std::size_t script) {
  processes_.emplace_back().script = script;
  return static_cast<int>(processes_.size()) - 1;
}

bool Interpreter::cancel(int process) {
  if (of(process).status != 0 || of(process).cancel_requested) return false;
  of(process).cancel_requested = true;
  if (process != running_ && !of(process).held) kill(process);
  return true;
}

void Interpreter::kill(int self) {
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

void Interpreter::leave(int self) {
  Process& process = of(self);
  for (int& units : process.leases) {
    free_ += std::exchange(units, 0);
    grant();
  }
  const bool started = process.at != 0 || process.waits || self == running_;
  if (started) note(self, 0, kEnded);
  let_all_go(process.joiners);
}

void Interpreter::end(int self, int status) {
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

void Interpreter::resume(int self) {
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

std::optional<int> Interpreter::act(int self, const Step& step) {
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

bool Interpreter::wait_for(int self, const Step& step) {
  const int value = value_of(self);
  switch (step.what) {
    case Do::sleep:
      return await(self, {{Part::sleep, 0, step.b}});
    case Do::send:
      return await(self, {{Part::send, step.a, value}});
    case Do::receive:
      return await(self, {{Part::receive, step.a}});
    case Do::acquire:
      return await(self, {{Part::acquire, 0, 1 + step.a % 3, step.b % 3}});
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

void Interpreter::finish_step(int self) {
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

std::optional<std::size_t> Interpreter::script_to_start(int self, const Step& step) {
  const std::size_t script = later_script(program_, of(self).script, step.a);
  if (script == program_.size() || processes_.size() == kProcessesMax) return std::nullopt;
  return script;
}

Trace reference_run(const Program& program) { return Interpreter(program).run(); }

}  // namespace artel::scheduler_test
