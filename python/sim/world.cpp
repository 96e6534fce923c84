#include "python/sim/world.hpp"

#include <Python.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "python/sim/objects.hpp"
#include "python/sim/station.hpp"

namespace artel::python {
namespace {

constexpr std::size_t kTurnsBetweenSignals = 4096;

// The latest key before that time.
Instant last_before(double time) { return Instant{Duration{World::key_of(time) - 1}}; }

}  // namespace

void Clock::on(const DueEvent& due) {
  Event& event = *due.event;
  world_->let_go(event);
  world_->arrive(event.whole);
  world_->show_now();
  const bool succeeded = fire(event);
  if (world_->has_come()) world_->simulation.stop();
  Py_DECREF(&event);
  world_->after(succeeded);
}

void Clock::on(const DueRelease& due) {
  Resource& resource = *due.resource;
  const bool is_last = --resource.releases == 0;
  if (is_last) world_->let_go(resource);
  world_->arrive(world_->now_is_whole);
  world_->show_now();
  grant_next(resource);
  if (is_last) Py_DECREF(&resource);  // whatever was released meanwhile is held by itself
  world_->after(PyErr_Occurred() == nullptr);
}

void Clock::on(const DueArrival& due) {
  world_->arrive(false);
  world_->after(come_out(*due.source));
}

void Clock::on(const DueDeparture& due) {
  world_->arrive(false);
  world_->after(depart(*due.station, due.server));
}

World::World(Environment& environment, double start, bool start_is_whole)
    : env(&environment),
      clock(simulation.add<Clock>("python", *this)),
      now(start),
      now_is_whole(start_is_whole) {
  due.before = due.behind = &due;
}

World::~World() {
  while (due.behind != &due) {
    Pending* object = due.behind;
    let_go(*object);
    Py_DECREF(object);
  }
  while (!urgent.empty()) {
    const Urgent first = urgent.front();
    urgent.pop_front();
    Py_DECREF(first.event);
    Py_XDECREF(first.exception);
  }
}

void World::hold(Pending& object) {
  object.before = due.before;
  object.behind = &due;
  due.before->behind = &object;
  due.before = &object;
}

void World::let_go(Pending& object) {
  object.before->behind = object.behind;
  object.behind->before = object.before;
  object.before = object.behind = nullptr;
}

void World::schedule(Event& event, double delay, bool delay_is_whole) {
  event.whole = now_is_whole && delay_is_whole;
  event.due = now + delay;
  Py_INCREF(&event);
  hold(event);
  schedule_due(DueEvent{&event}, delay);
}

void World::schedule_release(Resource& resource) {
  if (resource.releases++ == 0) {
    Py_INCREF(&resource);
    hold(resource);
  }
  schedule_due(DueRelease{&resource}, 0);
}

void World::make_urgent(Process& process, PyObject* exception) {
  Py_INCREF(&process);
  Py_XINCREF(exception);
  urgent.push_back({&process, exception, false});
}

void World::make_urgent(Event& event) {
  Py_INCREF(&event);
  event.due = now;
  event.whole = now_is_whole;
  urgent.push_back({&event, nullptr, true});
}

PyObject* World::now_object() {
  show_now();
  return Py_XNewRef(env->now);
}

void World::give_up(PyObject* object) {
  if (Py_REFCNT(object) == 1) show_now();
  Py_DECREF(object);
}

void World::show_now() {
  if (env->now == nullptr)
    env->now = now_is_whole ? PyLong_FromDouble(now) : PyFloat_FromDouble(now);
}

void World::go_to(double time, bool is_whole) {
  now = time;
  now_is_whole = is_whole;
  Py_CLEAR(env->now);
  show_now();
}

void World::arrive(bool is_whole) {
  const double time = time_of(clock.now());
  if (time == now && is_whole == now_is_whole) return;
  now = time;
  now_is_whole = is_whole;
  Py_CLEAR(env->now);
}

void World::after(bool succeeded) {
  if (std::exchange(stepping, false)) simulation.stop();
  // What is urgent when the awaited event has come is what the next run begins with.
  if (succeeded && !urgent.empty() && !has_come()) succeeded = drain();
  if (succeeded && ++turns >= kTurnsBetweenSignals) {
    turns = 0;
    show_now();
    Py_BEGIN_ALLOW_THREADS;  // stations alone would never let them run
    Py_END_ALLOW_THREADS;
    succeeded = PyErr_CheckSignals() == 0;
  }
  if (succeeded) return;
  failed = true;
  simulation.stop();
}

bool World::drain() {
  show_now();  // it may be another thread that has made it urgent, amid what is none of Python's
  while (!urgent.empty()) {
    const Urgent first = urgent.front();
    urgent.pop_front();
    bool succeeded = true;
    if (!first.is_due) {
      auto& process = *static_cast<Process*>(first.event);
      succeeded = first.exception == nullptr ? resume(process, nullptr)
                                             : interrupt_now(process, first.exception);
    } else if (!first.event->processed) {
      if (first.event->value == nullptr) first.event->value = Py_NewRef(Py_None);
      succeeded = fire(*first.event);
    }
    Py_DECREF(first.event);
    Py_XDECREF(first.exception);
    if (has_come()) simulation.stop();
    if (!succeeded || has_come()) return succeeded;
  }
  return true;
}

double World::next_time() {
  if (!urgent.empty()) return now;
  double next = std::numeric_limits<double>::infinity();
  simulation.cancel_if([&](const sim::Event& event) {
    next = std::min(next, time_of(event.time()));
    return false;
  });
  return next;
}

bool World::run(Event* wanted, double end) {
  failed = false;
  running = true;
  until = wanted;
  if (!drain()) {
    failed = true;
  } else if (has_come()) {
    // It was urgent.
  } else if (wanted != nullptr || std::isinf(end)) {
    simulation.run();
  } else {
    simulation.run_until(last_before(end));
  }
  show_now();
  until = nullptr;
  running = false;
  return !failed;
}

bool World::step() {
  failed = false;
  running = true;
  bool nothing = false;
  if (!urgent.empty()) {
    failed = !drain();
  } else {
    stepping = true;
    simulation.run_until(limit.value_or(kNever));
    nothing = std::exchange(stepping, false);
  }
  show_now();
  running = false;
  if (nothing) PyErr_SetNone(hooks.empty_schedule);
  return !failed && !nothing;
}

bool World::run_by(PyObject* step, Event* wanted, double end) {
  if (!std::isinf(end)) limit = last_before(end);
  bool succeeded = true;
  while (succeeded && (wanted == nullptr || !wanted->processed)) {
    PyObject* done = PyObject_CallNoArgs(step);
    succeeded = done != nullptr;
    Py_XDECREF(done);
  }
  limit.reset();
  if (succeeded) return true;
  if (PyErr_ExceptionMatches(hooks.empty_schedule) == 0) return false;
  PyErr_Clear();
  return true;
}

}  // namespace artel::python
