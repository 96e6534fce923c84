#pragma once

#include <Python.h>

#include <cstdint>
#include <deque>

#include "python/sim/objects.hpp"

namespace artel::python {

struct Exchange;

/// A put or a get.
struct Order : Event {
  Exchange* exchange;
  PyObject* process;  ///< who asked; None: nobody
  PyObject* thing;    ///< what is put, how much, or what a thing has to be
};

/// How an exchange keeps things.
enum class Shelf : std::uint8_t { container, store, priority_store, filter_store };

/// Puts and gets, each first come, first served; what one makes possible for the other happens when
/// it is processed: simpy's Container and stores.
struct Exchange : PyObject {
  Environment* env;
  PyObject* capacity;
  double room;       ///< the capacity as a number
  PyObject* level;   ///< of a container: how much there is, as Python has it
  PyObject* things;  ///< of a store: a list
  std::deque<Order*>* puts;
  std::deque<Order*>* gets;
  PyObject* dict;
  Shelf shelf;
};

extern PyTypeObject container_type;
extern PyTypeObject store_type;
extern PyTypeObject priority_store_type;
extern PyTypeObject filter_store_type;
extern PyTypeObject put_type;
extern PyTypeObject get_type;
bool make_exchange_types();

/// Serves those who wait on the other side of an order that is processed. False: an exception is
/// set.
bool serve_others(Order& order);
/// Serves those who wait to put, or to get. False: an exception is set.
bool serve_puts(Exchange& exchange);
bool serve_gets(Exchange& exchange);

}  // namespace artel::python
