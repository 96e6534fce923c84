// The smallest fleet: what `artel plan` does.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/experiment/observed_policies.hpp"
#include "artel/plan/add_usual_policies.hpp"
#include "artel/plan/growth.hpp"
#include "artel/plan/plan.hpp"
#include "artel/plan/plan_request.hpp"
#include "artel/plan/plan_result.hpp"
#include "artel/plan/planned_scenario.hpp"
#include "artel/plan/settings_to_paste.hpp"
#include "artel/predict/backtest.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/load_recording.hpp"
#include "artel/predict/scenario_to_plan.hpp"
#include "artel/report/backtest_text.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/html_plan.hpp"
#include "artel/report/plan_json.hpp"
#include "artel/report/plan_table.hpp"
#include "artel/scenario/load_scenario.hpp"
#include "artel/scenario/scenario.hpp"
#include "python/src/apart.hpp"
#include "python/src/module.hpp"
#include "python/src/overrides.hpp"
#include "python/src/refusal.hpp"

namespace artel::python {
namespace {

namespace py = pybind11;

/// A plan; of a log, with how well its first part predicts the rest.
struct Plan {
  plan::PlanResult found;
  report::RecordedJson recorded;
  std::string backtest_text;
};

// `text`: None reads the file.
scenario::Scenario parse(const std::optional<std::string>& text, const std::string& file,
                         const KeyValues& set) {
  const auto overrides = overrides_of(set);
  return demand(text ? scenario::parse_scenario(*text, file, overrides, scenario::Overload::allow)
                     : scenario::load_scenario(file, overrides, scenario::Overload::allow));
}

// `usual`: besides, where the recording says no policy, those that are usual.
scenario::Scenario recorded(const predict::Calibration& calibration, bool fitted, bool usual) {
  auto scenario = demand(predict::scenario_to_plan(
      calibration, fitted ? predict::WorkloadSource::fitted : predict::WorkloadSource::recorded));
  if (usual && calibration.policy.empty()) demand(plan::add_usual_policies(scenario));
  return scenario;
}

Plan make_plan(scenario::Scenario scenario, const plan::PlanRequest& request, double confidence,
               std::uint32_t workers_max, unsigned jobs, const py::object& progress,
               const std::shared_ptr<const predict::LoadedTrace>& recording,
               const predict::CalibrateOptions& calibrate) {
  plan::PlanOptions options{.confidence = confidence, .workers_max = workers_max, .jobs = jobs};
  demand(plan::apply(request, scenario, options));
  Plan made;
  run_apart(progress, [&](const std::stop_token& stop, const Report& report) {
    options.stop = stop;
    options.progress = [&report](const plan::PlanProgress& so_far) {
      report(so_far.settled, so_far.rows);
    };
    made.found = demand(plan::plan(scenario, options));
    if (made.found.complete) report(made.found.rows.size(), made.found.rows.size());
    if (recording == nullptr || !made.found.complete) return;
    const auto test =
        predict::backtest(recording->trace, {.calibrate = calibrate, .jobs = jobs, .stop = stop});
    made.recorded.backtest = report::backtest_json(test);
    if (const auto calibration = predict::calibrate(recording->trace, calibrate))
      made.recorded.fleet = report::fleet_json(recording->trace, *calibration);
    made.backtest_text = report::backtest_text(test);
  });
  return made;
}

std::string page(const Plan& plan, unsigned jobs) {
  std::optional<experiment::ObservedPolicies> observed;
  std::vector<plan::Growth> growth;
  demand(report::check_html_page());
  if (plan.found.complete && plan.found.best() != nullptr) {
    run_apart(py::none(), [&](const std::stop_token& stop, const Report&) {
      observed = experiment::observe_policies(plan::planned_scenario(plan.found),
                                              {.jobs = jobs, .stop = stop});
      growth = plan::growth(plan.found, {.jobs = jobs, .stop = stop});
    });
  }
  return page_of(report::html_plan(plan.found, observed, plan.recorded, growth));
}

}  // namespace

void add_plans(py::module_& module) {
  py::class_<scenario::Scenario>(module, "Scenario")
      .def(py::init(&parse), py::arg("text"), py::arg("file"), py::arg("set"))
      .def_static("recorded", &recorded, py::arg("calibration"), py::arg("fitted"),
                  py::arg("usual"));
  py::class_<plan::PlanRequest>(module, "PlanRequest")
      .def(py::init<>())
      .def_readwrite("slo", &plan::PlanRequest::slo)
      .def_readwrite("policies", &plan::PlanRequest::policies)
      .def_readwrite("queues", &plan::PlanRequest::queues)
      .def_readwrite("rate", &plan::PlanRequest::rate)
      .def_readwrite("price", &plan::PlanRequest::price);
  py::class_<Plan>(module, "PlanResult")
      .def_property_readonly(
          "json", [](const Plan& plan) { return report::plan_json(plan.found, {}, plan.recorded); })
      .def_property_readonly("table",
                             [](const Plan& plan) { return report::plan_table(plan.found); })
      .def_property_readonly("answer",
                             [](const Plan& plan) { return report::plan_answer(plan.found); })
      .def_property_readonly("code", [](const Plan& plan) { return report::plan_code(plan.found); })
      .def_readonly("backtest", &Plan::backtest_text)
      .def(
          "settings",
          [](const Plan& plan, const std::string& system) {
            return demand(plan::settings_to_paste(plan.found, system));
          },
          py::arg("system"))
      .def("page", &page, py::arg("jobs"));
  module.def("plan", &make_plan, py::arg("scenario"), py::arg("request"), py::arg("confidence"),
             py::arg("workers_max"), py::arg("jobs"), py::arg("progress"), py::arg("recording"),
             py::arg("calibrate"));
}

}  // namespace artel::python
