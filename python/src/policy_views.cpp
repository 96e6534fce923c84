// What a rule of Python's is shown. These are made once and reused for every decision.
#include "python/src/policy_views.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "python/src/python_policy.hpp"

namespace artel::python {
namespace {

namespace py = pybind11;
using dispatch::Load;

PyTypeObject loads_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject draw_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

LoadsView& loads_of(PyObject* self) { return *static_cast<LoadsView*>(self); }
DrawView& draw_of(PyObject* self) { return *static_cast<DrawView*>(self); }

// False: a RuntimeError is set.
bool is_current(const void* inside) {
  if (inside != nullptr) return true;
  PyErr_SetString(PyExc_RuntimeError, "loads and draw are there only while a decision is made");
  return false;
}

Py_ssize_t length(PyObject* self) { return static_cast<Py_ssize_t>(loads_of(self).workers); }

PyObject* item(PyObject* self, Py_ssize_t at) {
  const auto& view = loads_of(self);
  if (!is_current(view.loads)) return nullptr;
  if (at < 0 || static_cast<std::size_t>(at) >= view.workers) {
    PyErr_SetString(PyExc_IndexError, "there is no such worker");
    return nullptr;
  }
  return PyLong_FromUnsignedLong(
      view.loads->load(dispatch::worker(static_cast<std::size_t>(at))).queued);
}

// An array over a part of the view's memory, which it keeps alive; numpy's where that is there.
PyObject* make_array(const LoadsView& view, std::size_t number) {
  const auto bytes = static_cast<Py_ssize_t>(view.workers * sizeof(double));
  const auto from = static_cast<Py_ssize_t>(number) * bytes;
  PyObject* whole = PyMemoryView_FromObject(view.memory);
  PyObject* part = whole == nullptr ? nullptr : PySequence_GetSlice(whole, from, from + bytes);
  PyObject* typed = part == nullptr ? nullptr : PyObject_CallMethod(part, "cast", "s", "d");
  Py_XDECREF(whole);
  Py_XDECREF(part);
  PyObject* numpy = typed == nullptr ? nullptr : PyImport_ImportModule("numpy");
  if (numpy == nullptr) {
    if (typed != nullptr) PyErr_Clear();
    return typed;
  }
  PyObject* array = PyObject_CallMethod(numpy, "asarray", "O", typed);
  Py_DECREF(numpy);
  Py_DECREF(typed);
  return array;
}

template <class Value>
PyObject* column(PyObject* self, std::size_t number, Value value) {
  auto& view = loads_of(self);
  if (!is_current(view.loads)) return nullptr;
  auto* values =
      reinterpret_cast<double*>(PyByteArray_AS_STRING(view.memory)) + number * view.workers;
  for (std::size_t i = 0; i < view.workers; ++i)
    values[i] = value(view.loads->load(dispatch::worker(i)));
  if (view.arrays[number] == nullptr) view.arrays[number] = make_array(view, number);
  return Py_XNewRef(view.arrays[number]);
}
PyObject* get_queued(PyObject* self, void*) {
  return column(self, 0, [](const Load& load) { return static_cast<double>(load.queued); });
}
PyObject* get_room(PyObject* self, void*) {
  return column(self, 1, [](const Load& load) { return static_cast<double>(load.room()); });
}
PyObject* get_weight(PyObject* self, void*) {
  return column(self, 2, [](const Load& load) { return static_cast<double>(load.weight); });
}
PyObject* get_work(PyObject* self, void*) {
  return column(self, 3, [](const Load& load) { return to_seconds(load.work); });
}
PyObject* get_delay(PyObject* self, void*) {
  return column(self, 4, [](const Load& load) { return to_seconds(load.delay); });
}

PyObject* as_worker(std::optional<WorkerId> id) {
  if (!id) Py_RETURN_NONE;
  return PyLong_FromUnsignedLong(static_cast<unsigned long>(index(*id)));
}
PyObject* least(PyObject* self, PyObject*) {
  const auto& view = loads_of(self);
  return is_current(view.loads) ? as_worker(view.loads->least(dispatch::Busyness())) : nullptr;
}
PyObject* idle(PyObject* self, PyObject*) {
  const auto& view = loads_of(self);
  return is_current(view.loads) ? as_worker(view.loads->nth(dispatch::Group::idle, 0)) : nullptr;
}

void dealloc_loads(PyObject* self) {
  auto& view = loads_of(self);
  for (PyObject*& array : view.arrays) Py_CLEAR(array);
  Py_CLEAR(view.memory);
  Py_TYPE(self)->tp_free(self);
}

PyMethodDef loads_methods[] = {
    {"least", least, METH_NOARGS,
     "least(): the worker with the fewest tasks among those with room; None: none has room."},
    {"idle", idle, METH_NOARGS,
     "idle(): the first worker with nothing to do; None: there is none."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef loads_properties[] = {
    {"queued", get_queued, nullptr, "Of every worker: tasks bound to it and unfinished.", nullptr},
    {"room", get_room, nullptr, "Of every worker: free places.", nullptr},
    {"weight", get_weight, nullptr, "Of every worker: relative speed.", nullptr},
    {"work", get_work, nullptr, "Of every worker: hinted service outstanding, in seconds.",
     nullptr},
    {"delay", get_delay, nullptr, "Of every worker: measured wait in its queue, in seconds.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PySequenceMethods loads_sequence{.sq_length = length, .sq_item = item};

// ---- Draws

PyObject* below(PyObject* self, PyObject* limit) {
  auto& view = draw_of(self);
  const std::size_t n = PyLong_AsSize_t(limit);
  if (PyErr_Occurred() != nullptr || !is_current(view.draw)) return nullptr;
  if (n == 0) {
    PyErr_SetString(PyExc_ValueError, "there is no number below 0");
    return nullptr;
  }
  return PyLong_FromUnsignedLongLong(((dispatch::splitmix64(view.state) >> 32U) * n) >> 32U);
}
PyObject* uniform(PyObject* self, PyObject*) {
  auto& view = draw_of(self);
  if (!is_current(view.draw)) return nullptr;
  return PyFloat_FromDouble(static_cast<double>(dispatch::splitmix64(view.state) >> 11U) * 0x1p-53);
}
PyObject* get_turn(PyObject* self, void*) {
  const auto* draw = draw_of(self).draw;
  return is_current(draw) ? PyLong_FromUnsignedLongLong(draw->turn) : nullptr;
}
PyObject* get_size(PyObject* self, void*) {
  const auto* draw = draw_of(self).draw;
  return is_current(draw) ? PyFloat_FromDouble(to_seconds(draw->size)) : nullptr;
}
void dealloc_draw(PyObject* self) { Py_TYPE(self)->tp_free(self); }

PyMethodDef draw_methods[] = {
    {"below", below, METH_O, "below(n): one of 0 … n - 1, as dispatch::Dice draws it."},
    {"uniform", uniform, METH_NOARGS, "uniform(): a number in [0, 1)."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef draw_properties[] = {
    {"turn", get_turn, nullptr, "Number of the decision, from 0.", nullptr},
    {"size", get_size, nullptr, "Hinted service time of the task in seconds; 0: no hint.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

LoadsView* new_loads_view(std::size_t workers) {
  auto* view = static_cast<LoadsView*>(loads_type.tp_alloc(&loads_type, 0));
  if (view == nullptr) return nullptr;
  view->workers = workers;
  view->memory = PyByteArray_FromStringAndSize(
      nullptr, static_cast<Py_ssize_t>(kColumns * workers * sizeof(double)));
  if (view->memory == nullptr) Py_CLEAR(view);
  return view;
}
DrawView* new_draw_view() { return static_cast<DrawView*>(draw_type.tp_alloc(&draw_type, 0)); }

void add_policy_views(py::module_& module) {
  loads_type.tp_name = "artel.Loads";
  loads_type.tp_doc =
      "The loads of all workers: loads[i] is how many tasks worker i has; arrays by property.";
  loads_type.tp_basicsize = sizeof(LoadsView);
  loads_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  loads_type.tp_dealloc = dealloc_loads;
  loads_type.tp_methods = loads_methods;
  loads_type.tp_getset = loads_properties;
  loads_type.tp_as_sequence = &loads_sequence;
  draw_type.tp_name = "artel.Draw";
  draw_type.tp_doc = "Everything besides the loads that a decision may depend on.";
  draw_type.tp_basicsize = sizeof(DrawView);
  draw_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  draw_type.tp_dealloc = dealloc_draw;
  draw_type.tp_methods = draw_methods;
  draw_type.tp_getset = draw_properties;
  for (PyTypeObject* type : {&loads_type, &draw_type}) {
    if (PyModule_AddType(module.ptr(), type) != 0) throw py::error_already_set();
  }
}

}  // namespace artel::python
