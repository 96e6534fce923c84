// Containers and stores as Python sees them.
#include <Python.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include "python/sim/exchange.hpp"
#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

PyObject* or_none(PyObject* object) { return Py_NewRef(object == nullptr ? Py_None : object); }

// ---- Orders

int traverse_order(PyObject* self, visitproc visit, void* arg) {
  auto& order = *as<Order>(self);
  Py_VISIT(order.exchange);
  Py_VISIT(order.process);
  Py_VISIT(order.thing);
  return traverse_event(order, visit, arg);
}
int clear_order(PyObject* self) {
  auto& order = *as<Order>(self);
  Py_CLEAR(order.exchange);
  Py_CLEAR(order.process);
  Py_CLEAR(order.thing);
  clear_event(order);
  return 0;
}

void give_up(Order& order) {
  if (order.value != nullptr || order.exchange == nullptr) return;
  for (std::deque<Order*>* queue : {order.exchange->puts, order.exchange->gets}) {
    const auto at = std::find(queue->begin(), queue->end(), &order);
    if (at == queue->end()) continue;
    queue->erase(at);
    Py_DECREF(&order);
    return;
  }
}
PyObject* cancel(PyObject* self, PyObject*) {
  give_up(*as<Order>(self));
  Py_RETURN_NONE;
}
PyObject* enter(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyObject* leave(PyObject* self, PyObject* const*, Py_ssize_t) { return cancel(self, nullptr); }

PyObject* get_resource(PyObject* self, void*) { return or_none(as<Order>(self)->exchange); }
PyObject* get_process(PyObject* self, void*) { return or_none(as<Order>(self)->process); }
PyObject* get_thing(PyObject* self, void*) { return or_none(as<Order>(self)->thing); }

PyMethodDef order_methods[] = {
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", method(leave), METH_FASTCALL, "Gives up waiting, if it has not happened."},
    {"cancel", cancel, METH_NOARGS, "Gives up waiting; nothing if it has happened."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef order_properties[] = {
    {"resource", get_resource, nullptr, "The container or store.", nullptr},
    {"proc", get_process, nullptr, "The process that asked.", nullptr},
    {"item", get_thing, nullptr, "What is put into a store.", nullptr},
    {"amount", get_thing, nullptr, "How much, of a container.", nullptr},
    {"filter", get_thing, nullptr, "What a thing has to be.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---- Exchanges

int traverse(PyObject* self, visitproc visit, void* arg) {
  auto& exchange = *as<Exchange>(self);
  Py_VISIT(exchange.env);
  Py_VISIT(exchange.things);
  Py_VISIT(exchange.dict);
  if (exchange.puts == nullptr) return 0;
  for (Order* each : *exchange.puts) Py_VISIT(each);
  for (Order* each : *exchange.gets) Py_VISIT(each);
  return 0;
}
int clear(PyObject* self) {
  auto& exchange = *as<Exchange>(self);
  if (exchange.puts != nullptr) {
    std::vector<Order*> orders(exchange.puts->begin(), exchange.puts->end());
    orders.insert(orders.end(), exchange.gets->begin(), exchange.gets->end());
    exchange.puts->clear();
    exchange.gets->clear();
    for (Order* each : orders) Py_DECREF(each);
  }
  Py_CLEAR(exchange.dict);
  Py_CLEAR(exchange.things);
  Py_CLEAR(exchange.env);
  return 0;
}
void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  clear(self);
  auto& exchange = *as<Exchange>(self);
  Py_CLEAR(exchange.capacity);
  Py_CLEAR(exchange.level);
  delete exchange.puts;
  delete exchange.gets;
  Py_TYPE(self)->tp_free(self);
}

// Reads what all have. False: an exception is set.
bool begin_exchange(Exchange& exchange, PyObject* env, PyObject* capacity, Shelf shelf) {
  if (has_inner_hooks(&exchange)) return false;
  exchange.room = std::numeric_limits<double>::infinity();
  if (capacity != nullptr) {
    exchange.room = PyFloat_AsDouble(capacity);
    if (exchange.room == -1 && PyErr_Occurred() != nullptr) return false;
  }
  if (!(exchange.room > 0)) {
    PyErr_Format(PyExc_ValueError, "\"capacity\" must be > 0; found %R", capacity);
    return false;
  }
  if (exchange.puts != nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "a container or store begins once");
    return false;
  }
  exchange.shelf = shelf;
  exchange.env = as<Environment>(Py_NewRef(env));
  exchange.capacity = capacity == nullptr ? PyFloat_FromDouble(exchange.room) : Py_NewRef(capacity);
  exchange.things = PyList_New(0);
  exchange.puts = new std::deque<Order*>;
  exchange.gets = new std::deque<Order*>;
  if (exchange.dict == nullptr) exchange.dict = PyDict_New();  // see Environment::dict
  return exchange.things != nullptr && exchange.capacity != nullptr && exchange.dict != nullptr;
}

int init_container(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "capacity", "init", nullptr};
  PyObject *env = nullptr, *capacity = nullptr, *level = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!|OO:Container", const_cast<char**>(names),
                                  &environment_type, &env, &capacity, &level) == 0) {
    return -1;
  }
  auto& exchange = *as<Exchange>(self);
  if (!begin_exchange(exchange, env, capacity, Shelf::container)) return -1;
  exchange.level = level == nullptr ? PyLong_FromLong(0) : Py_NewRef(level);
  const double amount = exchange.level == nullptr ? -1 : PyFloat_AsDouble(exchange.level);
  if (PyErr_Occurred() != nullptr) return -1;
  if (0 <= amount && amount <= exchange.room) return 0;
  PyErr_Format(PyExc_ValueError, "init: found %R, allowed: from 0 to the capacity, %R",
               exchange.level, exchange.capacity);
  return -1;
}

int init_store(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"env", "capacity", nullptr};
  PyObject *env = nullptr, *capacity = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O!|O:Store", const_cast<char**>(names),
                                  &environment_type, &env, &capacity) == 0) {
    return -1;
  }
  const Shelf shelf = PyObject_TypeCheck(self, &priority_store_type) ? Shelf::priority_store
                      : PyObject_TypeCheck(self, &filter_store_type) ? Shelf::filter_store
                                                                     : Shelf::store;
  return begin_exchange(*as<Exchange>(self), env, capacity, shelf) ? 0 : -1;
}

// A new order, which is served if that is possible.
PyObject* order(PyObject* self, PyObject* thing, EventKind kind) {
  auto& exchange = *as<Exchange>(self);
  World* world = world_of(exchange.env);
  if (world == nullptr || exchange.puts == nullptr) {
    PyErr_SetString(PyExc_RuntimeError, "this container or store has no environment");
    return nullptr;
  }
  const bool is_put = kind == EventKind::put;
  auto* made = static_cast<Order*>(new_event(is_put ? put_type : get_type, *exchange.env));
  if (made == nullptr) return nullptr;
  Py_INCREF(self);
  made->exchange = &exchange;
  made->kind = kind;
  made->process = Py_NewRef(world->active == nullptr ? Py_None : world->active);
  made->thing = Py_NewRef(thing);
  Py_INCREF(made);
  (is_put ? exchange.puts : exchange.gets)->push_back(made);
  if (is_put ? serve_puts(exchange) : serve_gets(exchange)) return made;
  give_up(*made);
  Py_DECREF(made);
  return nullptr;
}

bool is_amount(PyObject* amount) {
  const double number = PyFloat_AsDouble(amount);
  if (PyErr_Occurred() != nullptr) return false;
  if (number > 0) return true;
  PyErr_Format(PyExc_ValueError, "amount(=%R) must be > 0.", amount);
  return false;
}

PyObject* put_amount(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* amount = only_argument(args, count, names, "put", "amount");
  return amount != nullptr && is_amount(amount) ? order(self, amount, EventKind::put) : nullptr;
}
PyObject* get_amount(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* amount = only_argument(args, count, names, "get", "amount");
  return amount != nullptr && is_amount(amount) ? order(self, amount, EventKind::get) : nullptr;
}
PyObject* put_thing(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  PyObject* thing = only_argument(args, count, names, "put", "item");
  return thing == nullptr ? nullptr : order(self, thing, EventKind::put);
}
PyObject* get_thing_out(PyObject* self, PyObject*) { return order(self, Py_None, EventKind::get); }
PyObject* get_fitting(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"filter", nullptr};
  PyObject* filter = Py_None;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "|O:get", const_cast<char**>(names), &filter) == 0)
    return nullptr;
  return order(self, filter, EventKind::get);
}

PyObject* list_of(const std::deque<Order*>* orders) {
  PyObject* list = PyList_New(0);
  if (list == nullptr || orders == nullptr) return list;
  for (Order* each : *orders) {
    if (PyList_Append(list, each) == 0) continue;
    Py_DECREF(list);
    return nullptr;
  }
  return list;
}
PyObject* get_puts(PyObject* self, void*) { return list_of(as<Exchange>(self)->puts); }
PyObject* get_gets(PyObject* self, void*) { return list_of(as<Exchange>(self)->gets); }
PyObject* get_env(PyObject* self, void*) { return or_none(as<Exchange>(self)->env); }
PyObject* get_capacity(PyObject* self, void*) { return or_none(as<Exchange>(self)->capacity); }
PyObject* get_level(PyObject* self, void*) { return or_none(as<Exchange>(self)->level); }
PyObject* get_items(PyObject* self, void*) { return or_none(as<Exchange>(self)->things); }
int set_items(PyObject* self, PyObject* items, void*) {
  if (items == nullptr || PyList_Check(items) == 0) {
    PyErr_SetString(PyExc_TypeError, "items is a list");
    return -1;
  }
  Py_XSETREF(as<Exchange>(self)->things, Py_NewRef(items));
  return 0;
}

PyMethodDef container_methods[] = {{"put", method(put_amount), METH_FASTCALL | METH_KEYWORDS,
                                    "put(amount): adds so much as soon as it fits."},
                                   {"get", method(get_amount), METH_FASTCALL | METH_KEYWORDS,
                                    "get(amount): takes so much as soon as it is there."},
                                   {nullptr, nullptr, 0, nullptr}};
PyMethodDef store_methods[] = {
    {"put", method(put_thing), METH_FASTCALL | METH_KEYWORDS,
     "put(item): adds it as soon as there is room."},
    {"get", get_thing_out, METH_NOARGS,
     "get(): takes the first as soon as there is one; the value of the event."},
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef filter_methods[] = {
    {"get", method(get_fitting), METH_VARARGS | METH_KEYWORDS,
     "get(filter=None): takes the first for which filter(item) is true, as soon as there is one."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef container_properties[] = {
    {"_env", get_env, nullptr, nullptr, nullptr},
    {"capacity", get_capacity, nullptr, "Most that it holds.", nullptr},
    {"level", get_level, nullptr, "How much there is.", nullptr},
    {"put_queue", get_puts, nullptr, "Puts that wait, as a new list.", nullptr},
    {"get_queue", get_gets, nullptr, "Gets that wait, as a new list.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyGetSetDef store_properties[] = {
    {"_env", get_env, nullptr, nullptr, nullptr},
    {"capacity", get_capacity, nullptr, "Most that it holds.", nullptr},
    {"items", get_items, set_items, "What is there.", nullptr},
    {"put_queue", get_puts, nullptr, "Puts that wait, as a new list.", nullptr},
    {"get_queue", get_gets, nullptr, "Gets that wait, as a new list.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

bool make_order(PyTypeObject& type, const char* name, const char* text) {
  type.tp_name = name;
  type.tp_doc = text;
  type.tp_base = &event_type;
  type.tp_basicsize = sizeof(Order);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_dealloc = dealloc_by_turns<clear_order>;
  type.tp_traverse = traverse_order;
  type.tp_clear = clear_order;
  type.tp_methods = order_methods;
  type.tp_getset = order_properties;
  return PyType_Ready(&type) == 0;
}

void fill_exchange(PyTypeObject& type, const char* name, const char* text) {
  type.tp_name = name;
  type.tp_doc = text;
  type.tp_basicsize = sizeof(Exchange);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_dealloc = dealloc;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_dictoffset = offset_of(&Exchange::dict);
  type.tp_new = PyType_GenericNew;
}

}  // namespace

PyTypeObject container_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject store_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject priority_store_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject filter_store_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject put_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject get_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool make_exchange_types() {
  fill_exchange(container_type, "artel.sim.Container",
                "Container(env, capacity=1e999, init=0)\n--\n\nHolds an amount of something.");
  container_type.tp_methods = container_methods;
  container_type.tp_getset = container_properties;
  container_type.tp_init = init_container;
  fill_exchange(
      store_type, "artel.sim.Store",
      "Store(env, capacity=1e999)\n--\n\nHolds things, taken in the order in which they came.");
  store_type.tp_methods = store_methods;
  store_type.tp_getset = store_properties;
  store_type.tp_init = init_store;
  fill_exchange(
      priority_store_type, "artel.sim.PriorityStore",
      "PriorityStore(env, capacity=1e999)\n--\n\nA Store that gives the smallest thing first.");
  fill_exchange(filter_store_type, "artel.sim.FilterStore",
                "FilterStore(env, capacity=1e999)\n--\n\nA Store whose get(filter) says what fits; "
                "who waits for something else does not "
                "hold back the others.");
  filter_store_type.tp_methods = filter_methods;
  for (PyTypeObject* type : {&priority_store_type, &filter_store_type}) {
    type->tp_base = &store_type;
    type->tp_new = nullptr;
  }
  return PyType_Ready(&container_type) == 0 && PyType_Ready(&store_type) == 0 &&
         PyType_Ready(&priority_store_type) == 0 && PyType_Ready(&filter_store_type) == 0 &&
         make_order(put_type, "artel.sim.Put", "A put that waits until it is possible.") &&
         make_order(get_type, "artel.sim.Get", "A get that waits until it is possible.");
}

}  // namespace artel::python
