// Processes: generators that are resumed when what they wait for has happened.
#include <Python.h>

#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

// What a generator says when an exception is thrown into it.
PySendResult throw_into(PyObject* generator, PyObject* exception, PyObject** result) {
  static PyObject* const name = PyUnicode_InternFromString("throw");
  *result = PyObject_CallMethodOneArg(generator, name, exception);
  if (*result != nullptr) return PYGEN_NEXT;
  if (PyErr_ExceptionMatches(PyExc_StopIteration) == 0) return PYGEN_ERROR;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  *result = PyObject_GetAttrString(value, "value");
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return *result == nullptr ? PYGEN_ERROR : PYGEN_RETURN;
}

// It has ended. What nobody can see is not scheduled.
void end(Process& process, PyObject* value, bool failed) {
  Py_CLEAR(process.target);
  const bool unseen =
      Py_REFCNT(&process) == 1 && process.first == nullptr && process.more == nullptr;
  if (!failed && unseen && process.value == nullptr) {
    process.value = value;
    process.processed = true;
    return;
  }
  trigger_with(process, value, failed);
}

// Takes the exception that is set as what the process failed with; false: that is for whoever runs
// the simulation.
bool end_with_exception(Process& process) {
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0 ||
      PyErr_ExceptionMatches(PyExc_SystemExit) != 0)
    return false;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  end(process, value, true);
  return true;
}

// Waits for what it has yielded, and takes the reference to it. `next`: that has happened already.
bool wait_for(Process& process, PyObject* yielded, Event*& next) {
  next = nullptr;
  if (!is_event(yielded)) {
    PyObject* text =
        PyObject_CallFunctionObjArgs(hooks.no_event, process.generator, yielded, nullptr);
    if (text != nullptr) PyErr_SetObject(PyExc_RuntimeError, text);
    Py_XDECREF(text);
    Py_DECREF(yielded);
    return false;
  }
  auto* event = as<Event>(yielded);
  if (event->env != process.env) {
    PyErr_Format(PyExc_RuntimeError, "%R has yielded an event of another environment", &process);
    Py_DECREF(yielded);
    return false;
  }
  Event* const before = process.target;
  process.target = event;
  Py_XDECREF(before);
  if (event->processed) {
    next = event;
    return true;
  }
  return add_callback(*event, &process);
}

// Runs it until it has to wait; begins with an exception if there is one, else with the value.
bool advance(Process& process, PyObject* value, PyObject* exception) {
  World* world = world_of(process.env);
  if (process.value != nullptr || world == nullptr) return true;
  world->active = &process;
  bool succeeded = true;
  while (true) {
    PyObject* result = nullptr;
    const PySendResult sent = exception == nullptr
                                  ? PyIter_Send(process.generator, value, &result)
                                  : throw_into(process.generator, exception, &result);
    if (sent == PYGEN_RETURN) {
      end(process, result, false);
      break;
    }
    if (sent == PYGEN_ERROR) {
      succeeded = end_with_exception(process);
      break;
    }
    Event* next = nullptr;
    succeeded = wait_for(process, result, next);
    if (next == nullptr) break;
    if (next->failed) next->defused = true;
    value = next->value;
    exception = next->failed ? next->value : nullptr;
  }
  world->active = nullptr;
  return succeeded;
}

}  // namespace

bool resume(Process& process, Event* event) {
  if (event == nullptr) return advance(process, Py_None, nullptr);
  if (!event->failed) [[likely]]
    return advance(process, event->value, nullptr);
  event->defused = true;
  return advance(process, nullptr, event->value);
}

bool interrupt_now(Process& process, PyObject* exception) {
  if (process.value != nullptr) return true;  // it ended meanwhile
  if (process.target != nullptr) remove_callback(*process.target, &process);
  return advance(process, nullptr, exception);
}

namespace {

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto& process = *as<Process>(self);
  Py_VISIT(process.generator);
  Py_VISIT(process.target);
  return traverse_event(process, visit, arg);
}
int clear(PyObject* self) {
  auto& process = *as<Process>(self);
  Py_CLEAR(process.generator);
  Py_CLEAR(process.target);
  clear_event(process);
  return 0;
}

int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "generator", nullptr};
  PyObject* env = nullptr;
  PyObject* generator = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!O:Process", const_cast<char**>(names),
                                  &environment_type, &env, &generator) == 0) {
    return -1;
  }
  return begin(*as<Process>(self), *as<Environment>(env), generator) ? 0 : -1;
}

PyObject* interrupt(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  auto& process = *as<Process>(self);
  World* world = world_of(process.env);
  PyObject* cause = Py_None;
  if (count > 0 || names != nullptr)
    cause = only_argument(args, count, names, "interrupt", "cause");
  if (cause == nullptr) return nullptr;
  if (process.value != nullptr || world == nullptr) {
    PyErr_Format(PyExc_RuntimeError, "%R has terminated and cannot be interrupted.", self);
    return nullptr;
  }
  if (world->active == &process) {
    PyErr_SetString(PyExc_RuntimeError, "A process is not allowed to interrupt itself.");
    return nullptr;
  }
  PyObject* exception = PyObject_CallOneArg(hooks.interrupt, cause);
  if (exception == nullptr) return nullptr;
  world->make_urgent(process, exception);
  Py_DECREF(exception);
  Py_RETURN_NONE;
}

PyObject* get_target(PyObject* self, void*) {
  Event* target = as<Process>(self)->target;
  return target == nullptr ? Py_NewRef(Py_None) : Py_NewRef(target);
}
PyObject* get_is_alive(PyObject* self, void*) {
  return PyBool_FromLong(as<Process>(self)->value == nullptr);
}
PyObject* get_name(PyObject* self, void*) {
  PyObject* generator = as<Process>(self)->generator;
  return generator == nullptr ? PyUnicode_FromString("none")
                              : PyObject_GetAttrString(generator, "__name__");
}

PyObject* repr(PyObject* self) {
  PyObject* name = get_name(self, nullptr);
  if (name == nullptr) return nullptr;
  PyObject* text = PyUnicode_FromFormat("<Process(%U) object at %p>", name, self);
  Py_DECREF(name);
  return text;
}

PyMethodDef methods[] = {
    {"interrupt", method(interrupt), METH_FASTCALL | METH_KEYWORDS,
     "Throws an Interrupt with that cause into it, right after what is going on now."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    {"target", get_target, nullptr,
     "What it waits for, or waited for last; None once it has ended.", nullptr},
    {"is_alive", get_is_alive, nullptr, "Whether it has not ended.", nullptr},
    {"name", get_name, nullptr, "That of its generator.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

bool begin(Process& process, Environment& env, PyObject* generator) {
  if (PyGen_CheckExact(generator) == 0 && PyObject_HasAttrString(generator, "throw") == 0) {
    PyErr_Format(PyExc_ValueError, "%R is not a generator.", generator);
    return false;
  }
  if (process.generator != nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "a process begins once");
    return false;
  }
  Py_XSETREF(process.env, as<Environment>(Py_NewRef(&env)));
  process.generator = Py_NewRef(generator);
  if (World* world = world_of(&env)) world->make_urgent(process, nullptr);
  return true;
}

PyTypeObject process_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool make_process_type() {
  auto& type = process_type;
  type.tp_name = "artel.sim.Process";
  type.tp_doc =
      "Process(env, generator)\n--\n\nA generator in virtual time; as an event it is its end, with "
      "what it returns.";
  type.tp_base = &event_type;
  type.tp_basicsize = sizeof(Process);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_dealloc = dealloc_by_turns<clear>;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_repr = repr;
  type.tp_methods = methods;
  type.tp_getset = properties;
  type.tp_init = init;
  return PyType_Ready(&type) == 0;
}

}  // namespace artel::python
