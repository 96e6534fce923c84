// Events, timeouts, and what both have in common with everything that is one.
#include <Python.h>

#include <cmath>

#include "python/sim/exchange.hpp"
#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {

Hooks hooks;
PyObject* pending_value = nullptr;

bool read_time(PyObject* number, double& time, bool& whole) {
  constexpr double kWholeMax = 9007199254740992.0;  // 2^53
  whole = PyLong_Check(number) != 0;
  time = PyFloat_CheckExact(number) ? PyFloat_AS_DOUBLE(number) : PyFloat_AsDouble(number);
  if (time == -1 && PyErr_Occurred() != nullptr) return false;
  if (std::isnan(time)) {
    PyErr_SetString(PyExc_ValueError, "found nan, allowed: a time");
    return false;
  }
  if (std::abs(time) > kWholeMax) whole = false;
  return true;
}

void trigger_with(Event& event, PyObject* value, bool failed) {
  if (event.value != nullptr) {  // by the user's code, which was called meanwhile
    Py_DECREF(value);
    return;
  }
  event.value = value;
  event.failed = failed;
  World* world = world_of(event.env);
  if (world != nullptr) world->schedule(event, 0, true);
}

void trigger(Event& event, PyObject* value, bool failed) {
  trigger_with(event, Py_NewRef(value), failed);
}

bool add_callback(Event& event, PyObject* callback) {
  if (event.more == nullptr) {
    if (event.first == nullptr) {
      event.first = Py_NewRef(callback);
      return true;
    }
    event.more = PyList_New(0);
    if (event.more == nullptr) return false;
  }
  return PyList_Append(event.more, callback) == 0;
}

void remove_callback(Event& event, PyObject* callback) {
  if (event.first == callback) {
    Py_CLEAR(event.first);
    return;
  }
  if (event.more == nullptr) return;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(event.more); ++i) {
    if (PyList_GET_ITEM(event.more, i) != callback) continue;
    PyList_SetSlice(event.more, i, i + 1, nullptr);
    return;
  }
}

namespace {

bool call(PyObject* callback, Event& event) {
  if (PyObject_TypeCheck(callback, &process_type)) return resume(*as<Process>(callback), &event);
  if (PyObject_TypeCheck(callback, &condition_type)) return check(*as<Condition>(callback), event);
  PyObject* result = PyObject_CallOneArg(callback, &event);
  Py_XDECREF(result);
  return result != nullptr;
}

// What comes before the callbacks.
bool prepare(Event& event) {
  if (event.kind == EventKind::condition) return collect(static_cast<Condition&>(event));
  return serve_others(static_cast<Order&>(event));
}

// Raises the failure of an event that nobody has taken notice of.
bool raise_failure(const Event& event) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(event.value)), event.value);
  return false;
}

}  // namespace

bool fire(Event& event) {
  PyObject* first = event.first;
  PyObject* more = event.more;
  event.first = event.more = nullptr;
  event.processed = true;
  bool succeeded = event.kind == EventKind::plain || prepare(event);
  if (first != nullptr) {
    succeeded = succeeded && call(first, event);
    Py_DECREF(first);
  }
  if (more != nullptr) {
    for (Py_ssize_t i = 0; succeeded && i < PyList_GET_SIZE(more); ++i) {
      PyObject* callback = Py_NewRef(PyList_GET_ITEM(more, i));
      succeeded = call(callback, event);
      Py_DECREF(callback);
    }
    Py_DECREF(more);
  }
  if (succeeded && event.failed && !event.defused) return raise_failure(event);
  return succeeded;
}

Event* new_event(PyTypeObject& type, Environment& env) {
  auto* event = as<Event>(new_object(type));
  if (event == nullptr) return nullptr;
  Py_INCREF(&env);
  event->env = &env;
  return event;
}

int traverse_event(Event& event, visitproc visit, void* arg) {
  Py_VISIT(event.env);
  Py_VISIT(event.value);
  Py_VISIT(event.first);
  Py_VISIT(event.more);
  Py_VISIT(event.dict);
  return 0;
}

void clear_event(Event& event) {
  Py_CLEAR(event.value);
  Py_CLEAR(event.first);
  Py_CLEAR(event.more);
  Py_CLEAR(event.dict);
  Py_CLEAR(event.env);
}

namespace {

int traverse(PyObject* self, visitproc visit, void* arg) {
  return traverse_event(*as<Event>(self), visit, arg);
}
int clear(PyObject* self) {
  clear_event(*as<Event>(self));
  return 0;
}

int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", nullptr};
  PyObject* env = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!:Event", const_cast<char**>(names),
                                  &environment_type, &env) == 0) {
    return -1;
  }
  Py_XSETREF(as<Event>(self)->env, as<Environment>(Py_NewRef(env)));
  return 0;
}

bool is_triggerable(Event& event) {
  if (event.env == nullptr) {
    PyErr_SetString(PyExc_RuntimeError,
                    "an event without an environment: its class has to call super().__init__(env)");
    return false;
  }
  if (event.value == nullptr) return true;
  PyErr_Format(PyExc_RuntimeError, "%R has already been triggered", &event);
  return false;
}

PyObject* succeed(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  auto& event = *as<Event>(self);
  PyObject* value = Py_None;
  if (count > 0 || names != nullptr) value = only_argument(args, count, names, "succeed", "value");
  if (value == nullptr || !is_triggerable(event)) return nullptr;
  trigger(event, value, false);
  return Py_NewRef(self);
}

PyObject* fail(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* exception = only_argument(args, count, names, "fail", "exception");
  if (exception == nullptr) return nullptr;
  auto& event = *as<Event>(self);
  if (!is_triggerable(event)) return nullptr;
  if (!PyExceptionInstance_Check(exception)) {
    PyErr_Format(PyExc_ValueError, "%R is not an exception.", exception);
    return nullptr;
  }
  trigger(event, exception, true);
  return Py_NewRef(self);
}

// With the state of another event: a callback that passes it on.
PyObject* trigger_like(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* other = only_argument(args, count, names, "trigger", "event");
  if (other == nullptr) return nullptr;
  auto& event = *as<Event>(self);
  if (!is_event(other) || as<Event>(other)->value == nullptr) {
    PyErr_SetString(PyExc_ValueError, "trigger() takes an event that has been triggered");
    return nullptr;
  }
  if (event.value == nullptr) trigger(event, as<Event>(other)->value, as<Event>(other)->failed);
  Py_RETURN_NONE;
}

PyObject* get_env(PyObject* self, void*) {
  Environment* env = as<Event>(self)->env;
  return env == nullptr ? Py_NewRef(Py_None) : Py_NewRef(env);
}
PyObject* get_value(PyObject* self, void*) {
  PyObject* value = as<Event>(self)->value;
  if (value == nullptr) {
    PyErr_Format(PyExc_AttributeError, "Value of %R is not yet available", self);
    return nullptr;
  }
  return Py_NewRef(value);
}
PyObject* get_triggered(PyObject* self, void*) {
  return PyBool_FromLong(as<Event>(self)->value != nullptr);
}
PyObject* get_processed(PyObject* self, void*) {
  return PyBool_FromLong(as<Event>(self)->processed);
}
PyObject* get_ok(PyObject* self, void*) {
  if (as<Event>(self)->value == nullptr) {
    PyErr_Format(PyExc_AttributeError, "%R has not been triggered", self);
    return nullptr;
  }
  return PyBool_FromLong(!as<Event>(self)->failed);
}
PyObject* get_defused(PyObject* self, void*) { return PyBool_FromLong(as<Event>(self)->defused); }
int set_defused(PyObject* self, PyObject* value, void*) {
  const int truth = value == nullptr ? 0 : PyObject_IsTrue(value);
  if (truth < 0) return -1;
  as<Event>(self)->defused = truth != 0;
  return 0;
}
// As SimPy's inside has them, for classes of events that set them and then schedule().
PyObject* get_inner_value(PyObject* self, void*) {
  PyObject* value = as<Event>(self)->value;
  return Py_NewRef(value == nullptr ? pending_value : value);
}
int set_inner_value(PyObject* self, PyObject* value, void*) {
  auto& event = *as<Event>(self);
  if (value == nullptr || event.behind != nullptr || event.processed) {
    PyErr_Format(PyExc_RuntimeError, "%R has already been scheduled", self);
    return -1;
  }
  Py_XSETREF(event.value, value == pending_value ? nullptr : Py_NewRef(value));
  return 0;
}
PyObject* get_inner_ok(PyObject* self, void*) { return PyBool_FromLong(!as<Event>(self)->failed); }
int set_inner_ok(PyObject* self, PyObject* value, void*) {
  const int truth = value == nullptr ? -1 : PyObject_IsTrue(value);
  if (truth < 0) return -1;
  as<Event>(self)->failed = truth == 0;
  return 0;
}
PyObject* get_callbacks(PyObject* self, void*) {
  auto& event = *as<Event>(self);
  if (event.processed) Py_RETURN_NONE;
  if (event.more == nullptr) {
    event.more = PyList_New(0);
    if (event.more == nullptr) return nullptr;
  }
  if (event.first != nullptr) {
    PyObject* first = event.first;
    if (PyList_Insert(event.more, 0, first) != 0) return nullptr;
    event.first = nullptr;
    Py_DECREF(first);
  }
  return Py_NewRef(event.more);
}

PyObject* combine(PyObject* left, PyObject* right, bool of_all) {
  if (!is_event(left) || !is_event(right) || as<Event>(left)->env == nullptr)
    Py_RETURN_NOTIMPLEMENTED;
  PyObject* events = PyList_New(2);
  if (events == nullptr) return nullptr;
  PyList_SET_ITEM(events, 0, Py_NewRef(left));
  PyList_SET_ITEM(events, 1, Py_NewRef(right));
  PyObject* condition = new_condition(*as<Event>(left)->env, events, of_all);
  Py_DECREF(events);
  return condition;
}
PyObject* any_of(PyObject* left, PyObject* right) { return combine(left, right, false); }
PyObject* all_of(PyObject* left, PyObject* right) { return combine(left, right, true); }

PyMethodDef methods[] = {
    {"succeed", method(succeed), METH_FASTCALL | METH_KEYWORDS,
     "Has it happen now, with this value; returns the event."},
    {"fail", method(fail), METH_FASTCALL | METH_KEYWORDS,
     "Has it fail now with an exception, which is thrown into those who wait."},
    {"trigger", method(trigger_like), METH_FASTCALL | METH_KEYWORDS,
     "Has it happen as another event did."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    {"env", get_env, nullptr, "The environment that it is of.", nullptr},
    {"value", get_value, nullptr, "What it came with; AttributeError before.", nullptr},
    {"triggered", get_triggered, nullptr, "Whether it has happened or is about to.", nullptr},
    {"processed", get_processed, nullptr, "Whether its callbacks were called.", nullptr},
    {"ok", get_ok, nullptr, "Whether it succeeded.", nullptr},
    {"defused", get_defused, set_defused, "Whether somebody has taken notice of its failure.",
     nullptr},
    {"_value", get_inner_value, set_inner_value, nullptr, nullptr},
    {"_ok", get_inner_ok, set_inner_ok, nullptr, nullptr},
    {"_defused", get_defused, set_defused, nullptr, nullptr},
    {"callbacks", get_callbacks, nullptr,
     "Functions to be called with the event; None once they were.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyNumberMethods numbers{.nb_and = all_of, .nb_or = any_of};

// ---- Timeout

int init_timeout(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "delay", "value", nullptr};
  PyObject* env = nullptr;
  PyObject* delay = nullptr;
  PyObject* value = Py_None;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!O|O:Timeout", const_cast<char**>(names),
                                  &environment_type, &env, &delay, &value) == 0) {
    return -1;
  }
  auto& event = *as<Event>(self);
  if (event.value != nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "a timeout begins once");
    return -1;
  }
  double seconds = 0;
  bool whole = false;
  if (!read_time(delay, seconds, whole)) return -1;
  if (seconds < 0) {
    PyErr_Format(PyExc_ValueError, "Negative delay %R", delay);
    return -1;
  }
  Py_XSETREF(event.env, as<Environment>(Py_NewRef(env)));
  event.value = Py_NewRef(value);
  if (World* world = world_of(event.env)) world->schedule(event, seconds, whole);
  return 0;
}

}  // namespace

PyTypeObject event_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject timeout_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool make_event_types() {
  auto& type = event_type;
  type.tp_name = "artel.sim.Event";
  type.tp_doc =
      "Event(env)\n--\n\nSomething that happens at most once: succeed() or fail() has it happen.";
  type.tp_basicsize = sizeof(Event);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_dealloc = dealloc_by_turns<clear, came_alone>;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_as_number = &numbers;
  type.tp_methods = methods;
  type.tp_getset = properties;
  type.tp_dictoffset = offset_of(&Event::dict);
  type.tp_init = init;
  type.tp_new = PyType_GenericNew;
  if (PyType_Ready(&type) != 0) return false;
  auto& timeout = timeout_type;
  timeout.tp_name = "artel.sim.Timeout";
  timeout.tp_doc = "Timeout(env, delay, value=None)\n--\n\nHappens after a time.";
  timeout.tp_base = &event_type;
  timeout.tp_init = init_timeout;
  timeout.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;  // with the collector of its base
  return PyType_Ready(&timeout) == 0;
}

}  // namespace artel::python
