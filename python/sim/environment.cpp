// The environment: what Python sees of a world, and the short ways to events of all kinds.
#include <Python.h>

#include <cmath>
#include <limits>

#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto& env = *as<Environment>(self);
  Py_VISIT(env.dict);
  if (env.world == nullptr) return 0;
  for (Pending* each = env.world->due.behind; each != &env.world->due; each = each->behind)
    Py_VISIT(each);
  for (const Urgent& each : env.world->urgent) {
    Py_VISIT(each.process);
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
  return 0;
}

PyObject* get_now(PyObject* self, void*) {
  World* world = need_world(self);
  return world == nullptr ? nullptr : world->now_object();
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

PyObject* make_process(PyObject* self, PyObject* generator) {
  auto* process = as<Process>(process_type.tp_alloc(&process_type, 0));
  if (process == nullptr) return nullptr;
  if (begin(*process, *as<Environment>(self), generator)) return process;
  Py_DECREF(process);
  return nullptr;
}

PyObject* make_any_of(PyObject* self, PyObject* events) {
  return new_condition(*as<Environment>(self), events, false);
}
PyObject* make_all_of(PyObject* self, PyObject* events) {
  return new_condition(*as<Environment>(self), events, true);
}

PyObject* schedule(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"event", "priority", "delay", nullptr};
  PyObject* object = nullptr;
  PyObject* priority = nullptr;
  PyObject* delay = nullptr;
  World* world = need_world(self);
  if (world == nullptr ||
      PyArg_ParseTupleAndKeywords(args, kwargs, "O!|OO:schedule", const_cast<char**>(names),
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
  if (event.value == nullptr) event.value = Py_NewRef(Py_None);
  world->schedule(event, seconds, whole);
  Py_RETURN_NONE;
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

PyObject* run_until_event(World& world, Event& event) {
  if (event.processed) return outcome(event);
  event.defused = true;  // the caller hears of it
  Py_INCREF(&event);
  PyObject* result = world.run(&event, 0) ? outcome(event) : nullptr;
  Py_DECREF(&event);
  return result;
}

PyObject* run_until_time(World& world, PyObject* until) {
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
  if (!world.run(nullptr, end)) return nullptr;
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
  if (is_event(until)) return run_until_event(*world, *as<Event>(until));
  if (until != Py_None) return run_until_time(*world, until);
  if (!world->run(nullptr, std::numeric_limits<double>::infinity())) return nullptr;
  Py_RETURN_NONE;
}

PyObject* step(PyObject* self, PyObject*) {
  World* world = need_world(self);
  if (world == nullptr) return nullptr;
  if (world->running) {
    PyErr_SetString(PyExc_RuntimeError, "a process cannot run the simulation that runs it");
    return nullptr;
  }
  if (world->idle()) {
    PyErr_SetNone(hooks.empty_schedule);
    return nullptr;
  }
  if (!world->step()) return nullptr;
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
    {"process", make_process, METH_O, "process(generator): runs it from now on."},
    {"any_of", make_any_of, METH_O, "any_of(events): happens with the first of them."},
    {"all_of", make_all_of, METH_O, "all_of(events): happens with the last of them."},
    {"schedule", method(schedule), METH_VARARGS | METH_KEYWORDS,
     "schedule(event, priority=1, delay=0): has it happen then."},
    {"run", method(run), METH_VARARGS | METH_KEYWORDS,
     "run(until=None): until nothing is left, a time (without what happens then), or an event, "
     "whose value it returns."},
    {"step", step, METH_NOARGS, "step(): one event; EmptySchedule if there is none."},
    {"peek", peek, METH_NOARGS,
     "peek(): the time of the next event, infinite if there is none. Looks at all."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    {"now", get_now, nullptr, "The time.", nullptr},
    {"active_process", get_active, nullptr, "The process that is running; None outside of them.",
     nullptr},
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
  type.tp_getset = properties;
  type.tp_dictoffset = offset_of(&Environment::dict);
  type.tp_init = init;
  type.tp_new = PyType_GenericNew;
  return PyType_Ready(&type) == 0;
}

}  // namespace artel::python
