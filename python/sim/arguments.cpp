// What functions are called with, and what the user's classes may not have.
#include <Python.h>

#include "python/sim/objects.hpp"

namespace artel::python {

PyObject* only_argument(PyObject* const* args, Py_ssize_t count, PyObject* names,
                        const char* function, const char* name) {
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  if (count == 1 && named == 0) [[likely]]
    return args[0];
  if (count == 0 && named == 1 &&
      PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), name) == 0)
    return args[0];
  PyErr_Format(PyExc_TypeError, "%s() takes one argument, %s", function, name);
  return nullptr;
}

bool read_whole(PyObject* object, unsigned long long& number) {
  PyObject* whole = PyNumber_Index(object);
  if (whole == nullptr) return false;
  number = PyLong_AsUnsignedLongLong(whole);
  Py_DECREF(whole);
  return PyErr_Occurred() == nullptr;
}

bool has_inner_hooks(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return false;
  for (const char* name : {"_do_put", "_do_get", "_trigger_put", "_trigger_get"}) {
    if (PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), name) == 0) continue;
    PyErr_Format(PyExc_TypeError,
                 "%s.%s(): nothing would call it. Allowed: its own put(), get(), request() and "
                 "release(), around those of its base class",
                 type->tp_name, name);
    return true;
  }
  return false;
}

}  // namespace artel::python
