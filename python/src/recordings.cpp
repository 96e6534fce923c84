// Recorded runs, and what they predict: what `artel trace`, `calibrate` and `replay` do.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/plan/plan_request.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/load_recording.hpp"
#include "artel/predict/replay.hpp"
#include "artel/predict/what_if.hpp"
#include "artel/report/backtest_text.hpp"
#include "artel/report/calibration_text.hpp"
#include "artel/report/html_replay.hpp"
#include "artel/report/replay_table.hpp"
#include "artel/report/trace_table.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_summary.hpp"
#include "python/src/apart.hpp"
#include "python/src/module.hpp"
#include "python/src/refusal.hpp"

namespace artel::python {
namespace {

namespace py = pybind11;
using Workers = std::optional<std::uint32_t>;

/// A prediction and what it is compared with.
struct Replay {
  std::shared_ptr<const predict::LoadedTrace> recording;
  predict::Prediction prediction;
};

std::shared_ptr<predict::LoadedTrace> load(const predict::RecordingSource& source,
                                           const py::object& progress) {
  auto recording = std::make_shared<predict::LoadedTrace>();
  run_apart(progress, [&](const std::stop_token& stop, const Report& report) {
    *recording = demand(predict::load_recording(source, stop, report));
  });
  return recording;
}

std::shared_ptr<predict::LoadedTrace> with_starts(const predict::LoadedTrace& recording,
                                                  const Workers& workers) {
  const py::gil_scoped_release others_may_run;
  auto copy = std::make_shared<predict::LoadedTrace>(recording);
  predict::infer_starts(*copy, workers);
  return copy;
}

// A column of every task.
py::list column(const predict::LoadedTrace& recording,
                const std::function<py::object(const trace::TaskRecord&)>& value) {
  py::list column(recording.trace.tasks.size());
  for (std::size_t i = 0; i < recording.trace.tasks.size(); ++i)
    column[i] = value(recording.trace.tasks[i]);
  return column;
}

py::dict columns(const predict::LoadedTrace& recording) {
  using Task = trace::TaskRecord;
  py::dict all;
  const auto time = [&](const char* name, Instant Task::* member) {
    all[name] =
        column(recording, [=](const Task& task) { return py::float_(to_seconds(task.*member)); });
  };
  time("submitted", &Task::submitted);
  time("started", &Task::started);
  time("finished", &Task::finished);
  all["size"] =
      column(recording, [](const Task& task) { return py::float_(to_seconds(task.size)); });
  all["worker"] = column(recording, [](const Task& task) -> py::object {
    if (task.worker == Task::kNobody) return py::none();
    return py::int_(index(task.worker));
  });
  all["outcome"] =
      column(recording, [](const Task& task) { return py::str(std::string(name(task.outcome))); });
  all["priority"] = column(recording, [](const Task& task) { return py::int_(task.priority); });
  all["patience"] = column(recording, [](const Task& task) -> py::object {
    if (task.patience == kForever) return py::none();
    return py::float_(to_seconds(task.patience));
  });
  const auto& classes = recording.trace.header.classes;
  if (!classes.empty()) {
    std::vector<py::str> names(classes.begin(), classes.end());
    all["class"] = column(recording, [&](const Task& task) { return names.at(task.task_class); });
  }
  return all;
}

std::vector<std::string> damage(const predict::LoadedTrace& recording) {
  std::vector<std::string> lines;
  for (const auto& error : recording.trace.damage) lines.push_back(to_string(error));
  return lines;
}

predict::Calibration calibrate(const predict::LoadedTrace& recording,
                               const predict::CalibrateOptions& options) {
  const py::gil_scoped_release others_may_run;
  return demand(predict::calibrate(recording.trace, options));
}

Replay replay(std::shared_ptr<const predict::LoadedTrace> recording,
              const predict::CalibrateOptions& options, std::size_t replications, unsigned jobs,
              const py::object& progress) {
  Replay done{.recording = std::move(recording), .prediction = {}};
  run_apart(progress, [&](const std::stop_token& stop, const Report& report) {
    done.prediction = demand(predict::replay(done.recording->trace, {.calibrate = options,
                                                                     .replications = replications,
                                                                     .jobs = jobs,
                                                                     .stop = stop,
                                                                     .progress = report}));
  });
  return done;
}

predict::WhatIf what_if(const predict::LoadedTrace& recording,
                        const predict::CalibrateOptions& options,
                        const std::vector<std::string>& changes, unsigned jobs,
                        const py::object& progress) {
  const auto calibration = calibrate(recording, options);
  auto after = calibration.recorded;
  for (const auto& change : changes) {
    auto changed = plan::change(after, change);
    if (!changed) changed.error().where = "what_if";
    demand(std::move(changed));
  }
  predict::WhatIf found;
  run_apart(progress, [&](const std::stop_token& stop, const Report& report) {
    found = demand(predict::what_if(calibration.recorded, after, predict::kWhatIfReplications, jobs,
                                    stop, report, calibration.contention));
  });
  return found;
}

predict::WorkloadSource source_of(bool fitted) {
  return fitted ? predict::WorkloadSource::fitted : predict::WorkloadSource::recorded;
}

void add_predictions(py::module_& module) {
  py::class_<Replay>(module, "Replay")
      .def_property_readonly(
          "json", [](const Replay& done) { return report::replay_json(done.prediction); })
      .def_property_readonly(
          "text", [](const Replay& done) { return report::replay_table(done.prediction); })
      .def("page", [](const Replay& done) {
        return page_of(report::html_replay(done.prediction, done.recording->trace.tasks));
      });
  py::class_<predict::WhatIf>(module, "WhatIf")
      .def_property_readonly("json", &report::what_if_json)
      .def_property_readonly("text", &report::what_if_table);
  module.def("replay", &replay, py::arg("recording"), py::arg("options"), py::arg("replications"),
             py::arg("jobs"), py::arg("progress"));
  module.def("what_if", &what_if, py::arg("recording"), py::arg("options"), py::arg("changes"),
             py::arg("jobs"), py::arg("progress"));
}

}  // namespace

void add_recordings(py::module_& module) {
  py::class_<predict::RecordingSource>(module, "RecordingSource")
      .def(py::init([](std::vector<std::string> files, std::vector<std::string> names,
                       std::string format, std::string log_format, std::string service,
                       std::vector<std::string> where, std::string class_by, bool strict) {
             predict::RecordingSource source{.file = files.at(0),
                                             .columns = std::move(names),
                                             .format = std::move(format),
                                             .log_format = std::move(log_format),
                                             .service = std::move(service),
                                             .strict = strict,
                                             .where = std::move(where),
                                             .class_by = std::move(class_by)};
             files.erase(files.begin());
             source.more = std::move(files);
             return source;
           }),
           py::arg("files"), py::arg("columns"), py::arg("format"), py::arg("log_format"),
           py::arg("service"), py::arg("where"), py::arg("class_by"), py::arg("strict"));
  py::class_<predict::LoadedTrace, std::shared_ptr<predict::LoadedTrace>>(module, "Recording")
      .def(py::init(&load), py::arg("source"), py::arg("progress"))
      .def("with_starts", &with_starts, py::arg("workers"))
      .def("__len__", [](const predict::LoadedTrace& one) { return one.trace.tasks.size(); })
      .def_property_readonly("columns", &columns)
      .def_property_readonly("damage", &damage)
      .def_property_readonly("settings",
                             [](const predict::LoadedTrace& one) {
                               py::dict all;
                               for (const auto& [key, value] : one.trace.header.settings)
                                 all[py::str(key)] = value;
                               return all;
                             })
      .def_readonly("notes", &predict::LoadedTrace::notes)
      .def_property_readonly("json",
                             [](const predict::LoadedTrace& one) {
                               return report::trace_json(one.trace, trace::summarise(one.trace));
                             })
      .def_property_readonly("text", [](const predict::LoadedTrace& one) {
        return report::trace_table(one.trace, trace::summarise(one.trace));
      });
  py::class_<predict::CalibrateOptions>(module, "CalibrateOptions")
      .def(py::init([](std::string name, Workers workers, std::string policy, std::uint64_t seed) {
             return predict::CalibrateOptions{std::move(name), workers, std::move(policy),
                                              Seed{seed}};
           }),
           py::arg("name"), py::arg("workers"), py::arg("policy"), py::arg("seed"))
      .def_readonly("workers", &predict::CalibrateOptions::workers);
  py::class_<predict::Calibration>(module, "Calibration")
      .def(py::init(&calibrate), py::arg("recording"), py::arg("options"))
      .def_readonly("notes", &predict::Calibration::notes)
      .def_property_readonly("json", &report::calibration_json)
      .def_property_readonly("text", &report::calibration_text)
      .def(
          "toml",
          [](const predict::Calibration& one, bool fitted, const std::string& tasks_file) {
            return predict::calibration_toml(one, source_of(fitted), tasks_file);
          },
          py::arg("fitted"), py::arg("tasks_file"))
      .def(
          "write",
          [](const predict::Calibration& one, const std::string& path, bool fitted) {
            demand(predict::write_calibration(path, one, source_of(fitted)));
          },
          py::arg("path"), py::arg("fitted"));
  add_predictions(module);
}

}  // namespace artel::python
