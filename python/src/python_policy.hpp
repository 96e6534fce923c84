#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "artel/core/id.hpp"
#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::python {

/// The exception that ends a run: the first one; it asks all that is under way to stop.
/// Threads: with the interpreter's lock.
class FirstException {
 public:
  /// Takes the exception that is set, if there is one.
  void take();
  [[nodiscard]] bool thrown() const { return thrown_ != nullptr; }
  /// Throws it, if there is one.
  void rethrow() const;
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::exception_ptr thrown_;
};

/// A rule of Python's as a policy: a function (loads, draw) -> worker or None, an object with a method choose() of that
/// kind, or a class of such objects, of which every replication gets a new one. An attribute
/// `reads` of any of them names what it reads besides how many tasks workers have and may have;
/// without one, whatever there is.
///
/// Where it throws, the exception is kept, and every decision from then on is the next worker with
/// room. Threads: with the interpreter's lock.
class PythonPolicy {
 public:
  /// `failure` outlives it. Errors: ValueError if it is none of these, or reads what there is not.
  PythonPolicy(std::string label, pybind11::object rule, FirstException& failure);

  /// The same for a scenario, which may not outlive this one.
  [[nodiscard]] scenario::PolicySpec spec();
  /// A replication begins. Errors: what the class throws.
  void begin();
  [[nodiscard]] const std::string& label() const { return label_; }

 private:
  struct Views;

  std::optional<WorkerId> choose(const dispatch::AnyLoads& loads, const dispatch::Draw& draw);
  std::optional<WorkerId> ask(const dispatch::AnyLoads& loads, const dispatch::Draw& draw);
  std::optional<WorkerId> read(PyObject* answer, std::size_t workers);

  std::string label_;
  pybind11::object rule_;
  pybind11::object function_;
  FirstException* failure_;
  std::optional<dispatch::PolicyInputs> reads_;
  std::shared_ptr<Views> views_;
  std::size_t turns_ = 0;  // since signals were looked at
};

/// The types of what such a rule is shown.
void add_policy_views(pybind11::module_& module);

}  // namespace artel::python
