// Stations and sources as Python sees them.
#include <Python.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "python/sim/draws.hpp"
#include "python/sim/objects.hpp"
#include "python/sim/station.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

using Inside = Station::Inside;

constexpr std::size_t kServersMax = 1'000'000;

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto& station = *as<Station>(self);
  Py_VISIT(station.env);
  Py_VISIT(station.dict);
  if (station.inside == nullptr) return 0;
  for (const auto& each : station.inside->waiting) Py_VISIT(each.event);
  for (const auto& each : station.inside->served) Py_VISIT(each.event);
  for (const auto& each : station.inside->next) Py_VISIT(each.second);
  return 0;
}
int clear(PyObject* self) {
  auto& station = *as<Station>(self);
  Inside* inside = std::exchange(station.inside, nullptr);
  if (inside != nullptr) {
    for (const auto& each : inside->waiting) Py_XDECREF(each.event);
    for (const auto& each : inside->served) Py_XDECREF(each.event);
    for (const auto& each : inside->next) Py_DECREF(each.second);
    delete inside;
  }
  Py_CLEAR(station.dict);
  Py_CLEAR(station.service);
  Py_CLEAR(station.env);
  return 0;
}

// A stream of a seed, and of a name of its own. False: an exception is set.
bool read_stream(PyObject* seed, const char* name, random::Stream& stream) {
  if (seed == nullptr) return true;
  unsigned long long number = 0;
  if (!read_whole(seed, number)) return false;
  stream = random::Stream(Seed{number}, name);
  return true;
}

// How many may wait; None: any number. False: an exception is set.
bool read_room(PyObject* object, std::size_t& room) {
  room = std::numeric_limits<std::size_t>::max();
  if (object == Py_None || (PyFloat_Check(object) && std::isinf(PyFloat_AS_DOUBLE(object))))
    return true;
  unsigned long long number = 0;
  if (!read_whole(object, number)) return false;
  room = number;
  return true;
}

int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "servers", "service", "room", "seed", "name", nullptr};
  PyObject* env = nullptr;
  Py_ssize_t servers = 1;
  PyObject* service = Py_None;
  PyObject* room = Py_None;
  PyObject* seed = nullptr;
  const char* name = "station";
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!|nOOOs:Station", const_cast<char**>(names),
                                  &environment_type, &env, &servers, &service, &room, &seed,
                                  &name) == 0) {
    return -1;
  }
  auto& station = *as<Station>(self);
  if (servers < 1 || static_cast<std::size_t>(servers) > kServersMax) {
    PyErr_Format(PyExc_ValueError, "servers: found %zd, allowed: 1 to %zu", servers, kServersMax);
    return -1;
  }
  if (service != Py_None && !PyObject_TypeCheck(service, &law_type)) {
    PyErr_Format(PyExc_TypeError,
                 "service: found %R, allowed: a Distribution, or None where visitors bring it",
                 service);
    return -1;
  }
  World* world = world_of(as<Environment>(env));
  if (station.inside != nullptr || world == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "a station begins once, in an environment that was made");
    return -1;
  }
  std::size_t may_wait = 0;
  random::Stream stream(Seed{1}, name);
  if (!read_room(room, may_wait) || !read_stream(seed, name, stream)) return -1;
  station.env = as<Environment>(Py_NewRef(env));
  if (service != Py_None) station.service = as<Law>(Py_NewRef(service));
  station.servers = static_cast<std::size_t>(servers);
  station.room = may_wait;
  station.inside = new Inside{.stream = stream};
  station.inside->served.resize(station.servers);
  for (std::size_t each = station.servers; each > 0; --each)
    station.inside->free.push_back(each - 1);
  station.inside->figures.queue.reset(world->now);
  station.inside->figures.busy.reset(world->now);
  return 0;
}

// The inside, of a world that is there; nullptr: an exception is set.
Inside* need_inside(PyObject* self) {
  auto& station = *as<Station>(self);
  Inside* inside = world_of(station.env) == nullptr ? nullptr : station.inside;
  if (inside == nullptr) PyErr_SetString(PyExc_RuntimeError, "this station was not made");
  return inside;
}

PyObject* visit(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"service", nullptr};
  PyObject* service = Py_None;
  if (need_inside(self) == nullptr ||
      PyArg_ParseTupleAndKeywords(args, kwargs, "|O:visit", const_cast<char**>(names), &service) ==
          0) {
    return nullptr;
  }
  auto& station = *as<Station>(self);
  Visitor visitor;
  bool whole = false;
  if (service != Py_None && !read_time(service, visitor.service, whole)) return nullptr;
  if (service == Py_None ? station.service == nullptr : visitor.service < 0) {
    PyErr_SetString(PyExc_ValueError,
                    "service: allowed: a time of 0 or more, which is needed where the station has "
                    "no Distribution");
    return nullptr;
  }
  Event* event = new_event(event_type, *station.env);
  if (event == nullptr) return nullptr;
  visitor.event = as<Event>(Py_NewRef(event));
  visitor.since = world_of(station.env)->now;
  enter(station, visitor);
  return event;
}

PyObject* route(PyObject* self, PyObject* routes) {
  Inside* inside = need_inside(self);
  PyObject* list = inside == nullptr
                       ? nullptr
                       : PySequence_Fast(routes, "route() takes [(probability, station), …]");
  if (list == nullptr) return nullptr;
  std::vector<std::pair<double, Station*>> next;
  double sum = 0;
  bool sound = true, is_way = true;
  for (Py_ssize_t i = 0; sound && i < PySequence_Fast_GET_SIZE(list); ++i) {
    double probability = 0;
    PyObject* station = nullptr;
    PyObject* pair = PySequence_Fast_GET_ITEM(list, i);
    sound = PyTuple_Check(pair) &&
            PyArg_ParseTuple(pair, "dO!", &probability, &station_type, &station) != 0 &&
            probability >= 0;
    sum += probability;
    if (!sound) break;
    is_way = is_way && as<Station>(station)->env == as<Station>(self)->env &&
             as<Station>(station)->service != nullptr;
    next.emplace_back(probability, as<Station>(station));
  }
  Py_DECREF(list);
  if (sound && !is_way) {
    PyErr_SetString(PyExc_ValueError,
                    "route() takes stations of its own environment that have a Distribution of "
                    "service");
    return nullptr;
  }
  constexpr double kRounding = 1e-9;
  if (!sound || sum > 1 + kRounding) {
    PyErr_SetString(PyExc_ValueError,
                    "route() takes [(probability, station), …] whose probabilities sum to 1 at "
                    "most; the rest leave");
    return nullptr;
  }
  for (const auto& each : next) Py_INCREF(each.second);
  const auto before = std::exchange(inside->next, std::move(next));
  for (const auto& each : before) Py_DECREF(each.second);
  Py_RETURN_NONE;
}

PyObject* reset(PyObject* self, PyObject*) {
  Inside* inside = need_inside(self);
  if (inside == nullptr) return nullptr;
  const World* world = world_of(as<Station>(self)->env);
  auto& figures = inside->figures;
  figures.response.reset();
  figures.wait.reset();
  figures.queue.reset(world->now);
  figures.busy.reset(world->now);
  figures.arrived = figures.refused = 0;
  Py_RETURN_NONE;
}

PyObject* times_of(const Times& times) {
  const auto& moments = times.moments();
  return Py_BuildValue("{s:K,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "count",
                       static_cast<unsigned long long>(moments.count()), "mean", moments.mean(),
                       "stddev", moments.stddev(), "min", moments.min(), "max", moments.max(),
                       "p50", times.quantile(0.5), "p90", times.quantile(0.9), "p99",
                       times.quantile(0.99));
}

PyObject* get_figures(PyObject* self, void*) {
  Inside* inside = need_inside(self);
  if (inside == nullptr) return nullptr;
  const World* world = world_of(as<Station>(self)->env);
  const auto& figures = inside->figures;
  PyObject* response = times_of(figures.response);
  PyObject* wait = times_of(figures.wait);
  return Py_BuildValue(
      "{s:K,s:K,s:N,s:N,s:d,s:d,s:d}", "arrived", static_cast<unsigned long long>(figures.arrived),
      "refused", static_cast<unsigned long long>(figures.refused), "response", response, "wait",
      wait, "queue", figures.queue.mean(world->now), "queue_max", figures.queue.max(),
      "utilisation",
      figures.busy.mean(world->now) / static_cast<double>(as<Station>(self)->servers));
}
PyObject* get_waiting(PyObject* self, void*) {
  Inside* inside = need_inside(self);
  return inside == nullptr ? nullptr : PyLong_FromSize_t(inside->waiting.size());
}
PyObject* get_busy(PyObject* self, void*) { return PyLong_FromSize_t(as<Station>(self)->busy); }

PyMethodDef methods[] = {
    {"visit", method(visit), METH_VARARGS | METH_KEYWORDS,
     "visit(service=None): an event that happens when the service is done; its value is the time "
     "spent, with routes at all stations on the way; None: no room."},
    {"route", route, METH_O,
     "route([(probability, station), …]): where they go from here; the rest leave."},
    {"reset", reset, METH_NOARGS, "reset(): the end of the warm-up; figures begin anew."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    {"figures", get_figures, nullptr,
     "What was measured: arrived, refused, response, wait, queue, utilisation.", nullptr},
    {"waiting", get_waiting, nullptr, "How many wait.", nullptr},
    {"busy", get_busy, nullptr, "How many are served.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---- Sources

int traverse_source(PyObject* self, visitproc visit, void* arg) {
  auto& source = *as<Source>(self);
  Py_VISIT(source.env);
  Py_VISIT(source.to);
  Py_VISIT(source.dict);
  return 0;
}
int clear_source(PyObject* self) {
  auto& source = *as<Source>(self);
  Py_CLEAR(source.env);
  Py_CLEAR(source.to);
  Py_CLEAR(source.dict);
  Py_CLEAR(source.between);
  delete std::exchange(source.stream, nullptr);
  return 0;
}
void dealloc_source(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear_source(self);
  Py_TYPE(self)->tp_free(self);
}

bool may_go_to(PyObject* to, PyObject* env) {
  if (PyObject_TypeCheck(to, &station_type)) {
    if (as<Station>(to)->service != nullptr && as<Station>(to)->env == env) return true;
    PyErr_SetString(PyExc_ValueError,
                    "to: allowed: a station that has a Distribution of service and is of that "
                    "environment, or a function");
    return false;
  }
  if (PyCallable_Check(to) != 0) return true;
  PyErr_Format(PyExc_TypeError, "to: found %R, allowed: a Station, or a function", to);
  return false;
}

int init_source(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "between", "to", "count", "seed", "name", nullptr};
  PyObject *env = nullptr, *between = nullptr, *to = nullptr, *seed = nullptr;
  PyObject* count = Py_None;
  const char* name = "source";
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!O|OOs:Source", const_cast<char**>(names),
                                  &environment_type, &env, &law_type, &between, &to, &count, &seed,
                                  &name) == 0) {
    return -1;
  }
  auto& source = *as<Source>(self);
  World* world = world_of(as<Environment>(env));
  random::Stream stream(Seed{1}, name);
  unsigned long long left = std::numeric_limits<unsigned long long>::max();
  if ((count != Py_None && !read_whole(count, left)) || !may_go_to(to, env) ||
      !read_stream(seed, name, stream))
    return -1;
  if (source.env != nullptr || world == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "a source begins once, in an environment that was made");
    return -1;
  }
  source.env = as<Environment>(Py_NewRef(env));
  source.between = as<Law>(Py_NewRef(between));
  source.to = Py_NewRef(to);
  source.stream = new random::Stream(stream);
  source.left = left;
  if (left == 0) return 0;
  Py_INCREF(self);
  world->hold(source);
  world->schedule_due(DueArrival{&source}, std::fmax(0, (*source.between->inside)(*source.stream)));
  return 0;
}

PyObject* get_sent(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(as<Source>(self)->sent);
}
PyGetSetDef source_properties[] = {
    {"sent", get_sent, nullptr, "How many came.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyTypeObject station_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject source_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool make_station_types() {
  auto& type = station_type;
  type.tp_name = "artel.sim.Station";
  type.tp_doc =
      "Station(env, servers=1, service=None, room=None, seed=1, name='station')\n--\n\nServers "
      "with one queue, all of it in C++: first "
      "come, first served. `service` is a Distribution; `room` says how many may wait.";
  type.tp_basicsize = sizeof(Station);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_dealloc = dealloc_by_turns<clear>;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_methods = methods;
  type.tp_getset = properties;
  type.tp_dictoffset = offset_of(&Station::dict);
  type.tp_init = init;
  type.tp_new = PyType_GenericNew;
  auto& source = source_type;
  source.tp_name = "artel.sim.Source";
  source.tp_doc =
      "Source(env, between, to, count=None, seed=1, name='source')\n--\n\nCustomers with times "
      "between them from a Distribution, into a "
      "Station, or to a function: what\nthat returns is run as a process if it is a generator.";
  source.tp_basicsize = sizeof(Source);
  source.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  source.tp_dealloc = dealloc_source;
  source.tp_traverse = traverse_source;
  source.tp_clear = clear_source;
  source.tp_getset = source_properties;
  source.tp_dictoffset = offset_of(&Source::dict);
  source.tp_init = init_source;
  source.tp_new = PyType_GenericNew;
  return PyType_Ready(&type) == 0 && PyType_Ready(&source) == 0;
}

}  // namespace artel::python
