#include "python/sim/world.hpp"

#include <Python.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "python/sim/objects.hpp"
#include "python/sim/station.hpp"

namespace artel::python {
namespace {

constexpr std::size_t kTurnsBetweenSignals = 4096;

}  // namespace

void Clock::on(const DueEvent& due) {
  Event& event = *due.event;
  world_->let_go(event);
  world_->arrive(event.whole);
  const bool succeeded = fire(event);
  if (&event == world_->until) world_->simulation.stop();
  Py_DECREF(&event);
  world_->after(succeeded);
}

void Clock::on(const DueRelease& due) {
  Resource& resource = *due.resource;
  if (--resource.releases == 0) world_->let_go(resource);
  world_->arrive(world_->now_is_whole);
  grant_next(resource);
  if (resource.releases == 0) Py_DECREF(&resource);
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
  Py_CLEAR(now_cache);
  while (due.behind != &due) {
    Pending* object = due.behind;
    let_go(*object);
    Py_DECREF(object);
  }
  while (!urgent.empty()) {
    const Urgent first = urgent.front();
    urgent.pop_front();
    Py_DECREF(first.process);
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
  urgent.push_back({&process, exception});
}

PyObject* World::now_object() {
  if (now_cache == nullptr)
    now_cache = now_is_whole ? PyLong_FromDouble(now) : PyFloat_FromDouble(now);
  return Py_XNewRef(now_cache);
}

void World::go_to(double time, bool is_whole) {
  now = time;
  now_is_whole = is_whole;
  Py_CLEAR(now_cache);
}

void World::arrive(bool is_whole) {
  const double time = time_of(clock.now());
  if (time == now && is_whole == now_is_whole) return;
  now = time;
  now_is_whole = is_whole;
  Py_CLEAR(now_cache);
}

void World::after(bool succeeded) {
  if (succeeded && !urgent.empty()) succeeded = drain();
  if (succeeded && ++turns >= kTurnsBetweenSignals) {
    turns = 0;
    succeeded = PyErr_CheckSignals() == 0;
  }
  if (succeeded) return;
  failed = true;
  simulation.stop();
}

bool World::drain() {
  while (!urgent.empty()) {
    const Urgent first = urgent.front();
    urgent.pop_front();
    const bool succeeded = first.exception == nullptr
                               ? resume(*first.process, nullptr)
                               : interrupt_now(*first.process, first.exception);
    Py_DECREF(first.process);
    Py_XDECREF(first.exception);
    if (!succeeded) return false;
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
  if (drain()) {
    if (wanted != nullptr || end == std::numeric_limits<double>::infinity()) {
      simulation.run();
    } else {
      simulation.run_until(Instant{Duration{key_of(end) - 1}});
    }
  } else {
    failed = true;
  }
  until = nullptr;
  running = false;
  return !failed;
}

bool World::step() {
  failed = false;
  running = true;
  if (!urgent.empty()) {
    failed = !drain();
  } else {
    simulation.step();
  }
  running = false;
  return !failed;
}

}  // namespace artel::python
