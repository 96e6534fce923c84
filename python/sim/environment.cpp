// The environment: what Python sees of a world, and the short ways to events of all kinds.
#include <Python.h>
#include <structmember.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

constexpr int kUrgent = 0, kNormal = 1;  // as SimPy numbers them
constexpr double kInfinite = std::numeric_limits<double>::infinity();

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto& env = *as<Environment>(self);
  Py_VISIT(env.dict);
  if (env.world == nullptr) return 0;
  for (Pending* each = env.world->due.behind; each != &env.world->due; each = each->behind)
    Py_VISIT(each);
  for (const Urgent& each : env.world->urgent) {
    Py_VISIT(each.event);
    Py_VISIT(each.exception);
  }
  return 0;
}
int clear(PyObject* self) {
  auto& env = *as<Environment>(self);
  World* world = env.world;
  env.world = nullptr;  // what ends now can schedule nothing any more
  delete world;
  Py_CLEAR(env.dict);
  Py_CLEAR(env.now);
  return 0;
}
void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear(self);
  Py_TYPE(self)->tp_free(self);
}

// The world; nullptr: an exception is set.
World* need_world(PyObject* self) {
  World* world = as<Environment>(self)->world;
  if (world == nullptr) PyErr_SetString(PyExc_RuntimeError, "this environment was not made");
  return world;
}

int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"initial_time", nullptr};
  PyObject* start = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Environment", const_cast<char**>(names),
                                  &start) == 0)
    return -1;
  double time = 0;
  bool whole = true;
  if (start != nullptr && !read_time(start, time, whole)) return -1;
  if (time < 0 || std::isinf(time)) {
    PyErr_Format(PyExc_ValueError, "initial_time: found %R, allowed: 0 and above", start);
    return -1;
  }
  auto& env = *as<Environment>(self);
  if (env.world != nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "an environment begins once");
    return -1;
  }
  env.world = new World(env, time, whole);
  env.world->show_now();
  if (env.dict == nullptr) env.dict = PyDict_New();
  return env.dict == nullptr || env.now == nullptr ? -1 : 0;
}
PyObject* get_active(PyObject* self, void*) {
  World* world = need_world(self);
  if (world == nullptr) return nullptr;
  return Py_NewRef(world->active == nullptr ? Py_None : world->active);
}

// Reads (delay, value=None), by place or by name. False: an exception is set.
bool read_timeout(PyObject* const* args, Py_ssize_t count, PyObject* names, PyObject*& delay,
                  PyObject*& value) {
  delay = count > 0 ? args[0] : nullptr;
  value = count > 1 ? args[1] : Py_None;
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    if (PyUnicode_CompareWithASCIIString(name, "value") == 0) {
      value = args[count + i];
    } else if (PyUnicode_CompareWithASCIIString(name, "delay") == 0) {
      delay = args[count + i];
    } else {
      PyErr_Format(PyExc_TypeError, "timeout() has no argument %R; it takes delay and value", name);
      return false;
    }
  }
  if (delay != nullptr && count <= 2) return true;
  PyErr_SetString(PyExc_TypeError, "timeout() takes a delay and a value");
  return false;
}

PyObject* timeout(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  World* world = need_world(self);
  PyObject* delay = nullptr;
  PyObject* value = nullptr;
  if (world == nullptr || !read_timeout(args, count, names, delay, value)) return nullptr;
  double seconds = 0;
  bool whole = false;
  if (!read_time(delay, seconds, whole)) return nullptr;
  if (seconds < 0) {
    PyErr_Format(PyExc_ValueError, "Negative delay %R", delay);
    return nullptr;
  }
  Event* event = new_event(timeout_type, *as<Environment>(self));
  if (event == nullptr) return nullptr;
  event->value = Py_NewRef(value);
  world->schedule(*event, seconds, whole);
  return event;
}

PyObject* make_event(PyObject* self, PyObject*) {
  return new_event(event_type, *as<Environment>(self));
}

PyObject* make_process(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* generator = only_argument(args, count, names, "process", "generator");
  if (generator == nullptr) return nullptr;
  auto* process = as<Process>(new_object(process_type));
  if (process == nullptr) return nullptr;
  if (begin(*process, *as<Environment>(self), generator)) return process;
  Py_DECREF(process);
  return nullptr;
}

PyObject* make_any_of(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* events = only_argument(args, count, names, "any_of", "events");
  return events == nullptr ? nullptr : new_condition(*as<Environment>(self), events, false);
}
PyObject* make_all_of(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* events = only_argument(args, count, names, "all_of", "events");
  return events == nullptr ? nullptr : new_condition(*as<Environment>(self), events, true);
}

PyObject* schedule(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"event", "priority", "delay", nullptr};
  PyObject* object = nullptr;
  int priority = kNormal;
  PyObject* delay = nullptr;
  World* world = need_world(self);
  if (world == nullptr ||
      PyArg_ParseTupleAndKeywords(args, kwargs, "O!|iO:schedule", const_cast<char**>(names),
                                  &event_type, &object, &priority, &delay) == 0) {
    return nullptr;
  }
  auto& event = *as<Event>(object);
  double seconds = 0;
  bool whole = true;
  if (delay != nullptr && !read_time(delay, seconds, whole)) return nullptr;
  if (seconds < 0 || event.behind != nullptr || event.processed) {
    PyErr_SetString(PyExc_ValueError,
                    "schedule() takes an event that is not due yet, and no negative delay");
    return nullptr;
  }
  if (priority != kNormal && (priority != kUrgent || seconds > 0)) {
    PyErr_Format(PyExc_ValueError,
                 "priority: found %d, allowed: %d (NORMAL), and without a delay %d (URGENT)",
                 priority, kNormal, kUrgent);
    return nullptr;
  }
  if (event.value == nullptr) event.value = Py_NewRef(Py_None);
  if (priority == kUrgent) {
    world->make_urgent(event);
  } else {
    world->schedule(event, seconds, whole);
  }
  Py_RETURN_NONE;
}

// What is due, as SimPy's inside has it: a list of (time, priority, number, event) in order.
PyObject* get_queue(PyObject* self, void*) {
  World* world = need_world(self);
  if (world == nullptr) return nullptr;
  struct Entry {
    Event* event;
    int priority;
    double due;
    std::size_t number;
  };
  std::vector<Entry> events;
  for (const Urgent& each : world->urgent)
    events.push_back({each.event, kUrgent, world->now, events.size()});
  for (Pending* each = world->due.behind; each != &world->due; each = each->behind) {
    if (is_event(each))
      events.push_back({as<Event>(each), kNormal, as<Event>(each)->due, events.size()});
  }
  std::ranges::sort(events, {}, [](const Entry& entry) {
    return std::tuple(entry.due, entry.priority, entry.number);
  });

  PyObject* list = PyList_New(0);
  for (std::size_t i = 0; list != nullptr && i < events.size(); ++i) {
    Event* event = events[i].event;
    const int priority = events[i].priority;
    PyObject* time = priority == kUrgent ? world->now_object()
                     : event->whole      ? PyLong_FromDouble(event->due)
                                         : PyFloat_FromDouble(event->due);
    PyObject* entry =
        time == nullptr ? nullptr : Py_BuildValue("(NinO)", time, priority, Py_ssize_t(i), event);
    if (entry == nullptr || PyList_Append(list, entry) != 0) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

// What an event that was waited for has come to.
PyObject* outcome(Event& event) {
  if (event.value == nullptr) {
    PyErr_Format(PyExc_RuntimeError,
                 "No scheduled events left but \"until\" event was not triggered: %R", &event);
    return nullptr;
  }
  if (!event.failed) return Py_NewRef(event.value);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(event.value)), event.value);
  return nullptr;
}

PyObject* step(PyObject* self, PyObject*) {
  World* world = need_world(self);
  if (world == nullptr) return nullptr;
  if (world->running) {
    PyErr_SetString(PyExc_RuntimeError, "a process cannot run the simulation that runs it");
    return nullptr;
  }
  if (!world->step()) return nullptr;
  Py_RETURN_NONE;
}

// The user's step(), of a class or put in its place, as SimPy's recipe for tracing does; `none`:
// there is none. False: an exception is set.
bool find_users_step(PyObject* self, PyObject*& found) {
  found = nullptr;
  if (Py_TYPE(self) == &environment_type && PyDict_Size(as<Environment>(self)->dict) == 0)
    return true;
  static PyObject* const name = PyUnicode_InternFromString("step");
  found = PyObject_GetAttr(self, name);
  if (found == nullptr) return false;
  if (PyCFunction_Check(found) != 0 && PyCFunction_GET_FUNCTION(found) == step &&
      PyCFunction_GET_SELF(found) == self)
    Py_CLEAR(found);
  return true;
}

// Until nothing is left, the event is processed, or all before the time is done.
bool run_world(PyObject* self, Event* until, double end) {
  World& world = *as<Environment>(self)->world;
  PyObject* users_step = nullptr;
  if (!find_users_step(self, users_step)) return false;
  const bool succeeded =
      users_step == nullptr ? world.run(until, end) : world.run_by(users_step, until, end);
  Py_XDECREF(users_step);
  return succeeded;
}

PyObject* run_until_event(PyObject* self, Event& event) {
  if (event.processed) return outcome(event);
  event.defused = true;  // the caller hears of it
  Py_INCREF(&event);
  PyObject* result = run_world(self, &event, kInfinite) ? outcome(event) : nullptr;
  Py_DECREF(&event);
  return result;
}

PyObject* run_until_time(PyObject* self, PyObject* until) {
  World& world = *as<Environment>(self)->world;
  double end = 0;
  bool whole = false;
  if (!read_time(until, end, whole)) return nullptr;
  if (end <= world.now) {
    PyObject* now = world.now_object();
    PyErr_Format(PyExc_ValueError,
                 "until (%R) must be greater than the current simulation time (%R)", until, now);
    Py_XDECREF(now);
    return nullptr;
  }
  if (!run_world(self, nullptr, end)) return nullptr;
  if (!std::isinf(end)) world.go_to(end, whole);
  Py_RETURN_NONE;
}

PyObject* run(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"until", nullptr};
  PyObject* until = Py_None;
  World* world = need_world(self);
  if (world == nullptr ||
      PyArg_ParseTupleAndKeywords(args, kwargs, "|O:run", const_cast<char**>(names), &until) == 0)
    return nullptr;
  if (world->running) {
    PyErr_SetString(PyExc_RuntimeError, "a process cannot run the simulation that runs it");
    return nullptr;
  }
  if (is_event(until)) return run_until_event(self, *as<Event>(until));
  if (until != Py_None) return run_until_time(self, until);
  if (!run_world(self, nullptr, kInfinite)) return nullptr;
  Py_RETURN_NONE;
}

PyObject* peek(PyObject* self, PyObject*) {
  World* world = need_world(self);
  return world == nullptr ? nullptr : PyFloat_FromDouble(world->next_time());
}

PyMethodDef methods[] = {
    {"timeout", method(timeout), METH_FASTCALL | METH_KEYWORDS,
     "timeout(delay, value=None): an event that happens after that time."},
    {"event", make_event, METH_NOARGS,
     "event(): one that happens when somebody calls succeed() or fail()."},
    {"process", method(make_process), METH_FASTCALL | METH_KEYWORDS,
     "process(generator): runs it from now on."},
    {"any_of", method(make_any_of), METH_FASTCALL | METH_KEYWORDS,
     "any_of(events): happens with the first of them."},
    {"all_of", method(make_all_of), METH_FASTCALL | METH_KEYWORDS,
     "all_of(events): happens with the last of them."},
    {"schedule", method(schedule), METH_VARARGS | METH_KEYWORDS,
     "schedule(event, priority=1, delay=0): has it happen then; with priority 0 and no delay "
     "before "
     "everything else that is due."},
    {"run", method(run), METH_VARARGS | METH_KEYWORDS,
     "run(until=None): until nothing is left, a time (without what happens then), or an event, "
     "whose value it returns."},
    {"step", step, METH_NOARGS, "step(): one event; EmptySchedule if there is none."},
    {"peek", peek, METH_NOARGS,
     "peek(): the time of the next event, infinite if there is none. Cost: looks at all that is "
     "due."},
    {nullptr, nullptr, 0, nullptr}};
PyMemberDef members[] = {{"now", T_OBJECT_EX, offset_of(&Environment::now), READONLY, "The time."},
                         {nullptr, 0, 0, 0, nullptr}};
PyGetSetDef properties[] = {
    {"active_process", get_active, nullptr, "The process that is running; None outside of them.",
     nullptr},
    {"_queue", get_queue, nullptr, nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyTypeObject environment_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool make_environment_type() {
  auto& type = environment_type;
  type.tp_name = "artel.sim.Environment";
  type.tp_doc =
      "Environment(initial_time=0)\n--\n\nA clock and what is due, on artel's kernel. Times are "
      "Python's numbers: ints stay\n"
      "ints. Events of one time happen in the order in which they were scheduled.";
  type.tp_basicsize = sizeof(Environment);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_dealloc = dealloc;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_methods = methods;
  type.tp_members = members;
  type.tp_getset = properties;
  type.tp_dictoffset = offset_of(&Environment::dict);
  type.tp_init = init;
  type.tp_new = PyType_GenericNew;
  return PyType_Ready(&type) == 0;
}

}  // namespace artel::python
