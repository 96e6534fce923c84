// What a rule of Python's is shown. These are made once and reused for every decision.
#include "python/src/policy_views.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "python/src/python_policy.hpp"

namespace artel::python {
namespace {

namespace py = pybind11;
using dispatch::Load;
using dispatch::PolicyInput;

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

// Whether a rule that has said what it reads has said so of this. False: an exception is set.
template <class View>
bool is_read(const View& view, PolicyInput field) {
  if (view.reads.has(field)) return true;
  PyErr_Format(PyExc_AttributeError, "the rule's `reads` does not name %s",
               std::string(name(field)).c_str());
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
  PyObject* numbers = part == nullptr ? nullptr : PyObject_CallMethod(part, "cast", "s", "d");
  PyObject* typed =
      numbers == nullptr ? nullptr : PyObject_CallMethod(numbers, "toreadonly", nullptr);
  Py_XDECREF(whole);
  Py_XDECREF(part);
  Py_XDECREF(numbers);
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
template <class Value>
PyObject* named_column(PyObject* self, std::size_t number, PolicyInput field, Value value) {
  if (!is_current(loads_of(self).loads) || !is_read(loads_of(self), field)) return nullptr;
  return column(self, number, value);
}
PyObject* get_weight(PyObject* self, void*) {
  return named_column(self, 2, PolicyInput::weight,
                      [](const Load& load) { return static_cast<double>(load.weight); });
}
PyObject* get_work(PyObject* self, void*) {
  return named_column(self, 3, PolicyInput::work,
                      [](const Load& load) { return to_seconds(load.work); });
}
PyObject* get_delay(PyObject* self, void*) {
  return named_column(self, 4, PolicyInput::delay,
                      [](const Load& load) { return to_seconds(load.delay); });
}
PyObject* get_failures(PyObject* self, void*) {
  return named_column(self, 5, PolicyInput::failures,
                      [](const Load& load) { return static_cast<double>(load.failures); });
}
PyObject* get_latency(PyObject* self, void*) {
  return named_column(self, 6, PolicyInput::latency,
                      [](const Load& load) { return to_seconds(load.latency); });
}
PyObject* get_heard(PyObject* self, void*) {
  return named_column(self, 7, PolicyInput::latency, [](const Load& load) {
    return load.heard == dispatch::kNotHeard ? -std::numeric_limits<double>::infinity()
                                             : to_seconds(load.heard);
  });
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

PyObject* find(PyObject* self, PyObject* tasks) {
  const Py_ssize_t at = PySequence_Index(self, tasks);
  return at < 0 ? nullptr : PyLong_FromSsize_t(at);
}
PyObject* count(PyObject* self, PyObject* tasks) {
  const Py_ssize_t workers = PySequence_Count(self, tasks);
  return workers < 0 ? nullptr : PyLong_FromSsize_t(workers);
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
    {"index", find, METH_O, "index(tasks): the first worker that has so many; ValueError: none."},
    {"count", count, METH_O, "count(tasks): how many workers have so many."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef loads_properties[] = {
    {"queued", get_queued, nullptr, "Of every worker: tasks bound to it and unfinished.", nullptr},
    {"room", get_room, nullptr, "Of every worker: free places.", nullptr},
    {"weight", get_weight, nullptr, "Of every worker: relative speed.", nullptr},
    {"work", get_work, nullptr, "Of every worker: hinted service outstanding, in seconds.",
     nullptr},
    {"delay", get_delay, nullptr, "Of every worker: measured wait in its queue, in seconds.",
     nullptr},
    {"failures", get_failures, nullptr, "Of every worker: failed answers since the last good one.",
     nullptr},
    {"latency", get_latency, nullptr,
     "Of every worker: from sending it a task to the answer, in seconds, as of `heard`: the "
     "slowest "
     "answer, which fades to 1/e in 10 s.",
     nullptr},
    {"heard", get_heard, nullptr,
     "Of every worker: when its last answer came, in seconds; -inf: none has.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PySequenceMethods loads_sequence{.sq_length = length, .sq_item = item};

// ---- Draws

PyObject* below(PyObject* self, PyObject* limit) {
  auto& view = draw_of(self);
  const std::size_t n = PyLong_AsSize_t(limit);
  if (PyErr_Occurred() != nullptr || !is_current(view.draw)) return nullptr;
  constexpr std::size_t kMost = std::size_t{1} << 32U;  // of Dice, which knows no other
  if (n == 0 || n > kMost) {
    PyErr_Format(PyExc_ValueError, "below: found %zu, allowed: 1 to %zu", n, kMost);
    return nullptr;
  }
  return PyLong_FromUnsignedLongLong(((dispatch::splitmix64(view.state) >> 32U) * n) >> 32U);
}
PyObject* uniform(PyObject* self, PyObject*) {
  auto& view = draw_of(self);
  if (!is_current(view.draw)) return nullptr;
  return PyFloat_FromDouble(static_cast<double>(dispatch::splitmix64(view.state) >> 11U) * 0x1p-53);
}
// The draw, for one of its fields; nullptr: an exception is set.
const dispatch::Draw* draw_for(PyObject* self, PolicyInput field) {
  const auto& view = draw_of(self);
  return is_current(view.draw) && is_read(view, field) ? view.draw : nullptr;
}
PyObject* get_turn(PyObject* self, void*) {
  const auto* draw = draw_of(self).draw;
  return is_current(draw) ? PyLong_FromUnsignedLongLong(draw->turn) : nullptr;
}
PyObject* get_now(PyObject* self, void*) {
  const auto* draw = draw_for(self, PolicyInput::now);
  return draw == nullptr ? nullptr : PyFloat_FromDouble(to_seconds(draw->now));
}
PyObject* get_size(PyObject* self, void*) {
  const auto* draw = draw_for(self, PolicyInput::size);
  return draw == nullptr ? nullptr : PyFloat_FromDouble(to_seconds(draw->size));
}
PyObject* get_key(PyObject* self, void*) {
  const auto* draw = draw_for(self, PolicyInput::key);
  return draw == nullptr ? nullptr : PyLong_FromUnsignedLongLong(draw->key);
}
PyObject* get_task_class(PyObject* self, void*) {
  const auto* draw = draw_for(self, PolicyInput::task_class);
  return draw == nullptr ? nullptr : PyLong_FromUnsignedLong(draw->task_class);
}
PyObject* get_deadline(PyObject* self, void*) {
  const auto* draw = draw_for(self, PolicyInput::deadline);
  if (draw == nullptr) return nullptr;
  return PyFloat_FromDouble(draw->deadline == kNever ? std::numeric_limits<double>::infinity()
                                                     : to_seconds(draw->deadline));
}
PyObject* get_age(PyObject* self, void*) {
  const auto* draw = draw_for(self, PolicyInput::age);
  return draw == nullptr ? nullptr : PyFloat_FromDouble(to_seconds(draw->age));
}
PyObject* get_matched(PyObject* self, void*) {
  const auto* draw = draw_for(self, PolicyInput::matched);
  PyObject* shares =
      draw == nullptr ? nullptr : PyTuple_New(static_cast<Py_ssize_t>(draw->matched.size()));
  for (std::size_t i = 0; shares != nullptr && i < draw->matched.size(); ++i) {
    PyObject* share = PyFloat_FromDouble(static_cast<double>(draw->matched[i]));
    if (share == nullptr) {
      Py_CLEAR(shares);
    } else {
      PyTuple_SET_ITEM(shares, static_cast<Py_ssize_t>(i), share);
    }
  }
  return shares;
}
PyObject* matched_by(PyObject* self, PyObject* worker) {
  const std::size_t number = PyLong_AsSize_t(worker);
  if (PyErr_Occurred() != nullptr) return nullptr;
  const auto* draw = draw_for(self, PolicyInput::matched);
  if (draw == nullptr) return nullptr;
  return PyFloat_FromDouble(
      number < draw->matched.size() ? static_cast<double>(draw->matched[number]) : 0.0);
}
void dealloc_draw(PyObject* self) { Py_TYPE(self)->tp_free(self); }

PyMethodDef draw_methods[] = {
    {"below", below, METH_O, "below(n): one of 0 … n - 1, as dispatch::Dice draws it."},
    {"uniform", uniform, METH_NOARGS, "uniform(): a number in [0, 1), likewise."},
    {"matched_by", matched_by, METH_O, "matched_by(worker): that worker's share of `matched`."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef draw_properties[] = {
    {"turn", get_turn, nullptr, "Number of the decision, from 0.", nullptr},
    {"now", get_now, nullptr, "The time, in seconds.", nullptr},
    {"size", get_size, nullptr, "Hinted service time of the task in seconds; 0: no hint.", nullptr},
    {"key", get_key, nullptr, "What the task is about; 0: nothing in particular.", nullptr},
    {"task_class", get_task_class, nullptr, "The number of its kind.", nullptr},
    {"deadline", get_deadline, nullptr, "When its answer is of no use any more; inf: never.",
     nullptr},
    {"age", get_age, nullptr, "How old the loads are, in seconds; 0: they are up to date.",
     nullptr},
    {"matched", get_matched, nullptr,
     "By worker: the share, 0 to 1, of the task's prefix that is in its cache; of those beyond, "
     "none.",
     nullptr},
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
      "The loads of all workers: loads[i] is how many tasks worker i has. By property, read-only "
      "arrays that the next decision overwrites: copy what you keep.";
  loads_type.tp_basicsize = sizeof(LoadsView);
  loads_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  loads_type.tp_dealloc = dealloc_loads;
  loads_type.tp_methods = loads_methods;
  loads_type.tp_getset = loads_properties;
  loads_type.tp_as_sequence = &loads_sequence;
  draw_type.tp_name = "artel.Draw";
  draw_type.tp_doc =
      "Everything besides the loads that a decision may depend on. In C++ it is dispatch::Draw, "
      "with the same names; Dice(draw) has below() and uniform(), which draw the same numbers.";
  draw_type.tp_basicsize = sizeof(DrawView);
  draw_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  draw_type.tp_dealloc = dealloc_draw;
  draw_type.tp_methods = draw_methods;
  draw_type.tp_getset = draw_properties;
  for (PyTypeObject* type : {&loads_type, &draw_type}) {
    if (PyModule_AddType(module.ptr(), type) != 0) throw py::error_already_set();
  }
  py::module_::import("collections.abc").attr("Sequence").attr("register")(module.attr("Loads"));
}

}  // namespace artel::python
