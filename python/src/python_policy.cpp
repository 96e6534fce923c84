#include "python/src/python_policy.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "python/src/apart.hpp"
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

void FirstException::take() {
  if (PyErr_Occurred() == nullptr) return;
  const py::error_already_set raised;  // takes it, whether or not it is kept
  if (thrown()) return;
  thrown_ = std::make_exception_ptr(raised);
  stop_.request_stop();
}

void FirstException::rethrow() const {
  if (thrown()) std::rethrow_exception(thrown_);
}

namespace {

// A set of those names. Errors: ValueError.
dispatch::PolicyInputs inputs_of(const std::string& label, const py::handle& names) {
  dispatch::PolicyInputs inputs;
  for (const auto& each : names) {
    const auto wanted = py::cast<std::string>(py::str(each));
    std::string allowed;
    bool known = false;
    for (std::size_t i = 0; i < dispatch::PolicyInputs::kCount; ++i) {
      const auto input = static_cast<dispatch::PolicyInput>(i);
      if (name(input) == wanted) inputs |= input;
      known = known || name(input) == wanted;
      allowed += (allowed.empty() ? "" : ", ") + std::string(name(input));
    }
    if (!known) {
      throw py::value_error("policy " + label + ": reads: found '" + wanted +
                            "', allowed: " + allowed);
    }
  }
  return inputs;
}

}  // namespace

PythonPolicy::PythonPolicy(std::string label, py::object rule, FirstException& failure)
    : label_(std::move(label)),
      rule_(std::move(rule)),
      failure_(&failure),
      views_(std::make_shared<Views>()) {
  if (const py::object reads = py::getattr(rule_, "reads", py::none()); !reads.is_none()) {
    if (PyUnicode_Check(reads.ptr()) != 0 || !py::isinstance<py::iterable>(reads))
      throw py::value_error("policy " + label_ +
                            R"(: reads: allowed: names, like ("latency", "now"))");
    reads_ = inputs_of(label_, reads);
  }
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
  spec.policy = dispatch::Custom{
      .function = [this](const dispatch::AnyLoads& loads,
                         const dispatch::Draw& draw) { return choose(loads, draw); },
      .name = label_,
      .reads = reads_};
  return spec;
}

std::optional<WorkerId> PythonPolicy::choose(const dispatch::AnyLoads& loads,
                                             const dispatch::Draw& draw) {
  constexpr std::size_t kTurnsBetweenSignals = 4096;
  if (failure_->thrown()) return std::nullopt;
  if (++turns_ >= kTurnsBetweenSignals) {
    turns_ = 0;
    {
      const py::gil_scoped_release others_may_run;  // a rule in C never lets them
    }
    PyErr_CheckSignals();
  }
  const auto chosen = PyErr_Occurred() == nullptr && goes_on() ? ask(loads, draw) : std::nullopt;
  if (PyErr_Occurred() != nullptr) failure_->take();
  return chosen;
}

std::optional<WorkerId> PythonPolicy::ask(const dispatch::AnyLoads& loads,
                                          const dispatch::Draw& draw) {
  Views& views = *views_;
  views.fit(loads.size());
  views.loads->loads = &loads;
  views.draw->draw = &draw;
  views.draw->state = draw.dice;
  views.loads->reads = views.draw->reads = reads_.value_or(dispatch::PolicyInputs::all());
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
