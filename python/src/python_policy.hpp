#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/scenario/policy_spec.hpp"

namespace artel::python {

/// A rule of Python's as a policy: a function (loads, draw) -> worker or None, an object with a method choose() of that
/// kind, or a class of such objects, of which every replication gets a new one.
///
/// Where it throws, the decision is the next worker with room, and the exception is set.
/// Threads: with the interpreter's lock.
class PythonPolicy {
 public:
  /// Errors: ValueError if it is none of these.
  PythonPolicy(std::string label, pybind11::object rule);

  /// The same for a scenario, which may not outlive this one.
  [[nodiscard]] scenario::PolicySpec spec();
  /// A replication begins.
  void begin();
  [[nodiscard]] const std::string& label() const { return label_; }

 private:
  struct Views;

  std::optional<WorkerId> choose(const dispatch::AnyLoads& loads, const dispatch::Draw& draw);
  std::optional<WorkerId> read(PyObject* answer, std::size_t workers);

  std::string label_;
  pybind11::object rule_;
  pybind11::object function_;
  std::shared_ptr<Views> views_;
};

/// The types of what such a rule is shown.
void add_policy_views(pybind11::module_& module);

}  // namespace artel::python
