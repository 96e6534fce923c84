#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "artel/report/html_page.hpp"

namespace artel::python {

// Each adds its part to the module artel._artel.

/// Scenarios and their runs.
void add_experiments(pybind11::module_& module);
/// Recorded runs, and what they predict.
void add_recordings(pybind11::module_& module);
/// Models of the user's own.
void add_models(pybind11::module_& module);
/// The smallest fleet.
void add_plans(pybind11::module_& module);

/// The page as text.
[[nodiscard]] std::string page_of(report::HtmlReport report);

}  // namespace artel::python
