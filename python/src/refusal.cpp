#include "python/src/refusal.hpp"

#include <pybind11/pybind11.h>

#include <exception>
#include <string>

#include "artel/core/error.hpp"

namespace artel::python {

namespace py = pybind11;

void translate_refusals() {
  // pybind11 wants it by value. NOLINTNEXTLINE(performance-unnecessary-value-param)
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Refusal& refusal) {
      py::list errors;
      for (const auto& error : refusal.errors)
        errors.append(py::make_tuple(std::string(name(error.code)), error.what, error.where));
      const py::object type = py::module_::import("artel._errors").attr("Error");
      PyErr_SetObject(type.ptr(), type(errors).ptr());
    }
  });
}

}  // namespace artel::python
