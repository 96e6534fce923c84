// Memory of objects that are made and let go by the million.
#include <Python.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "python/sim/objects.hpp"

namespace artel::python {
namespace {

/// Freed objects of one size, the interpreter's lock held.
struct FreeObjects {
  std::array<PyObject*, 256> objects;
  std::size_t count;
};

FreeObjects events, processes, requests;

// Those of a type that are kept; nullptr: none, as of the user's classes.
FreeObjects* kept_of(const PyTypeObject* type) {
  if (type == &timeout_type || type == &event_type) return &events;
  if (type == &process_type) return &processes;
  if (type == &request_type || type == &release_type) return &requests;
  return nullptr;
}

}  // namespace

PyObject* new_object(PyTypeObject& type) {
  FreeObjects* kept = kept_of(&type);
  if (kept == nullptr || kept->count == 0) return type.tp_alloc(&type, 0);
  PyObject* object = kept->objects[--kept->count];
  std::memset(reinterpret_cast<char*>(object) + sizeof(PyObject), 0,
              static_cast<std::size_t>(type.tp_basicsize) - sizeof(PyObject));
  PyObject_Init(object, &type);
  PyObject_GC_Track(object);
  return object;
}

void free_object(PyObject* self) {
  FreeObjects* kept = kept_of(Py_TYPE(self));
  if (kept == nullptr || kept->count == kept->objects.size()) return Py_TYPE(self)->tp_free(self);
  kept->objects[kept->count++] = self;
}

}  // namespace artel::python
