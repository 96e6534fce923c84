#include "python/src/python_policy.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "python/src/policy_views.hpp"

namespace artel::python {

namespace py = pybind11;

/// The objects that the rule is shown, used again for every decision.
struct PythonPolicy::Views {
  LoadsView* loads = new_loads_view(0);
  DrawView* draw = new_draw_view();
  Views() {
    if (loads == nullptr || draw == nullptr) throw py::error_already_set();
  }
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;
  ~Views() {
    Py_XDECREF(loads);
    Py_XDECREF(draw);
  }

  // For so many workers: an older one may still be held by the rule.
  void fit(std::size_t workers) {
    if (loads->workers == workers) return;
    LoadsView* made = new_loads_view(workers);
    if (made == nullptr) throw py::error_already_set();
    Py_DECREF(std::exchange(loads, made));
  }
};

PythonPolicy::PythonPolicy(std::string label, py::object rule)
    : label_(std::move(label)), rule_(std::move(rule)), views_(std::make_shared<Views>()) {
  begin();
}

void PythonPolicy::begin() {
  auto object = PyType_Check(rule_.ptr()) ? rule_() : rule_;
  if (py::hasattr(object, "choose")) object = object.attr("choose");
  if (PyCallable_Check(object.ptr()) == 0) {
    throw py::value_error("policy " + label_ +
                          ": allowed: a function (loads, draw) -> worker or None, or what has such "
                          "a method choose()");
  }
  function_ = std::move(object);
}

scenario::PolicySpec PythonPolicy::spec() {
  scenario::PolicySpec spec;
  spec.label = spec.name = label_;
  spec.policy = dispatch::Custom{[this](const dispatch::AnyLoads& loads,
                                        const dispatch::Draw& draw) { return choose(loads, draw); },
                                 label_};
  return spec;
}

std::optional<WorkerId> PythonPolicy::choose(const dispatch::AnyLoads& loads,
                                             const dispatch::Draw& draw) {
  if (PyErr_Occurred() != nullptr) return std::nullopt;  // on its way out
  Views& views = *views_;
  views.fit(loads.size());
  views.loads->loads = &loads;
  views.draw->draw = &draw;
  views.draw->state = draw.dice;
  PyObject* arguments[] = {nullptr, views.loads, views.draw};
  PyObject* answer = PyObject_Vectorcall(function_.ptr(), arguments + 1,
                                         2 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  views.loads->loads = nullptr;
  views.draw->draw = nullptr;
  const auto chosen = answer == nullptr ? std::nullopt : read(answer, loads.size());
  Py_XDECREF(answer);
  return chosen;
}

// The worker that was named; nothing with an exception set if there is no such.
std::optional<WorkerId> PythonPolicy::read(PyObject* answer, std::size_t workers) {
  if (answer == Py_None) return std::nullopt;
  const Py_ssize_t number = PyNumber_AsSsize_t(answer, PyExc_IndexError);
  if (PyErr_Occurred() != nullptr) return std::nullopt;
  if (number >= 0 && static_cast<std::size_t>(number) < workers)
    return dispatch::worker(static_cast<std::size_t>(number));
  PyErr_Format(PyExc_IndexError, "policy %s: found worker %zd, allowed: 0 to %zu, or None",
               label_.c_str(), number, workers - 1);
  return std::nullopt;
}

}  // namespace artel::python
