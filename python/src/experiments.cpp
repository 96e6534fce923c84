// Scenarios and their runs: what `artel simulate` does.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/policy_input.hpp"
#include "artel/experiment/observed_policies.hpp"
#include "artel/experiment/replication_job.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/report/experiment_csv.hpp"
#include "artel/report/experiment_json.hpp"
#include "artel/report/experiment_summary.hpp"
#include "artel/report/experiment_table.hpp"
#include "artel/report/html_experiment.hpp"
#include "artel/report/html_page.hpp"
#include "artel/scenario/dispatch_settings.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/scenario_schema.hpp"
#include "artel/scenario/study.hpp"
#include "artel/scenario/sweep_axis.hpp"
#include "artel/stat/histogram.hpp"
#include "python/src/apart.hpp"
#include "python/src/module.hpp"
#include "python/src/overrides.hpp"
#include "python/src/python_policy.hpp"
#include "python/src/refusal.hpp"

namespace artel::python {
namespace {

namespace py = pybind11;

/// Of each key the values, or "8..32:4".
using Sweep =
    std::vector<std::pair<std::string, std::variant<std::string, std::vector<std::string>>>>;

/// A study, and what was found.
struct Experiment {
  std::shared_ptr<const scenario::Study> study;
  experiment::ExperimentResult result;
  std::vector<std::shared_ptr<PythonPolicy>> rules{};  ///< of Python's, that the study knows
};

// `text`: None reads the file.
scenario::Study make_study(const std::optional<std::string>& text, const std::string& file,
                           const KeyValues& set, const Sweep& sweep) {
  std::vector<scenario::SweepAxis> axes;
  for (const auto& [key, values] : sweep) {
    const auto where = "sweep " + key;
    if (const auto* written = std::get_if<std::string>(&values)) {
      auto parsed = scenario::parse_sweep_values(*written);
      if (!parsed) throw Refusal{{{parsed.error().code, parsed.error().what, where}}};
      axes.push_back({.key = key, .values = *std::move(parsed), .where = where});
    } else {
      axes.push_back(
          {.key = key, .values = std::get<std::vector<std::string>>(values), .where = where});
    }
  }
  const auto overrides = overrides_of(set);
  return demand(text ? scenario::parse_study(*text, file, overrides, axes)
                     : scenario::load_study(file, overrides, axes));
}

Experiment run(std::shared_ptr<const scenario::Study> study, unsigned jobs,
               const py::object& progress) {
  Experiment done{.study = std::move(study), .result = {}};
  run_apart(progress, [&](const std::stop_token& stop, const Report& report) {
    done.result = experiment::run_experiment(
        *done.study, {.jobs = jobs,
                      .stop = stop,
                      .progress = [&report](const experiment::ExperimentProgress& so_far) {
                        report(so_far.done, so_far.total);
                      }});
  });
  if (done.result.error) throw Refusal{{*done.result.error}};
  return done;
}

using Rules = std::vector<std::pair<std::string, py::object>>;

// Errors: a rule names what such a scenario does not know.
void check_reads(const scenario::Scenario& scenario, const scenario::PolicySpec& rule) {
  using enum dispatch::PolicyInput;
  auto known = dispatch::PolicyInputs::all();
  const auto& trace = scenario.workload.trace;
  if (!scenario.workload.keys && !(trace && !trace->prefixes.empty())) known = known.without(key);
  if (!scenario.pool.worker.cache) known = known.without(matched);
  if (scenario.dispatch.view == scenario::DispatcherView::own)
    known = known.without({delay, failures, matched});
  demand(dispatch::check_inputs(rule.policy, known, "the scenario"));
}

// The study with these besides its own policies, at every point.
std::shared_ptr<const scenario::Study> with_rules(
    const scenario::Study& study, const std::vector<std::shared_ptr<PythonPolicy>>& rules) {
  auto wider = std::make_shared<scenario::Study>(study);
  for (auto& point : wider->points) {
    auto& policies = point.scenario.dispatch.policies;
    for (const auto& rule : rules) {
      const auto has_label = [&](const auto& other) { return other.label == rule->label(); };
      if (std::ranges::any_of(policies, has_label))
        throw py::value_error("policies: there are two called " + rule->label());
      policies.push_back(rule->spec());
      check_reads(point.scenario, policies.back());
    }
  }
  return wider;
}

// Those of Python's rules here, one after the other, with the interpreter's lock; artel's own on
// `threads` threads, without it.
void run_both(const scenario::Study& study, std::span<const experiment::ReplicationJob> all,
              const experiment::OutcomeSink& sink,
              const std::vector<std::shared_ptr<PythonPolicy>>& rules, unsigned threads,
              FirstException& failure) {
  const auto is_rule = [&](const experiment::ReplicationJob& job) {
    const auto& policies = study.points.at(job.point).scenario.dispatch.policies;
    return job.policy >= policies.size() - rules.size();
  };
  std::vector<experiment::ReplicationJob> own;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all.size() && !failure.thrown(); ++i) {
    if (!is_rule(all[i])) {
      own.push_back(all[i]);
      places.push_back(i);
      continue;
    }
    for (const auto& rule : rules) rule->begin();
    const auto outcome = experiment::run_job(study, all[i], failure.stop());
    if (PyErr_CheckSignals() != 0) failure.take();
    if (outcome && !failure.thrown()) sink(i, *outcome);
  }
  if (!own.empty() && !failure.thrown()) {
    run_apart(py::none(), [&](const std::stop_token& asked, const Report&) {
      std::stop_source stop;
      const std::stop_callback by_signal(asked, [&] { stop.request_stop(); });
      const std::stop_callback by_failure(failure.stop(), [&] { stop.request_stop(); });
      demand(experiment::pool_runner(threads)(
          study, own, stop.get_token(),
          [&](std::size_t i, const experiment::ReplicationOutcome& outcome) {
            sink(places[i], outcome);
          },
          {}));
    });
  }
}

// run_both() as a runner, through which no exception goes: the first one is kept.
experiment::ReplicationRunner runner_of(const std::vector<std::shared_ptr<PythonPolicy>>& rules,
                                        unsigned threads, FirstException& failure) {
  return [&rules, threads, &failure](const scenario::Study& study,
                                     std::span<const experiment::ReplicationJob> jobs,
                                     const std::stop_token&, const experiment::OutcomeSink& sink,
                                     const experiment::PartSink&) -> Result<void> {
    try {
      if (!failure.thrown()) run_both(study, jobs, sink, rules, threads, failure);
    } catch (py::error_already_set& thrown) {
      thrown.restore();
    } catch (const py::builtin_exception& thrown) {
      thrown.set_error();
    }
    failure.take();
    if (failure.thrown()) return fail(ErrorCode::cancelled, "Python has raised an exception");
    return {};
  };
}

// With rules of Python's, which decide on the caller's thread.
Experiment run_with_rules(const scenario::Study& study, const Rules& given, unsigned jobs,
                          const py::object& progress) {
  const Run running;
  Experiment done;
  FirstException failure;
  for (const auto& [label, rule] : given)
    done.rules.push_back(std::make_shared<PythonPolicy>(label, rule, failure));
  done.study = with_rules(study, done.rules);
  const auto tell = [&](const experiment::ExperimentProgress& so_far) {
    const py::gil_scoped_acquire interpreter;
    if (progress.is_none() || failure.thrown()) return;
    try {
      progress(so_far.done, so_far.total);
    } catch (py::error_already_set& thrown) {
      thrown.restore();
      failure.take();
    }
  };
  done.result = experiment::run_experiment(
      *done.study,
      {.jobs = jobs, .progress = tell, .runner = runner_of(done.rules, jobs, failure)});
  failure.rethrow();
  if (done.result.error) throw Refusal{{*done.result.error}};
  return done;
}

std::string page(const Experiment& done, unsigned jobs) {
  std::optional<experiment::ObservedPolicies> observed;
  demand(report::check_html_page());
  if (!done.rules.empty())  // they would have to be watched with the interpreter's lock
    return page_of(report::html_experiment(*done.study, done.result, observed));
  run_apart(py::none(), [&](const std::stop_token& stop, const Report&) {
    const auto point = report::point_of_interest(*done.study, done.result);
    observed = experiment::observe_policies(done.study->points[point].scenario,
                                            {.jobs = jobs, .stop = stop});
  });
  return page_of(report::html_experiment(*done.study, done.result, observed));
}

// Low and high end in seconds, and count, of every bucket.
std::vector<std::tuple<double, double, std::uint64_t>> buckets(const Experiment& done,
                                                               std::size_t point,
                                                               std::size_t policy, bool waits) {
  const auto& times = done.result.points.at(point).policies.at(policy).times;
  std::vector<std::tuple<double, double, std::uint64_t>> all;
  const auto seconds = [](std::uint64_t ns) { return static_cast<double>(ns) / 1e9; };
  (waits ? times.waits : times.responses).all().for_each([&](const stat::Histogram::Bucket& one) {
    all.emplace_back(seconds(one.low), seconds(one.high), one.count);
  });
  return all;
}

std::string text(const Experiment& done) {
  return report::experiment_table(*done.study, done.result) +
         report::experiment_answer(*done.study, done.result);
}

}  // namespace

void add_experiments(py::module_& module) {
  py::class_<scenario::Study, std::shared_ptr<scenario::Study>>(module, "Study")
      .def(py::init(&make_study), py::arg("text"), py::arg("file"), py::arg("set"),
           py::arg("sweep"))
      .def_property_readonly("fingerprint",
                             [](const scenario::Study& study) { return fingerprint(study); });
  py::class_<Experiment>(module, "Experiment")
      .def_property_readonly(
          "json",
          [](const Experiment& done) { return report::experiment_json(*done.study, done.result); })
      .def_property_readonly(
          "csv",
          [](const Experiment& done) { return report::experiment_csv(*done.study, done.result); })
      .def_property_readonly("text", &text)
      .def("page", &page, py::arg("jobs"))
      .def("buckets", &buckets, py::arg("point"), py::arg("policy"), py::arg("waits"));
  module.def("simulate", &run, py::arg("study"), py::arg("jobs"), py::arg("progress"));
  module.def("simulate_with_rules", &run_with_rules, py::arg("study"), py::arg("rules"),
             py::arg("jobs"), py::arg("progress"));
  add_policy_views(module);
  module.def("scenario_schema", &scenario::scenario_schema_text,
             "Every key that a scenario may have.");
}

}  // namespace artel::python
