// Conditions: events made of others, and what they come with.
#include <Python.h>

#include "python/sim/objects.hpp"

namespace artel::python {
namespace {

// ---- What a condition comes with: the events that had happened, in order

struct ConditionValue : PyObject {
  PyObject* events;  // a list
};
PyTypeObject value_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

ConditionValue* new_value() {
  auto* made = as<ConditionValue>(value_type.tp_alloc(&value_type, 0));
  if (made == nullptr) return nullptr;
  made->events = PyList_New(0);
  if (made->events == nullptr) Py_CLEAR(made);
  return made;
}

PyObject* events_of(PyObject* self) { return as<ConditionValue>(self)->events; }

bool holds(PyObject* self, PyObject* event) {
  PyObject* events = events_of(self);
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(events); ++i) {
    if (PyList_GET_ITEM(events, i) == event) return true;
  }
  return false;
}

Py_ssize_t length(PyObject* self) { return PyList_GET_SIZE(events_of(self)); }
int contains(PyObject* self, PyObject* event) { return holds(self, event) ? 1 : 0; }
PyObject* subscript(PyObject* self, PyObject* event) {
  if (holds(self, event)) return Py_NewRef(as<Event>(event)->value);
  PyErr_SetObject(PyExc_KeyError, event);
  return nullptr;
}
PyObject* iterate(PyObject* self) { return PyObject_GetIter(events_of(self)); }
PyObject* to_dict(PyObject* self, PyObject*) {
  PyObject* dict = PyDict_New();
  PyObject* events = events_of(self);
  for (Py_ssize_t i = 0; dict != nullptr && i < PyList_GET_SIZE(events); ++i) {
    PyObject* event = PyList_GET_ITEM(events, i);
    if (PyDict_SetItem(dict, event, as<Event>(event)->value) != 0) Py_CLEAR(dict);
  }
  return dict;
}
// A view of the dict: keys, values or items.
PyObject* view(PyObject* self, const char* name) {
  PyObject* dict = to_dict(self, nullptr);
  PyObject* found = dict == nullptr ? nullptr : PyObject_CallMethod(dict, name, nullptr);
  Py_XDECREF(dict);
  return found;
}
PyObject* keys(PyObject* self, PyObject*) { return view(self, "keys"); }
PyObject* values(PyObject* self, PyObject*) { return view(self, "values"); }
PyObject* items(PyObject* self, PyObject*) { return view(self, "items"); }
PyObject* compare(PyObject* self, PyObject* other, int operation) {
  if (operation != Py_EQ && operation != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  PyObject* mine = to_dict(self, nullptr);
  PyObject* theirs = Py_TYPE(other) == &value_type ? to_dict(other, nullptr) : Py_NewRef(other);
  PyObject* result = mine == nullptr || theirs == nullptr
                         ? nullptr
                         : PyObject_RichCompare(mine, theirs, operation);
  Py_XDECREF(mine);
  Py_XDECREF(theirs);
  return result;
}
PyObject* repr_value(PyObject* self) {
  PyObject* dict = to_dict(self, nullptr);
  PyObject* text = dict == nullptr ? nullptr : PyUnicode_FromFormat("<ConditionValue %R>", dict);
  Py_XDECREF(dict);
  return text;
}

int traverse_value(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as<ConditionValue>(self)->events);
  return 0;
}
int clear_value(PyObject* self) {
  Py_CLEAR(as<ConditionValue>(self)->events);
  return 0;
}
void dealloc_value(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear_value(self);
  Py_TYPE(self)->tp_free(self);
}

PyMethodDef value_methods[] = {{"todict", to_dict, METH_NOARGS, "The events and their values."},
                               {"keys", keys, METH_NOARGS, "The events."},
                               {"values", values, METH_NOARGS, "Their values."},
                               {"items", items, METH_NOARGS, "Both."},
                               {nullptr, nullptr, 0, nullptr}};
PyGetSetDef value_properties[] = {
    {"events", [](PyObject* self, void*) { return PySequence_List(events_of(self)); }, nullptr,
     "The events, as a new list.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PySequenceMethods value_sequence{.sq_contains = contains};
PyMappingMethods value_mapping{.mp_length = length, .mp_subscript = subscript};

// ---- Conditions

Py_ssize_t number_of(const Condition& condition) {
  return condition.events == nullptr ? 0 : PyTuple_GET_SIZE(condition.events);
}
Event& event_at(const Condition& condition, Py_ssize_t at) {
  return *as<Event>(PyTuple_GET_ITEM(condition.events, at));
}

// Whether it has come true. -1: an exception is set.
int is_true(const Condition& condition) {
  if (condition.evaluate == nullptr)
    return condition.of_all ? condition.count == number_of(condition) : condition.count > 0;
  PyObject* answer =
      PyObject_CallFunction(condition.evaluate, "On", condition.events, condition.count);
  const int truth = answer == nullptr ? -1 : PyObject_IsTrue(answer);
  Py_XDECREF(answer);
  return truth;
}

bool come_true(Condition& condition) {
  if (condition.value != nullptr) return true;
  PyObject* value = new_value();
  if (value == nullptr) return false;
  trigger_with(condition, value, false);
  return true;
}

bool fill(const Condition& condition, PyObject* events) {
  if (Py_EnterRecursiveCall(" in a condition of conditions") != 0) return false;
  bool sound = true;
  for (Py_ssize_t i = 0; sound && i < number_of(condition); ++i) {
    Event& event = event_at(condition, i);
    if (event.kind == EventKind::condition) {
      sound = fill(static_cast<Condition&>(event), events);
    } else if (event.processed) {
      sound = PyList_Append(events, &event) == 0;
    }
  }
  Py_LeaveRecursiveCall();
  return sound;
}

// Reads the events. False: an exception is set.
bool set_events(Condition& condition, PyObject* env, PyObject* events) {
  if (condition.events != nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "a condition begins once");
    return false;
  }
  PyObject* all = PySequence_Tuple(events);
  if (all == nullptr) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(all); ++i) {
    PyObject* each = PyTuple_GET_ITEM(all, i);
    if (is_event(each) && as<Event>(each)->env == env) continue;
    PyErr_Format(PyExc_ValueError, "%R: a condition takes events of one environment, its own",
                 each);
    Py_DECREF(all);
    return false;
  }
  condition.events = all;
  Py_XSETREF(condition.env, as<Environment>(Py_NewRef(env)));
  return true;
}

bool listen(Condition& condition) {
  condition.kind = EventKind::condition;
  if (number_of(condition) == 0) return come_true(condition);
  for (Py_ssize_t i = 0; i < number_of(condition); ++i) {
    Event& event = event_at(condition, i);
    if (!(event.processed ? check(condition, event) : add_callback(event, &condition)))
      return false;
  }
  return true;
}

int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "evaluate", "events", nullptr};
  PyObject *env = nullptr, *evaluate = nullptr, *events = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!OO:Condition", const_cast<char**>(names),
                                  &environment_type, &env, &evaluate, &events) == 0) {
    return -1;
  }
  auto& condition = *as<Condition>(self);
  if (!set_events(condition, env, events)) return -1;
  Py_XSETREF(condition.evaluate, Py_NewRef(evaluate));
  return listen(condition) ? 0 : -1;
}
int init_of(PyObject* self, PyObject* args, PyObject* kwargs, bool of_all) {
  static const char* names[] = {"env", "events", nullptr};
  PyObject *env = nullptr, *events = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!O", const_cast<char**>(names), &environment_type,
                                  &env, &events) == 0)
    return -1;
  auto& condition = *as<Condition>(self);
  condition.of_all = of_all;
  return set_events(condition, env, events) && listen(condition) ? 0 : -1;
}
int init_any(PyObject* self, PyObject* args, PyObject* kwargs) {
  return init_of(self, args, kwargs, false);
}
int init_all(PyObject* self, PyObject* args, PyObject* kwargs) {
  return init_of(self, args, kwargs, true);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto& condition = *as<Condition>(self);
  Py_VISIT(condition.events);
  Py_VISIT(condition.evaluate);
  return traverse_event(condition, visit, arg);
}
int clear(PyObject* self) {
  auto& condition = *as<Condition>(self);
  Py_CLEAR(condition.events);
  Py_CLEAR(condition.evaluate);
  clear_event(condition);
  return 0;
}

// ---- What is left of a condition when another, of which it was a part, has happened without it

// Whether somebody would hear of it, other than through what is left of conditions.
bool is_heard(const Event& event) {
  const auto hears = [](PyObject* callback) {
    return !PyObject_TypeCheck(callback, &condition_type) ||
           !as<Condition>(callback)->left_behind || is_heard(*as<Condition>(callback));
  };
  if (event.first != nullptr && hears(event.first)) return true;
  for (Py_ssize_t i = 0; event.more != nullptr && i < PyList_GET_SIZE(event.more); ++i) {
    if (hears(PyList_GET_ITEM(event.more, i))) return true;
  }
  return false;
}

// Whether nobody can wait for it any more: only its whole has it, and events that are to call it.
bool is_out_of_reach(const Condition& part) {
  if (part.first != nullptr || (part.more != nullptr && PyList_GET_SIZE(part.more) > 0))
    return false;
  Py_ssize_t callers = 0;
  for (Py_ssize_t i = 0; i < number_of(part); ++i) callers += event_at(part, i).processed ? 0 : 1;
  return Py_REFCNT(&part) == 1 + callers;
}

// The same for what it is made of. False: an exception is set.
bool leave_behind(const Condition& whole, Condition& part) {
  if (Py_EnterRecursiveCall(" in a condition of conditions") != 0) return false;
  part.left_behind = true;
  const bool is_over = whole.evaluate == nullptr && is_out_of_reach(part);
  bool sound = true;
  for (Py_ssize_t i = 0; sound && i < number_of(part); ++i) {
    Event& event = event_at(part, i);
    if (is_over && !event.processed) remove_callback(event, &part);
    if (event.kind == EventKind::condition && event.value == nullptr)
      sound = leave_behind(part, static_cast<Condition&>(event));
  }
  Py_LeaveRecursiveCall();
  return sound;
}

bool make_type(PyTypeObject& type, const char* name, const char* text, PyTypeObject& base,
               initproc init_type) {
  type.tp_name = name;
  type.tp_doc = text;
  type.tp_base = &base;
  type.tp_basicsize = sizeof(Condition);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_dealloc = dealloc_by_turns<clear>;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_init = init_type;
  return PyType_Ready(&type) == 0;
}

}  // namespace

PyTypeObject condition_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject any_of_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject all_of_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject& condition_value_type = value_type;

bool check(Condition& condition, Event& event) {
  if (condition.value != nullptr) return true;
  ++condition.count;
  if (event.failed) {
    const bool is_heard_of = !condition.left_behind || is_heard(condition);
    (is_heard_of ? event.defused : condition.defused) = true;
    trigger(condition, event.value, true);
    return true;
  }
  const int truth = is_true(condition);
  return truth > 0 ? come_true(condition) : truth == 0;
}

bool collect(Condition& condition) {
  for (Py_ssize_t i = 0; i < number_of(condition); ++i) {
    Event& event = event_at(condition, i);
    if (event.processed) continue;
    remove_callback(event, &condition);
    if (event.kind == EventKind::condition && event.value == nullptr &&
        !leave_behind(condition, static_cast<Condition&>(event)))
      return false;
  }
  return condition.failed || Py_TYPE(condition.value) != &value_type ||
         fill(condition, events_of(condition.value));
}

PyObject* new_condition(Environment& env, PyObject* events, bool of_all) {
  PyTypeObject& type = of_all ? all_of_type : any_of_type;
  auto* condition = as<Condition>(type.tp_alloc(&type, 0));
  if (condition == nullptr) return nullptr;
  condition->of_all = of_all;
  if (set_events(*condition, &env, events) && listen(*condition)) return condition;
  Py_DECREF(condition);
  return nullptr;
}

bool make_condition_types() {
  auto& type = value_type;
  type.tp_name = "artel.sim.ConditionValue";
  type.tp_doc =
      "The events of a condition that had happened when it did, in order: a dict of them and their "
      "values.";
  type.tp_basicsize = sizeof(ConditionValue);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_dealloc = dealloc_value;
  type.tp_traverse = traverse_value;
  type.tp_clear = clear_value;
  type.tp_methods = value_methods;
  type.tp_getset = value_properties;
  type.tp_as_sequence = &value_sequence;
  type.tp_as_mapping = &value_mapping;
  type.tp_richcompare = compare;
  type.tp_hash = PyObject_HashNotImplemented;
  type.tp_iter = iterate;
  type.tp_repr = repr_value;
  return PyType_Ready(&type) == 0 &&
         make_type(condition_type, "artel.sim.Condition",
                   "Condition(env, evaluate, events)\n--\n\nHappens when evaluate(events, number "
                   "that have happened) says so; fails "
                   "with the first of them that fails.",
                   event_type, init) &&
         make_type(any_of_type, "artel.sim.AnyOf",
                   "AnyOf(env, events)\n--\n\nHappens with the first of the events.",
                   condition_type, init_any) &&
         make_type(all_of_type, "artel.sim.AllOf",
                   "AllOf(env, events)\n--\n\nHappens with the last of the events.", condition_type,
                   init_all);
}

}  // namespace artel::python
