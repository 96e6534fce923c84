#include "python/src/refusal.hpp"

#include <pybind11/pybind11.h>

#include <exception>
#include <string>

#include "artel/core/error.hpp"

namespace artel::python {

namespace py = pybind11;

namespace {

// Names of files and what stands in them may be no text: as os.fsdecode() gives it.
py::str text_of(const std::string& bytes) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

}  // namespace

void translate_refusals() {
  // pybind11 wants it by value. NOLINTNEXTLINE(performance-unnecessary-value-param)
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Refusal& refusal) {
      py::list errors;
      for (const auto& error : refusal.errors)
        errors.append(py::make_tuple(std::string(name(error.code)), text_of(error.what),
                                     text_of(error.where)));
      const py::object type = py::module_::import("artel._errors").attr("Error");
      PyErr_SetObject(type.ptr(), type(errors).ptr());
    }
  });
}

}  // namespace artel::python
