// Random numbers: streams and distributions of artel/random, as Python's objects.
#include "python/sim/draws.hpp"

#include <Python.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "python/sim/objects.hpp"

namespace artel::python {
namespace {

using random::Distribution;

// ---- Streams

// read_whole() for PyArg_Parse, whose own "K" and "I" would cut a number to what fits.
int take_whole(PyObject* object, void* number) {
  return read_whole(object, *static_cast<unsigned long long*>(number)) ? 1 : 0;
}

int init_stream(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"seed", "name", "index", nullptr};
  unsigned long long seed = 1;
  const char* name = "draws";
  unsigned long long index = 0;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "|O&sO&:Stream", const_cast<char**>(names),
                                  take_whole, &seed, &name, take_whole, &index) == 0)
    return -1;
  delete std::exchange(as<Stream>(self)->inside, new random::Stream(Seed{seed}, name, index));
  return 0;
}
PyObject* new_stream(PyTypeObject* type, PyObject*, PyObject*) {
  auto* stream = as<Stream>(type->tp_alloc(type, 0));
  if (stream != nullptr) stream->inside = new random::Stream(Seed{1}, "draws");
  return stream;
}
void dealloc_stream(PyObject* self) {
  delete as<Stream>(self)->inside;
  Py_TYPE(self)->tp_free(self);
}

double draw(PyObject* self) { return as<Stream>(self)->inside->uniform(); }
// One number as a double. False: an exception is set.
bool read_number(PyObject* object, double& number) {
  number = PyFloat_AsDouble(object);
  return number != -1 || PyErr_Occurred() == nullptr;
}

PyObject* random_number(PyObject* self, PyObject*) { return PyFloat_FromDouble(draw(self)); }
PyObject* exponential(PyObject* self, PyObject* mean) {
  double number = 0;
  if (!read_number(mean, number)) return nullptr;
  return PyFloat_FromDouble(-std::log1p(-draw(self)) * number);
}
PyObject* expovariate(PyObject* self, PyObject* rate) {
  double number = 0;
  if (!read_number(rate, number)) return nullptr;
  return PyFloat_FromDouble(-std::log1p(-draw(self)) / number);
}
PyObject* uniform(PyObject* self, PyObject* const* args, Py_ssize_t count) {
  double low = 0, high = 0;
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "uniform() takes two numbers");
    return nullptr;
  }
  if (!read_number(args[0], low) || !read_number(args[1], high)) return nullptr;
  return PyFloat_FromDouble(low + (high - low) * draw(self));
}
PyObject* below(PyObject* self, PyObject* limit) {
  unsigned long long n = 0;
  if (!read_whole(limit, n)) return nullptr;
  if (n == 0) {
    PyErr_SetString(PyExc_ValueError, "there is no number below 0");
    return nullptr;
  }
  return PyLong_FromUnsignedLongLong(as<Stream>(self)->inside->below(n));
}

PyMethodDef stream_methods[] = {
    {"random", random_number, METH_NOARGS, "random(): uniform in [0, 1)."},
    {"exponential", exponential, METH_O, "exponential(mean)"},
    {"expovariate", expovariate, METH_O, "expovariate(rate): exponential with mean 1 / rate."},
    {"uniform", method(uniform), METH_FASTCALL, "uniform(low, high)"},
    {"below", below, METH_O, "below(n): one of 0 … n - 1."},
    {nullptr, nullptr, 0, nullptr}};

// ---- Distributions

PyObject* wrap(Result<Distribution> made) {
  if (!made) {
    PyErr_SetString(PyExc_ValueError, to_string(made.error()).c_str());
    return nullptr;
  }
  auto* law = as<Law>(law_type.tp_alloc(&law_type, 0));
  if (law != nullptr) law->inside = new Distribution(*std::move(made));
  return law;
}
void dealloc_law(PyObject* self) {
  delete as<Law>(self)->inside;
  Py_TYPE(self)->tp_free(self);
}

// Makes one of the two numbers that it takes.
template <class Make>
PyObject* of_two(PyObject* args, PyObject* kwargs, const char* format, const char* first,
                 const char* second, Make make) {
  const char* names[] = {first, second, nullptr};
  double a = 0, b = 0;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, format, const_cast<char**>(names), &a, &b) == 0)
    return nullptr;
  return wrap(make(a, b));
}

PyObject* make_constant(PyObject*, PyObject* value) {
  double number = 0;
  return read_number(value, number) ? wrap(Distribution::constant(number)) : nullptr;
}
PyObject* make_exponential(PyObject*, PyObject* mean) {
  double number = 0;
  return read_number(mean, number) ? wrap(Distribution::exponential(number)) : nullptr;
}
PyObject* make_uniform(PyObject*, PyObject* args, PyObject* kwargs) {
  return of_two(args, kwargs, "dd:uniform", "low", "high",
                [](double a, double b) { return Distribution::uniform({.low = a, .high = b}); });
}
PyObject* make_erlang(PyObject*, PyObject* args, PyObject* kwargs) {
  const char* names[] = {"phases", "mean", nullptr};
  unsigned long long phases = 0;
  double mean = 0;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O&d:erlang", const_cast<char**>(names), take_whole,
                                  &phases, &mean) == 0)
    return nullptr;
  constexpr unsigned long long kMost = std::numeric_limits<unsigned>::max();  // refused, too
  return wrap(Distribution::erlang(
      {.phases = static_cast<unsigned>(std::min(phases, kMost)), .mean = mean}));
}
PyObject* make_hyperexponential(PyObject*, PyObject* args, PyObject* kwargs) {
  return of_two(args, kwargs, "dd:hyperexponential", "mean", "scv", [](double a, double b) {
    return Distribution::hyperexponential({.mean = a, .scv = b});
  });
}
PyObject* make_lognormal(PyObject*, PyObject* args, PyObject* kwargs) {
  return of_two(args, kwargs, "dd:lognormal", "mean", "scv", [](double a, double b) {
    return Distribution::lognormal(Distribution::MeanScv{.mean = a, .scv = b});
  });
}
PyObject* make_weibull(PyObject*, PyObject* args, PyObject* kwargs) {
  return of_two(args, kwargs, "dd:weibull", "shape", "scale",
                [](double a, double b) { return Distribution::weibull({.shape = a, .scale = b}); });
}
PyObject* make_gamma(PyObject*, PyObject* args, PyObject* kwargs) {
  return of_two(args, kwargs, "dd:gamma", "shape", "scale",
                [](double a, double b) { return Distribution::gamma({.shape = a, .scale = b}); });
}
PyObject* make_pareto(PyObject*, PyObject* args, PyObject* kwargs) {
  const char* names[] = {"alpha", "low", "high", nullptr};
  double alpha = 0, low = 0, high = 0;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "ddd:pareto", const_cast<char**>(names), &alpha,
                                  &low, &high) == 0)
    return nullptr;
  return wrap(Distribution::bounded_pareto({.alpha = alpha, .low = low, .high = high}));
}
PyObject* make_empirical(PyObject*, PyObject* samples) {
  PyObject* list = PySequence_Fast(samples, "empirical() takes numbers");
  if (list == nullptr) return nullptr;
  std::vector<double> numbers(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(list)));
  bool sound = true;
  for (std::size_t i = 0; sound && i < numbers.size(); ++i)
    sound = read_number(PySequence_Fast_GET_ITEM(list, static_cast<Py_ssize_t>(i)), numbers[i]);
  Py_DECREF(list);
  return sound ? wrap(Distribution::empirical(std::move(numbers))) : nullptr;
}

PyObject* call_law(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* stream = nullptr;
  if (kwargs != nullptr || PyArg_ParseTuple(args, "O!:draw", &stream_type, &stream) == 0) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "a draw takes a Stream");
    return nullptr;
  }
  return PyFloat_FromDouble((*as<Law>(self)->inside)(*as<Stream>(stream)->inside));
}
PyObject* get_mean(PyObject* self, void*) {
  return PyFloat_FromDouble(as<Law>(self)->inside->mean());
}
PyObject* get_scv(PyObject* self, void*) {
  return PyFloat_FromDouble(as<Law>(self)->inside->scv());
}
PyObject* quantile(PyObject* self, PyObject* p) {
  double number = 0;
  if (!read_number(p, number)) return nullptr;
  if (!(0 <= number && number <= 1)) {
    PyErr_SetString(PyExc_ValueError, "quantile() takes a number from 0 to 1");
    return nullptr;
  }
  return PyFloat_FromDouble(as<Law>(self)->inside->quantile(number));
}
PyObject* repr_law(PyObject* self) {
  return PyUnicode_FromString(("<Distribution " + as<Law>(self)->inside->describe() + ">").c_str());
}

constexpr int kTwoNumbers = METH_VARARGS | METH_KEYWORDS | METH_STATIC;
PyMethodDef law_methods[] = {
    {"constant", make_constant, METH_O | METH_STATIC, "constant(value)"},
    {"exponential", make_exponential, METH_O | METH_STATIC, "exponential(mean)"},
    {"uniform", method(make_uniform), kTwoNumbers, "uniform(low, high)"},
    {"erlang", method(make_erlang), kTwoNumbers, "erlang(phases, mean)"},
    {"hyperexponential", method(make_hyperexponential), kTwoNumbers, "hyperexponential(mean, scv)"},
    {"lognormal", method(make_lognormal), kTwoNumbers, "lognormal(mean, scv)"},
    {"weibull", method(make_weibull), kTwoNumbers, "weibull(shape, scale)"},
    {"gamma", method(make_gamma), kTwoNumbers, "gamma(shape, scale)"},
    {"pareto", method(make_pareto), kTwoNumbers,
     "pareto(alpha, low, high): a power law between two bounds."},
    {"empirical", make_empirical, METH_O | METH_STATIC,
     "empirical(samples): one of them, each equally likely."},
    {"quantile", quantile, METH_O, "quantile(p): the smallest x with P(X <= x) >= p."},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef law_properties[] = {
    {"mean", get_mean, nullptr, "The mean.", nullptr},
    {"scv", get_scv, nullptr, "Squared coefficient of variation: variance / mean².", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyTypeObject stream_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject law_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool make_draw_types() {
  auto& stream = stream_type;
  stream.tp_name = "artel.sim.Stream";
  stream.tp_doc =
      "Stream(seed=1, name='draws', index=0)\n--\n\nRandom numbers of one name: a draw added to "
      "one stream never shifts another. "
      "The same numbers\nas artel's C++ draws, on every machine.";
  stream.tp_basicsize = sizeof(Stream);
  stream.tp_flags = Py_TPFLAGS_DEFAULT;
  stream.tp_dealloc = dealloc_stream;
  stream.tp_methods = stream_methods;
  stream.tp_init = init_stream;
  stream.tp_new = new_stream;
  auto& law = law_type;
  law.tp_name = "artel.sim.Distribution";
  law.tp_doc =
      "A law of chance for plain numbers: Distribution.exponential(2.0)(stream) draws one.";
  law.tp_basicsize = sizeof(Law);
  law.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  law.tp_dealloc = dealloc_law;
  law.tp_methods = law_methods;
  law.tp_getset = law_properties;
  law.tp_call = call_law;
  law.tp_repr = repr_law;
  return PyType_Ready(&stream) == 0 && PyType_Ready(&law) == 0;
}

}  // namespace artel::python
