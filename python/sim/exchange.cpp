// How containers and stores serve who waits; exchange_type.cpp is how Python sees them.
#include "python/sim/exchange.hpp"

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <deque>

#include "python/sim/objects.hpp"

namespace artel::python {
namespace {

/// What became of an order, and of those behind it.
enum class Served : std::uint8_t {
  no_more,  // their turn has not come
  go_on,    // it has
  failed,   // an exception is set
};

double number(PyObject* object) { return PyFloat_AsDouble(object); }

Served set_level(Order& order, PyObject* level) {
  if (level == nullptr) return Served::failed;
  number(level);
  if (PyErr_Occurred() != nullptr) {  // the sum of numbers of the user's kind may be none
    Py_DECREF(level);
    return Served::failed;
  }
  Py_SETREF(order.exchange->level, level);
  trigger(order, Py_None, false);
  return Served::go_on;
}
Served fill_container(Order& order) {
  const auto& exchange = *order.exchange;
  const double room = exchange.room - number(exchange.level), amount = number(order.thing);
  if (PyErr_Occurred() != nullptr) return Served::failed;
  if (room < amount) return Served::no_more;
  return set_level(order, PyNumber_Add(exchange.level, order.thing));
}
Served draw_from_container(Order& order) {
  const auto& exchange = *order.exchange;
  const double level = number(exchange.level), amount = number(order.thing);
  if (PyErr_Occurred() != nullptr) return Served::failed;
  if (level < amount) return Served::no_more;
  return set_level(order, PyNumber_Subtract(exchange.level, order.thing));
}

// heapq's function of that name.
PyObject* heap_function(const char* name) {
  PyObject* module = PyImport_ImportModule("heapq");
  PyObject* function = module == nullptr ? nullptr : PyObject_GetAttrString(module, name);
  Py_XDECREF(module);
  return function;
}

bool keep(const Exchange& exchange, PyObject* thing) {
  if (exchange.shelf != Shelf::priority_store) return PyList_Append(exchange.things, thing) == 0;
  static PyObject* const push = heap_function("heappush");
  PyObject* done = PyObject_CallFunctionObjArgs(push, exchange.things, thing, nullptr);
  Py_XDECREF(done);
  return done != nullptr;
}
Served fill_store(Order& order) {
  const auto& exchange = *order.exchange;
  if (static_cast<double>(PyList_GET_SIZE(exchange.things)) >= exchange.room)
    return Served::no_more;
  if (!keep(exchange, order.thing)) return Served::failed;
  trigger(order, Py_None, false);
  return Served::no_more;
}

Served take(Order& order, Py_ssize_t at) {
  PyObject* thing = Py_NewRef(PyList_GET_ITEM(order.exchange->things, at));
  if (PyList_SetSlice(order.exchange->things, at, at + 1, nullptr) != 0) {
    Py_DECREF(thing);
    return Served::failed;
  }
  trigger_with(order, thing, false);
  return Served::no_more;
}
Served take_least(Order& order) {
  static PyObject* const pop = heap_function("heappop");
  PyObject* thing = PyObject_CallOneArg(pop, order.exchange->things);
  if (thing == nullptr) return Served::failed;
  trigger_with(order, thing, false);
  return Served::no_more;
}
// -1: an exception is set.
int is_fitting(PyObject* filter, PyObject* thing) {
  if (filter == Py_None) return 1;
  PyObject* answer = PyObject_CallOneArg(filter, thing);
  const int fits = answer == nullptr ? -1 : PyObject_IsTrue(answer);
  Py_XDECREF(answer);
  return fits;
}
// The first that fits; who waits for something else does not hold back the others.
Served take_fitting(Order& order) {
  const Exchange& exchange = *order.exchange;
  for (Py_ssize_t i = 0; order.value == nullptr && i < PyList_GET_SIZE(exchange.things); ++i) {
    PyObject* thing = Py_NewRef(PyList_GET_ITEM(exchange.things, i));
    const int fits = is_fitting(order.thing, thing);
    // A filter may have done anything, to what is there and to this order.
    const bool is_there = order.value == nullptr && i < PyList_GET_SIZE(exchange.things) &&
                          PyList_GET_ITEM(exchange.things, i) == thing;
    Py_DECREF(thing);
    if (fits < 0) return Served::failed;
    if (fits > 0 && is_there)
      return take(order, i) == Served::failed ? Served::failed : Served::go_on;
  }
  return Served::go_on;
}
Served draw_from_store(Order& order) {
  const auto& exchange = *order.exchange;
  if (exchange.shelf == Shelf::filter_store) return take_fitting(order);
  if (PyList_GET_SIZE(exchange.things) == 0) return Served::no_more;
  return exchange.shelf == Shelf::priority_store ? take_least(order) : take(order, 0);
}

bool serve(std::deque<Order*>& queue, Served (*serve_one)(Order&)) {
  std::size_t at = 0;
  while (at < queue.size()) {
    Order& order = *queue[at];
    Py_INCREF(&order);
    const Served served = serve_one(order);
    const bool is_done = order.value != nullptr;
    if (is_done) {
      // A filter may have changed the queue meanwhile.
      for (auto each = queue.begin(); each != queue.end(); ++each) {
        if (*each != &order) continue;
        queue.erase(each);
        Py_DECREF(&order);
        break;
      }
    } else {
      ++at;
    }
    Py_DECREF(&order);
    if (served != Served::go_on) return served != Served::failed;
  }
  return true;
}

}  // namespace

bool serve_puts(Exchange& exchange) {
  return serve(*exchange.puts, exchange.shelf == Shelf::container ? fill_container : fill_store);
}
bool serve_gets(Exchange& exchange) {
  return serve(*exchange.gets,
               exchange.shelf == Shelf::container ? draw_from_container : draw_from_store);
}

bool serve_others(Order& order) {
  if (order.exchange == nullptr) return true;
  return order.kind == EventKind::put ? serve_gets(*order.exchange) : serve_puts(*order.exchange);
}

}  // namespace artel::python
