#include "python/src/module.hpp"

#include <pybind11/pybind11.h>

#include <string>

#include "artel/core/cpu_quota.hpp"
#include "artel/report/html_page.hpp"
#include "python/src/apart.hpp"
#include "python/src/refusal.hpp"

namespace artel::python {

std::string page_of(report::HtmlReport report) {
  report.made_by = "artel " ARTEL_VERSION;
  return demand(report::html_page(report));
}

}  // namespace artel::python

PYBIND11_MODULE(_artel, module) {  // NOLINT(readability-identifier-naming): pybind11 makes names
  using namespace artel;
  python::translate_refusals();
  python::stop_runs_at_exit();
  module.attr("version") = ARTEL_VERSION;
  module.def("usable_cpus", &usable_cpus, "Processors that this process may use.");
  python::add_experiments(module);
  python::add_recordings(module);
  python::add_plans(module);
  python::add_models(module);
}
