// Resources and requests as Python sees them; resource.cpp is how they serve who waits.
#include "python/sim/resource.hpp"

#include <Python.h>

#include <cmath>
#include <deque>
#include <vector>

#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

// ---- Requests

int traverse_request(PyObject* self, visitproc visit, void* arg) {
  auto& request = *as<Request>(self);
  Py_VISIT(request.resource);
  Py_VISIT(request.process);
  Py_VISIT(request.priority);
  Py_VISIT(request.usage_since);
  return traverse_event(request, visit, arg);
}
int clear_request(PyObject* self) {
  auto& request = *as<Request>(self);
  Py_CLEAR(request.resource);
  Py_CLEAR(request.process);
  Py_CLEAR(request.priority);
  Py_CLEAR(request.usage_since);
  clear_event(request);
  return 0;
}

bool is_alone(const PyObject* request) {
  return came_alone(request) && static_cast<const Request*>(request)->priority == nullptr;
}

PyObject* release_name() {
  static PyObject* const name = PyUnicode_InternFromString("release");
  return name;
}
// Whether release() is this module's: neither a subclass nor the object has one of its own.
bool is_own_release(Resource& resource) {
  if (resource.dict != nullptr && PyDict_Size(resource.dict) != 0 &&
      PyDict_Contains(resource.dict, release_name()) != 0) {
    return false;
  }
  auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(&resource));
  if ((Py_TYPE(&resource)->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return true;
  PyObject* const found = PyObject_GetAttr(type, release_name());
  Py_XDECREF(found);
  if (found == nullptr) PyErr_Clear();
  return found == PyDict_GetItem(resource_type.tp_dict, release_name());
}

PyObject* enter(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyObject* leave(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  auto& request = *as<Request>(self);
  if (request.resource == nullptr) Py_RETURN_NONE;
  cancel(request);
  const bool is_abandoned = count > 0 && args[0] == PyExc_GeneratorExit;
  if (is_abandoned) Py_RETURN_NONE;
  if (is_own_release(*request.resource)) {
    release(*request.resource, request);
    Py_RETURN_NONE;
  }
  PyObject* released = PyObject_CallMethodOneArg(request.resource, release_name(), self);
  if (released == nullptr) return nullptr;
  Py_DECREF(released);
  Py_RETURN_NONE;
}
PyObject* cancel_request(PyObject* self, PyObject*) {
  cancel(*as<Request>(self));
  Py_RETURN_NONE;
}

PyObject* or_none(PyObject* object) { return Py_NewRef(object == nullptr ? Py_None : object); }
PyObject* get_resource(PyObject* self, void*) { return or_none(as<Request>(self)->resource); }
PyObject* get_process(PyObject* self, void*) { return or_none(as<Request>(self)->process); }
PyObject* get_priority(PyObject* self, void*) { return or_none(as<Request>(self)->priority); }
PyObject* get_usage_since(PyObject* self, void*) { return or_none(as<Request>(self)->usage_since); }
PyObject* get_preempt(PyObject* self, void*) { return PyBool_FromLong(as<Request>(self)->preempt); }
PyObject* get_time(PyObject* self, void*) { return PyFloat_FromDouble(as<Request>(self)->time); }

PyMethodDef request_methods[] = {
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", method(leave), METH_FASTCALL, "Gives the place back, or up waiting for it."},
    {"cancel", cancel_request, METH_NOARGS, "Gives up waiting; nothing if the place was had."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef request_properties[] = {
    {"resource", get_resource, nullptr, "What was asked.", nullptr},
    {"proc", get_process, nullptr, "The process that asked.", nullptr},
    {"priority", get_priority, nullptr, "The lowest comes first.", nullptr},
    {"preempt", get_preempt, nullptr, "Whether it may take another's place.", nullptr},
    {"time", get_time, nullptr, "When it was asked.", nullptr},
    {"usage_since", get_usage_since, nullptr, "Since when the place is had; None: not yet.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyGetSetDef release_properties[] = {
    {"resource", get_resource, nullptr, "What was given back.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---- Resources

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto& resource = *as<Resource>(self);
  Py_VISIT(resource.env);
  Py_VISIT(resource.dict);
  if (resource.users == nullptr) return 0;
  for (Request* each : *resource.users) Py_VISIT(each);
  for (Request* each : *resource.queue) Py_VISIT(each);
  return 0;
}
int clear(PyObject* self) {
  auto& resource = *as<Resource>(self);
  if (resource.users != nullptr) {
    std::vector<Request*> requests(resource.queue->begin(), resource.queue->end());
    requests.insert(requests.end(), resource.users->begin(), resource.users->end());
    resource.users->clear();
    resource.queue->clear();
    for (Request* each : requests) Py_DECREF(each);
  }
  Py_CLEAR(resource.dict);
  Py_CLEAR(resource.env);
  return 0;
}
void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear(self);
  delete as<Resource>(self)->users;
  delete as<Resource>(self)->queue;
  Py_TYPE(self)->tp_free(self);
}

int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "capacity", nullptr};
  PyObject* env = nullptr;
  Py_ssize_t capacity = 1;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!|n:Resource", const_cast<char**>(names),
                                  &environment_type, &env, &capacity) == 0) {
    return -1;
  }
  if (capacity <= 0) {
    PyErr_Format(PyExc_ValueError, "\"capacity\" must be > 0; found %zd", capacity);
    return -1;
  }
  if (has_inner_hooks(self)) return -1;
  auto& resource = *as<Resource>(self);
  Py_XSETREF(resource.env, as<Environment>(Py_NewRef(env)));
  resource.capacity = capacity;
  if (resource.users == nullptr) {
    resource.users = new std::vector<Request*>;
    resource.queue = new std::deque<Request*>;
  }
  resource.preemptive = PyObject_TypeCheck(self, &preemptive_resource_type);
  resource.by_priority = PyObject_TypeCheck(self, &priority_resource_type);
  if (resource.dict == nullptr) resource.dict = PyDict_New();  // see Environment::dict
  return resource.dict == nullptr ? -1 : 0;
}

// Whether it is a number that a double holds.
bool read_rank(PyObject* priority, double& rank) {
  if (PyFloat_CheckExact(priority)) {
    rank = PyFloat_AS_DOUBLE(priority);
    return !std::isnan(rank);
  }
  if (!PyLong_CheckExact(priority)) return false;
  constexpr long long kWholeMax = 1LL << 53U;
  int beyond = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(priority, &beyond);
  rank = static_cast<double>(whole);
  return beyond == 0 && -kWholeMax <= whole && whole <= kWholeMax;
}

// Reads (priority=0, preempt=True). False: an exception is set.
bool read_request(Request& request, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* priority = count > 0 ? args[0] : nullptr;
  PyObject* preempt = count > 1 ? args[1] : nullptr;
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    const bool is_priority = PyUnicode_CompareWithASCIIString(name, "priority") == 0;
    if (!is_priority && PyUnicode_CompareWithASCIIString(name, "preempt") != 0) {
      PyErr_Format(PyExc_TypeError, "request() has no argument %R; it takes priority and preempt",
                   name);
      return false;
    }
    (is_priority ? priority : preempt) = args[count + i];
  }
  if (priority != nullptr) {
    request.priority = Py_NewRef(priority);
    request.is_ranked = read_rank(priority, request.rank);
  }
  if (preempt != nullptr) {
    const int truth = PyObject_IsTrue(preempt);
    if (truth < 0) return false;
    request.preempt = truth != 0;
  }
  return true;
}

PyObject* request(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  auto& resource = *as<Resource>(self);
  World* world = resource.env == nullptr ? nullptr : world_of(resource.env);
  if (world == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "this resource has no environment");
    return nullptr;
  }
  if ((count > 0 || names != nullptr) && !resource.by_priority) {
    PyErr_SetString(PyExc_TypeError,
                    "request() takes no arguments; a PriorityResource's takes a priority");
    return nullptr;
  }
  auto* made = static_cast<Request*>(new_event(request_type, *resource.env));
  if (made == nullptr) return nullptr;
  Py_INCREF(self);
  made->resource = &resource;
  made->process = Py_NewRef(world->active == nullptr ? Py_None : world->active);
  made->time = world->now;
  made->preempt = made->is_ranked = true;
  if ((count > 0 || names != nullptr) && !read_request(*made, args, count, names)) {
    Py_DECREF(made);
    return nullptr;
  }
  if (enqueue(resource, *made) && grant_first(resource)) return made;
  cancel(*made);
  Py_DECREF(made);
  return nullptr;
}

PyObject* give_back(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* asked = only_argument(args, count, names, "release", "request");
  if (asked == nullptr) return nullptr;
  auto& resource = *as<Resource>(self);
  if (!PyObject_TypeCheck(asked, &request_type) || resource.env == nullptr) {
    PyErr_Format(PyExc_TypeError, "release() takes what request() gave; found %R", asked);
    return nullptr;
  }
  release(resource, *as<Request>(asked));
  auto* made = static_cast<Request*>(new_event(release_type, *resource.env));
  if (made == nullptr) return nullptr;
  Py_INCREF(self);
  made->resource = &resource;
  trigger(*made, Py_None, false);
  return made;
}

template <class Requests>
PyObject* list_of(const Requests* requests) {
  PyObject* list = PyList_New(0);
  if (list == nullptr || requests == nullptr) return list;
  for (Request* each : *requests) {
    if (PyList_Append(list, each) == 0) continue;
    Py_DECREF(list);
    return nullptr;
  }
  return list;
}
PyObject* get_users(PyObject* self, void*) { return list_of(as<Resource>(self)->users); }
PyObject* get_queue(PyObject* self, void*) { return list_of(as<Resource>(self)->queue); }
PyObject* get_count(PyObject* self, void*) {
  return PyLong_FromSize_t(
      as<Resource>(self)->users == nullptr ? 0 : as<Resource>(self)->users->size());
}
PyObject* get_waiting(PyObject* self, void*) {
  return PyLong_FromSize_t(
      as<Resource>(self)->queue == nullptr ? 0 : as<Resource>(self)->queue->size());
}
PyObject* get_capacity(PyObject* self, void*) {
  return PyLong_FromSsize_t(as<Resource>(self)->capacity);
}
PyObject* get_env(PyObject* self, void*) { return or_none(as<Resource>(self)->env); }

PyMethodDef methods[] = {{"request", method(request), METH_FASTCALL | METH_KEYWORDS,
                          "request(): an event that happens when there is a place; in a with "
                          "statement the place is given back at its end."},
                         {"release", method(give_back), METH_FASTCALL | METH_KEYWORDS,
                          "release(request): gives the place back; an event that happens at once."},
                         {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    {"env", get_env, nullptr, "Its environment.", nullptr},
    {"_env", get_env, nullptr, nullptr, nullptr},
    {"capacity", get_capacity, nullptr, "Places.", nullptr},
    {"count", get_count, nullptr, "Places in use.", nullptr},
    {"waiting", get_waiting, nullptr, "How many wait: len(queue) without making the list.",
     nullptr},
    {"users", get_users, nullptr, "The requests that have a place, as a new list.", nullptr},
    {"queue", get_queue, nullptr, "The requests that wait, as a new list.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

bool make_request_type(PyTypeObject& type, const char* name, const char* text, PyMethodDef* of_type,
                       PyGetSetDef* properties_of_type) {
  type.tp_name = name;
  type.tp_doc = text;
  type.tp_base = &event_type;
  type.tp_basicsize = sizeof(Request);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_dealloc = dealloc_by_turns<clear_request, is_alone>;
  type.tp_traverse = traverse_request;
  type.tp_clear = clear_request;
  type.tp_methods = of_type;
  type.tp_getset = properties_of_type;
  return PyType_Ready(&type) == 0;
}

}  // namespace

PyTypeObject request_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject release_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject resource_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject priority_resource_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject preemptive_resource_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool make_resource_types() {
  auto& type = resource_type;
  type.tp_name = "artel.sim.Resource";
  type.tp_doc =
      "Resource(env, capacity=1)\n--\n\nSo many users at a time; the others wait, first come, "
      "first served.";
  type.tp_basicsize = sizeof(Resource);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_dealloc = dealloc;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_methods = methods;
  type.tp_getset = properties;
  type.tp_dictoffset = offset_of(&Resource::dict);
  type.tp_init = init;
  type.tp_new = PyType_GenericNew;
  auto& priority = priority_resource_type;
  priority.tp_name = "artel.sim.PriorityResource";
  priority.tp_doc =
      "PriorityResource(env, capacity=1)\n--\n\nrequest(priority=0): the lowest number comes "
      "first.";
  priority.tp_base = &resource_type;
  priority.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;  // with the collector of its base
  auto& preemptive = preemptive_resource_type;
  preemptive.tp_name = "artel.sim.PreemptiveResource";
  preemptive.tp_doc =
      "PreemptiveResource(env, capacity=1)\n--\n\nrequest(priority=0, preempt=True) takes the "
      "place of who is less important; that\n"
      "process gets an Interrupt whose cause is a Preempted.";
  preemptive.tp_base = &priority_resource_type;
  preemptive.tp_flags = priority.tp_flags;
  return PyType_Ready(&type) == 0 && PyType_Ready(&priority) == 0 &&
         PyType_Ready(&preemptive) == 0 &&
         make_request_type(request_type, "artel.sim.Request", "A place that was asked for.",
                           request_methods, request_properties) &&
         make_request_type(release_type, "artel.sim.Release", "A place that was given back.",
                           nullptr, release_properties);
}

}  // namespace artel::python
