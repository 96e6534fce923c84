// What happens at stations and sources; station_type.cpp is how Python sees them.
#include "python/sim/station.hpp"

#include <Python.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

void begin_service(World& world, Station& station, const Visitor& visitor) {
  auto& inside = *station.inside;
  const std::size_t server = inside.free.back();
  inside.free.pop_back();
  inside.served[server] = visitor;
  inside.figures.wait.add(world.now - visitor.came);
  inside.figures.busy.add(world.now, 1);
  if (station.busy++ == 0) {
    Py_INCREF(&station);
    world.hold(station);
  }
  const double time =
      visitor.service >= 0 ? visitor.service : (*station.service->inside)(inside.stream);
  world.schedule_due(DueDeparture{&station, server}, std::max(0.0, time));
}

Station* next_of(Station& station) {
  auto& inside = *station.inside;
  if (inside.next.empty()) return nullptr;
  if (inside.next.size() == 1 && inside.next.front().first >= 1) return inside.next.front().second;
  double dice = inside.stream.uniform();
  for (const auto& [probability, next] : inside.next) {
    if (dice < probability) return next;
    dice -= probability;
  }
  return nullptr;
}

}  // namespace

void enter(Station& station, Visitor visitor) {
  World* world = world_of(station.env);
  if (world == nullptr) {
    Py_XDECREF(visitor.event);
    return;
  }
  auto& inside = *station.inside;
  ++inside.figures.arrived;
  visitor.came = world->now;
  if (!inside.free.empty()) {
    return begin_service(*world, station, visitor);
  }
  if (inside.waiting.size() >= station.room) {
    ++inside.figures.refused;
    if (visitor.event == nullptr) return;
    trigger(*visitor.event, Py_None, false);
    return world->give_up(visitor.event);
  }
  inside.waiting.push_back(visitor);
  inside.figures.queue.add(world->now, 1);
}

bool depart(Station& station, std::size_t server) {
  World& world = *world_of(station.env);
  auto& inside = *station.inside;
  Visitor gone = std::exchange(inside.served[server], Visitor{});
  inside.free.push_back(server);
  const double response = world.now - gone.came;
  inside.figures.response.add(response);
  inside.figures.busy.add(world.now, -1);
  if (!inside.waiting.empty()) {
    const Visitor next = inside.waiting.front();
    inside.waiting.pop_front();
    inside.figures.queue.add(world.now, -1);
    begin_service(world, station, next);
  }
  bool succeeded = true;
  if (Station* next = next_of(station)) {
    gone.service = -1;
    enter(*next, gone);
  } else if (gone.event != nullptr) {
    PyObject* value = PyFloat_FromDouble(world.now - gone.since);
    succeeded = value != nullptr;
    if (succeeded) trigger_with(*gone.event, value, false);
    world.give_up(gone.event);
  }
  if (--station.busy == 0) {
    world.let_go(station);
    world.give_up(&station);
  }
  return succeeded;
}

bool come_out(Source& source) {
  World& world = *world_of(source.env);
  ++source.sent;
  bool succeeded = true;
  if (PyObject_TypeCheck(source.to, &station_type)) {
    enter(*as<Station>(source.to), {});
  } else {
    world.show_now();
    PyObject* made = PyObject_CallNoArgs(source.to);
    succeeded = made != nullptr;
    if (succeeded && PyGen_CheckExact(made)) {
      auto* process = as<Process>(new_object(process_type));
      succeeded = process != nullptr && begin(*process, *source.env, made);
      Py_XDECREF(process);
    }
    Py_XDECREF(made);
  }
  if (succeeded && --source.left > 0) {
    world.schedule_due(DueArrival{&source},
                       std::max(0.0, (*source.between->inside)(*source.stream)));
    return true;
  }
  world.let_go(source);
  world.give_up(&source);
  return succeeded;
}

}  // namespace artel::python
