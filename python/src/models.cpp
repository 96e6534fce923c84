// Models of the user's own as experiments: artel::own_models::run_model_study() with a function of
// Python's.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/own_models/model_parameters.hpp"
#include "artel/own_models/model_report.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"
#include "artel/report/html_model.hpp"
#include "artel/report/model_json.hpp"
#include "artel/report/model_table.hpp"
#include "artel/stat/interval.hpp"
#include "python/src/apart.hpp"
#include "python/src/module.hpp"
#include "python/src/refusal.hpp"

namespace artel::python {
namespace {

namespace py = pybind11;
using Numbers = std::vector<std::pair<std::string, double>>;

/// A study of a model, and what was found.
struct ModelExperiment {
  own_models::ModelStudy study;
  own_models::ModelResult result;
};

own_models::ModelParameters parameters_of(const Numbers& numbers) {
  own_models::ModelParameters parameters;
  for (const auto& [name, value] : numbers) parameters.set(name, value);
  return parameters;
}

// What a replication has measured: figures, or lists of times.
own_models::ModelReport read_report(const py::dict& measured, const own_models::ModelRun& run) {
  own_models::ModelReport report(run);
  for (const auto& [name, value] : measured) {
    const auto figure = py::cast<std::string>(name);
    if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr()) ||
        PyNumber_Check(value.ptr()) != 0) {
      report.set(figure, py::cast<double>(py::float_(py::reinterpret_borrow<py::object>(value))));
      continue;
    }
    auto& times = report.times(figure);
    for (const auto& time : py::reinterpret_borrow<py::iterable>(value)) {
      const auto seconds = py::cast<double>(time);
      if (!(0 <= seconds && seconds <= to_seconds(kForever))) {
        throw py::value_error(figure + ": found " + py::str(time).cast<std::string>() +
                              "; allowed as a time: seconds, from 0 to 9.2e9");
      }
      times.add(from_seconds(seconds), kNever);
    }
  }
  return report;
}

// Calls run(parameters, seed) with the interpreter's lock; its exceptions become errors of the
// study.
own_models::Model model_of(const std::shared_ptr<py::object>& run) {
  return [run](const own_models::ModelRun& asked) {
    const py::gil_scoped_acquire interpreter;
    try {
      py::dict parameters;
      for (const auto& [name, value] : asked.parameters.entries())
        parameters[py::str(name)] = value;
      const py::object measured = (*run)(parameters, static_cast<std::uint64_t>(asked.seed));
      return read_report(py::cast<py::dict>(measured), asked);
    } catch (const std::exception& thrown) {
      throw std::runtime_error(thrown.what());  // without what needs the interpreter
    }
  };
}

// Calls `kill` once the study is asked to stop: whoever waits for a replication has to hear of it.
void call_to_stop(const py::object& kill) noexcept {
  const py::gil_scoped_acquire interpreter;
  try {
    kill();
  } catch (py::error_already_set& thrown) {
    thrown.discard_as_unraisable("artel: ending the processes of an experiment");
  }
}

ModelExperiment run_study(own_models::ModelStudy study, const py::object& run,
                          const py::object& kill, unsigned jobs, const py::object& progress) {
  ModelExperiment done{.study = std::move(study), .result = {}};
  const auto held = std::make_shared<py::object>(run);
  done.study.model = model_of(held);
  run_apart(progress, [&](const std::stop_token& stop, const Report& report) {
    const std::stop_callback at_stop(stop, [&] { call_to_stop(kill); });
    done.result = own_models::run_model_study(
        done.study,
        {.jobs = jobs, .stop = stop, .progress = [&](const experiment::ExperimentProgress& so_far) {
           report(so_far.done, so_far.total);
         }});
  });
  done.study.model = {};
  if (done.result.error) throw Refusal{{*done.result.error}};
  return done;
}

using Estimate = std::pair<double, double>;  // centre and half-width
Estimate as_pair(const stat::Interval& interval) { return {interval.center, interval.half_width}; }

// Of every point: its parameters, then of every variant its name, number of replications, and
// figures with intervals and differences from the first variant.
py::list points_of(const ModelExperiment& done, double level) {
  py::list points;
  for (const auto& point : done.result.points) {
    py::list variants;
    for (const auto& variant : point.variants) {
      py::dict figures;
      for (const auto& figure : point.figures()) {
        figures[py::str(figure)] = py::make_tuple(
            as_pair(variant.estimate(figure, level)),
            as_pair(own_models::difference(variant, point.variants.front(), figure, level)));
      }
      variants.append(py::make_tuple(variant.name, variant.replications.size(), figures));
    }
    py::dict parameters;
    for (const auto& [name, value] : point.parameters.entries()) parameters[py::str(name)] = value;
    points.append(py::make_tuple(parameters, variants));
  }
  return points;
}

own_models::ModelStudy make_study(
    const std::string& name, const Numbers& parameters,
    const std::vector<std::pair<std::string, Numbers>>& variants,
    const std::vector<std::pair<std::string, std::vector<double>>>& sweep,
    std::uint32_t replications, std::uint32_t replications_max, const Numbers& precision,
    const std::vector<std::string>& figures, std::uint64_t seed) {
  own_models::ModelStudy study{.name = name,
                               .model = {},
                               .parameters = parameters_of(parameters),
                               .replications = replications,
                               .replications_max = replications_max,
                               .figures = figures,
                               .seed = Seed{seed}};
  for (const auto& [label, changes] : variants)
    study.variants.push_back({label, parameters_of(changes)});
  for (const auto& [parameter, values] : sweep) study.sweep.push_back({parameter, values});
  for (const auto& [figure, relative] : precision) study.precision.push_back({figure, relative});
  return study;
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<own_models::ModelStudy>(module, "ModelStudy")
      .def(py::init(&make_study), py::arg("name"), py::arg("parameters"), py::arg("variants"),
           py::arg("sweep"), py::arg("replications"), py::arg("replications_max"),
           py::arg("precision"), py::arg("figures"), py::arg("seed"));
  py::class_<ModelExperiment>(module, "ModelExperiment")
      .def_property_readonly(
          "json",
          [](const ModelExperiment& done) { return report::model_json(done.study, done.result); })
      .def_property_readonly(
          "csv",
          [](const ModelExperiment& done) { return report::model_csv(done.study, done.result); })
      .def_property_readonly(
          "text",
          [](const ModelExperiment& done) { return report::model_table(done.study, done.result); })
      .def("points", &points_of, py::arg("level"))
      .def("page", [](const ModelExperiment& done) {
        return page_of(report::html_model(done.study, done.result));
      });
  module.def("run_study", &run_study, py::arg("study"), py::arg("run"), py::arg("kill"),
             py::arg("jobs"), py::arg("progress"));
  module.def(
      "mean_interval",
      [](const std::vector<double>& values, double level) {
        const auto interval = stat::mean_interval(values, level);
        return py::make_tuple(interval.center, interval.half_width);
      },
      py::arg("values"), py::arg("level"),
      "Student's interval for the mean of independent numbers: centre and half-width.");
}

}  // namespace artel::python
