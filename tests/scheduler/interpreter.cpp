// The interpreter's waits: how they begin and end, and the objects that they are for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "tests/scheduler/interpreter.hpp"
#include "tests/scheduler/program.hpp"

namespace artel::scheduler_test {

void Interpreter::complete(Place place) {
  Process& process = of(place.process);
  process.winner = place.part;
  ++process.epoch;
  process.held = true;
  withdraw_all(place.process, place.part);
  wake(place.process);
  end_hold(place.process);
}

void Interpreter::time_out(int process) {
  of(process).timed_out = true;
  ++of(process).epoch;
  of(process).held = true;
  withdraw_all(process, SIZE_MAX);
  wake(process);
  end_hold(process);
}

void Interpreter::end_hold(int process) {
  of(process).held = false;
  if (of(process).cancel_requested && of(process).status == 0 && process != running_) {
    kill(process);
  }
}

void Interpreter::withdraw_all(int process, std::size_t kept) {
  for (const bool tasks : {false, true}) {
    for (std::size_t i = 0; i < of(process).parts.size(); ++i) {
      if (i != kept && (of(process).parts[i].kind == Part::task) == tasks) {
        withdraw({process, i});
      }
    }
  }
}

void Interpreter::withdraw(Place place) {
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

Place* Interpreter::first_other(Queue& queue, const Channel& in, int self) {
  for (Place& place : queue) {
    if (in.capacity != 0 || place.process != self) return &place;
  }
  return nullptr;
}

void Interpreter::dismiss(Queue& queue, Place place) {
  queue.erase(std::find(queue.begin(), queue.end(), place));
  complete(place);
}

bool Interpreter::send_now(Channel& to, int value, int self) {
  if (Place* receiver = first_other(to.receivers, to, self)) {
    of(receiver->process).parts[receiver->part].result = value;
    dismiss(to.receivers, *receiver);
    return true;
  }
  if (to.values.size() >= to.capacity) return false;
  to.values.push_back(value);
  return true;
}

std::optional<int> Interpreter::receive_now(Channel& from, int self) {
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

void Interpreter::close(Channel& which) {
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

void Interpreter::grant() {
  while (!lenders_.empty()) {
    const Place first = lenders_.front();
    Part& part = of(first.process).parts[first.part];
    if (part.number > free_) return;
    free_ -= part.number;
    part.granted = true;
    dismiss(lenders_, first);
  }
}

void Interpreter::up() {
  if (semaphore_queue_.empty()) {
    ++count_;
    return;
  }
  const Place first = semaphore_queue_.front();
  of(first.process).parts[first.part].granted = true;
  dismiss(semaphore_queue_, first);
}

int Interpreter::let_all_go(Queue& queue) {
  int count = 0;
  for (; !queue.empty(); ++count) dismiss(queue, queue.front());
  return count;
}

bool Interpreter::is_ready(int self, const Part& part) {
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
      return part.number <= free_ &&
             (lenders_.empty() || part_at(lenders_.front()).priority > part.priority);
    default:
      return false;  // not among several
  }
}

bool Interpreter::start_acquire(Place place, Part& part) {
  if (is_ready(place.process, part)) {
    free_ -= part.number;
    part.granted = true;
    return true;
  }
  auto behind = lenders_.begin();
  while (behind != lenders_.end() && part_at(*behind).priority <= part.priority) ++behind;
  lenders_.insert(behind, place);
  return false;
}

/// The law: whatever stands first and fits does not wait.
bool Interpreter::first_lender_waits_for_units() {
  return lenders_.empty() || part_at(lenders_.front()).number > free_;
}

bool Interpreter::start(Place place) {
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
    case Part::acquire:
      return start_acquire(place, part);
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

bool Interpreter::await(int self, std::vector<Part> parts, std::optional<int> limit) {
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

int Interpreter::handle(int a) { return handles_[static_cast<std::size_t>(a) % handles_.size()]; }

}  // namespace artel::scheduler_test
