// Calibrations as files.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/policy_table.hpp"
#include "artel/dispatch/when_full.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/file/write_file.hpp"
#include "artel/predict/calibrate.hpp"
#include "artel/predict/detail/toml_text.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/scaling/timetable.hpp"
#include "artel/scenario/policy_spec.hpp"
#include "artel/scenario/pool_settings.hpp"
#include "artel/scenario/scenario.hpp"
#include "artel/scenario/stealing_word.hpp"
#include "artel/scenario/workload.hpp"
#include "artel/trace/fingerprint.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::predict {
namespace {

using detail::law;
using detail::list;
using detail::seconds;
using detail::toml_text;

std::string percent(double share) { return fmt::format("{:.3g}%", 100 * share); }

// In comments nothing may end the line.
std::string one_line(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return out;
}

/// One value for all workers, or a list.
template <class T, class Show>
std::string each(const std::vector<T>& values, const Show& show) {
  if (std::all_of(values.begin(), values.end(), [&](T v) { return v == values.front(); }))
    return show(values.front());
  std::vector<std::string> texts;
  for (const T value : values) texts.push_back(show(value));
  return fmt::format("[{}]", join(texts, ", "));
}

std::string bound(std::uint32_t value) {
  return value == dispatch::kUnbounded ? "\"inf\"" : std::to_string(value);
}

struct ParameterText {
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& text) const { return toml_text(text); }
  std::string operator()(const std::vector<double>& numbers) const {
    return fmt::format("[{}]", join(numbers, ", "));
  }
};

std::string policy_table(const scenario::PolicySpec& spec) {
  if (spec.parameters.empty()) return toml_text(spec.name);
  std::string text = fmt::format("{{ name = {}", toml_text(spec.name));
  for (const auto& [key, value] : spec.parameters)
    text += fmt::format(", {} = {}", key, std::visit(ParameterText{}, value));
  return text + " }";
}

/// Writes one scenario, table by table.
class TomlText {
 public:
  TomlText(const Calibration& calibration, const scenario::Scenario& scenario,
           std::string_view tasks_file)
      : made_(calibration), scenario_(scenario), tasks_file_(tasks_file) {}

  std::string text() {
    head();
    workload();
    pool();
    add("\n[dispatch]\n");
    if (!made_.policy.empty()) comment("As recorded: {}.", one_line(made_.policy));
    add("policies = [{}]\n", policy_table(scenario_.dispatch.policies.front()));
    add("\n[run]\n");
    if (scenario_.run.tasks) {
      comment("As many tasks as were recorded, per replication.");
      add("tasks = {}\n", *scenario_.run.tasks);
    } else {
      comment("The recorded tasks are all there is: one replication tells.");
    }
    add("replications = {}\nseed = {}\n", scenario_.run.replications, index(scenario_.run.seed));
    return std::move(text_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  template <class... Args>
  void comment(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "# ";
    add(format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void head() {
    comment("Calibrated from a trace ({}).", one_line(made_.source));
    std::string outcomes;
    for (std::size_t i = 0; i < made_.outcomes.size(); ++i) {
      outcomes += fmt::format("{}{} {}", i == 0 ? "" : ", ", made_.outcomes[i],
                              trace::name(static_cast<trace::TaskOutcome>(i)));
    }
    comment("Tasks seen: {}; {} dropped by the recorder; {} loop.", outcomes, made_.dropped,
            trace::name(made_.loop));
    comment("A task that failed took its service time like any other.");
    for (const auto& note : made_.notes) comment("Note: {}.", note);
    add("name = {}\n", toml_text(scenario_.name));
  }

  void workload() {
    const auto& arrivals = made_.arrivals;
    add("\n[workload]\n");
    comment("Recorded: {:.6g} per second; squared coefficient of variation of the gaps {:.3g}.",
            arrivals.rate, arrivals.gap_scv);
    const bool recorded =
        std::holds_alternative<scenario::TraceArrivals>(scenario_.workload.arrivals);
    if (!recorded) {
      comment("Fit: the gaps' distribution is off by {} at most (chance alone: {}).",
              percent(arrivals.ks), percent(arrivals.ks_noise));
      for (const auto& d : arrivals.dispersion) {
        comment("  variance / mean of counts in {:>7}: recorded {:.3g} ± {:.2g}, here {:.3g}",
                format_duration(d.window), d.recorded, d.noise, d.fitted);
      }
    }
    add("arrivals = {}\n", detail::arrivals_table(scenario_.workload.arrivals));
    if (recorded) {
      const auto& rows = *scenario_.workload.trace;
      add("trace = {{ file = {}, time = \"submitted\"{}{} }}\n", toml_text(tasks_file_),
          rows.classes.empty() ? "" : ", class = \"class\"",
          rows.patience.empty() ? "" : ", patience = \"patience\"");
    }
    kinds(recorded);
    if (scenario_.workload.hint_error > 0) {
      comment("How far the size hints are from the service times.");
      add("hint_error = {}\n", scenario_.workload.hint_error);
    }
    service(recorded);
  }

  void kinds(bool recorded) {
    const auto& classes = scenario_.workload.classes;
    if (!classes.empty()) {
      comment("{}", made_.class_service.empty() ? "Priorities; a class of 0 is usual."
                                                : "As the log's lines were told apart.");
      add("classes = [\n");
      for (std::size_t i = 0; i < classes.size(); ++i) {
        const auto& one = classes[i];
        add("  {{ name = {}, priority = {}", toml_text(one.name), one.priority);
        if (!recorded) add(", share = {}", one.share);
        if (!recorded && one.service) {  // so the class has a fit
          if (const auto& fit = made_.class_service[i]) add(", service = {}", law(*fit));
        }
        add(" }},\n");
      }
      add("]\n");
    }
    if (recorded || made_.patience.empty()) return;
    comment("From submission to the deadline, quantiles; 1e9: none.");
    add("patience = {{ distribution = \"empirical\", values = {} }}\n", list(made_.patience));
  }

  void service(bool recorded) {
    const auto& fit = made_.service;
    comment("Service times, seconds at speed 1: mean {:.6g}, squared coefficient of variation",
            fit.mean_s);
    comment("{:.3g}, from {} to {}.", fit.scv, format_duration(fit.min), format_duration(fit.max));
    if (recorded) {
      add("service = {{ expression = \"service\" }}\n");
      return;
    }
    if (fit.parts.size() == 1) {
      comment("All of them; each equally likely.");
      add("service = {{ distribution = \"empirical\", values = {} }}\n",
          list(fit.parts.front().values));
      return;
    }
    comment(
        "Means of slices of the sorted values, finer ones for the largest tenth and hundredth;");
    comment("the distribution is off by {} at most.", percent(fit.ks));
    add("[workload.service]\ndistribution = \"mixture\"\n");
    for (const auto& part : fit.parts) {
      add("[[workload.service.parts]]\nprobability = {}\n", part.share);
      add("distribution = \"empirical\"\nvalues = {}\n", list(part.values));
    }
  }

  void pool() {
    const auto& pool = scenario_.pool;
    add("\n[pool]\nworkers = {}\n", pool.speeds.size());
    if (made_.speeds.differ) {
      comment("Measured: how long tasks took{} on each worker, geometric means.",
              made_.speeds.by_hint ? ", against their size hints," : "");
    } else if (made_.speeds.spread > 0) {
      comment("Measured speeds differ by {}, which is no more than chance or than matters.",
              percent(made_.speeds.spread - 1));
    }
    add("speeds = {}\n", each(pool.speeds, [](double v) { return fmt::format("{}", v); }));
    comment("Running task included; a pool's \"0\" is about 100 us of work at the mean service.");
    add("queue_bound = {}\n", each(pool.queue_bounds, bound));
    add("common_bound = {}\n", bound(pool.common_bound));
    add("when_full = \"{}\"\n", pool.when_full == dispatch::WhenFull::block ? "block" : "reject");
    add("stealing = \"{}\"\n", scenario::stealing_word(pool.stealing));
    if (pool.scaling) sizes(*pool.scaling);
    const auto& overhead = made_.overhead;
    comment("From submission to start where the worker was idle: {} times, median {}.",
            overhead.wake_up_samples, format_duration(overhead.wake_up_median));
    if (!pool.wake_ups.empty()) add("wake_up = {}\n", list(pool.wake_ups));
    comment("From the end of a task to the start of one that waited: {} of {}.",
            made_.loop == trace::Loop::closed ? "median" : "mean", overhead.task_samples);
    add("task_overhead = {}\n", seconds(pool.task_overhead));
  }

  void sizes(const scenario::ScalingSettings& scaling) {
    const auto* table = std::get_if<scaling::Timetable>(&scaling.policy);
    if (table == nullptr) return;
    comment("The pool was resized at these times, since the first task.");
    add("scaling = {{ policy = \"timetable\", min = {}, max = {}, day = {}, entries = [\n",
        scaling.limits.min, scaling.limits.max, seconds(table->day));
    for (const auto& entry : table->entries)
      add("  {{ from = {}, workers = {} }},\n", seconds(entry.from), entry.workers);
    add("] }}\n");
  }

  const Calibration& made_;
  const scenario::Scenario& scenario_;
  std::string_view tasks_file_;
  std::string text_;
};

// In quotes, if it has what ends a field.
std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos && text == file::trimmed(text))
    return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string tasks_csv(const scenario::Scenario& scenario) {
  const auto& rows = *scenario.workload.trace;
  std::string text = "submitted,service";
  if (!rows.classes.empty()) text += ",class";
  if (!rows.patience.empty()) text += ",patience";
  text += '\n';
  for (std::size_t i = 0; i < rows.arrivals.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{},{}", seconds(rows.arrivals[i].time_since_epoch()),
                   seconds(rows.services[i]));
    if (!rows.classes.empty())
      text += ',' + csv_text(scenario.workload.classes[rows.classes[i]].name);
    if (!rows.patience.empty()) {
      text += ',';
      if (rows.patience[i] < kForever) text += seconds(rows.patience[i]);
    }
    text += '\n';
  }
  return text;
}

// The last line of a scenario: it tells the tasks that were written with it from any other file of
// their name.
std::string written_with(const std::filesystem::path& tasks, std::string_view rows) {
  trace::Fingerprint sum;
  sum.add(rows);
  return fmt::format("\n# Written with {}, sum {:016x}.\n", tasks.filename().string(), sum.value());
}

// The name of the tasks is ours, not the user's: a file that stands there is replaced only if it is
// the one that the scenario at `path` was written with.
Result<void> check_replaceable(const std::filesystem::path& tasks,
                               const std::filesystem::path& path) {
  constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 32U;
  std::error_code unknown;
  if (!std::filesystem::exists(std::filesystem::symlink_status(tasks, unknown))) return {};
  const auto rows = file::read_text_file(tasks, kBytesMax, file::ReadFor::update);
  const auto scenario = file::read_text_file(path, kBytesMax, file::ReadFor::update);
  if (rows && scenario && scenario->ends_with(written_with(tasks, *rows))) return {};
  return fail(ErrorCode::invalid,
              fmt::format("the tasks of '{}' go there, and the file holds something else; move it "
                          "away, or give the scenario another name",
                          path.filename().string()),
              tasks.string());
}

}  // namespace

std::string calibration_toml(const Calibration& calibration, WorkloadSource source,
                             std::string_view tasks_file) {
  return TomlText(calibration,
                  source == WorkloadSource::recorded ? calibration.recorded : calibration.fitted,
                  tasks_file)
      .text();
}

Result<void> write_calibration(const std::filesystem::path& path, const Calibration& calibration,
                               WorkloadSource source) {
  auto tasks = path;
  tasks.replace_extension(".tasks.csv");
  auto scenario = calibration_toml(calibration, source, tasks.filename().string());
  if (source == WorkloadSource::fitted) return file::write_file(path, scenario);
  const auto rows = tasks_csv(calibration.recorded);
  scenario += written_with(tasks, rows);
  if (const auto replaceable = check_replaceable(tasks, path); !replaceable) return replaceable;
  if (auto written = file::write_file(tasks, rows); !written) return written;
  return file::write_file(path, scenario);
}

}  // namespace artel::predict
