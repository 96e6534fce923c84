// The module artel._sim.
#include <Python.h>

#include "python/sim/draws.hpp"
#include "python/sim/exchange.hpp"
#include "python/sim/objects.hpp"
#include "python/sim/station.hpp"

namespace artel::python {
namespace {

PyObject* set_hooks(PyObject*, PyObject* args) {
  PyObject *interrupt = nullptr, *preempted = nullptr, *empty_schedule = nullptr,
           *no_event = nullptr;
  if (PyArg_ParseTuple(args, "OOOO", &interrupt, &preempted, &empty_schedule, &no_event) == 0) {
    return nullptr;
  }
  Py_XSETREF(hooks.interrupt, Py_NewRef(interrupt));
  Py_XSETREF(hooks.preempted, Py_NewRef(preempted));
  Py_XSETREF(hooks.empty_schedule, Py_NewRef(empty_schedule));
  Py_XSETREF(hooks.no_event, Py_NewRef(no_event));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"set_hooks", set_hooks, METH_VARARGS, "For artel.sim alone."},
                           {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                          .m_name = "_sim",
                          .m_doc = "The inside of artel.sim.",
                          .m_size = -1,
                          .m_methods = functions};

bool add_types(PyObject* module) {
  for (PyTypeObject* type : {&environment_type,
                             &event_type,
                             &timeout_type,
                             &process_type,
                             &condition_type,
                             &any_of_type,
                             &all_of_type,
                             &condition_value_type,
                             &container_type,
                             &store_type,
                             &priority_store_type,
                             &filter_store_type,
                             &put_type,
                             &get_type,
                             &request_type,
                             &release_type,
                             &resource_type,
                             &priority_resource_type,
                             &preemptive_resource_type,
                             &station_type,
                             &source_type,
                             &stream_type,
                             &law_type}) {
    if (PyModule_AddType(module, type) != 0) return false;
  }
  return true;
}

}  // namespace
}  // namespace artel::python

PyMODINIT_FUNC
PyInit__sim() {  // NOLINT(readability-identifier-naming,bugprone-reserved-identifier):
                 // Python's name
  using namespace artel::python;
  if (!make_event_types() || !make_process_type() || !make_condition_types() ||
      !make_exchange_types() || !make_resource_types() || !make_environment_type() ||
      !make_draw_types() || !make_station_types()) {
    return nullptr;
  }
  hooks = {Py_NewRef(PyExc_Exception), Py_NewRef(PyExc_Exception), Py_NewRef(PyExc_Exception),
           Py_NewRef(PyExc_Exception)};  // until artel.sim sets its own
  PyObject* module = PyModule_Create(&definition);
  pending_value = PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
  if (module != nullptr &&
      (!add_types(module) || PyModule_AddIntConstant(module, "URGENT", 0) != 0 ||
       PyModule_AddIntConstant(module, "NORMAL", 1) != 0 ||
       PyModule_AddObjectRef(module, "PENDING", pending_value) != 0)) {
    Py_CLEAR(module);
  }
  return module;
}
