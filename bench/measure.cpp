#include "bench/measure.hpp"

#include <fmt/core.h>
#include <time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <ios>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace artel::bench {
namespace {

// One line of the table: the values of one metric of one entry over its repetitions.
struct Row {
  std::string contender, workload, metric, unit;
  std::vector<double> values;

  [[nodiscard]] double median() const {
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
  [[nodiscard]] double min() const { return *std::min_element(values.begin(), values.end()); }
  [[nodiscard]] double max() const { return *std::max_element(values.begin(), values.end()); }
};

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string cpu() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string scaled(double value) {
  const double size = std::abs(value);
  if (size >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

void print_table(const std::vector<Row>& rows) {
  fmt::print("{:<22} {:<18} {:<18} {:>10} {:>10} {:>10} {:>5} {:>7}  {}\n", "workload", "contender",
             "metric", "median", "min", "max", "runs", "ratio", "unit");
  std::map<std::pair<std::string, std::string>, double> first;
  for (const auto& row : rows) {
    const double base = first.try_emplace({row.workload, row.metric}, row.median()).first->second;
    fmt::print("{:<22} {:<18} {:<18} {:>10} {:>10} {:>10} {:>5} {:>7.3f}  {}\n", row.workload,
               row.contender, row.metric, scaled(row.median()), scaled(row.min()),
               scaled(row.max()), row.values.size(), base != 0 ? row.median() / base : 0, row.unit);
  }
}

bool write_json(const std::string& file, const std::string& name, const std::vector<Row>& rows) {
  const char* commit = std::getenv("ARTEL_COMMIT");
  nlohmann::ordered_json json = {{"bench", name},
                                 {"commit", commit != nullptr ? commit : "unknown"},
                                 {"compiler", compiler()},
                                 {"cpu", cpu()},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const auto& row : rows) {
    json["rows"].push_back({{"contender", row.contender},
                            {"workload", row.workload},
                            {"metric", row.metric},
                            {"unit", row.unit},
                            {"median", row.median()},
                            {"min", row.min()},
                            {"max", row.max()},
                            {"repetitions", row.values.size()}});
  }
  std::ofstream out(file, std::ios::trunc);
  out << json.dump(2) << '\n';
  out.close();
  return static_cast<bool>(out);
}

}  // namespace

Comparison::Comparison(std::string name, int argc, char** argv) : name_(std::move(name)) {
  CLI::App app{"Benchmark " + name_};
  app.add_flag("--smoke", smoke_, "small sizes, one repetition: checks that everything runs");
  app.add_option("--repetitions", repetitions_, "counted runs of every contender")
      ->check(CLI::Range(1, 1000));
  app.add_option("--only", only_,
                 "run the entries whose \"workload contender\" contains this text");
  app.add_option("--out", out_, "write the results to this JSON file");
  app.add_flag("--list", list_, "list the entries");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
}

bool Comparison::selected(const Entry& entry) const {
  return (entry.workload + ' ' + entry.contender).find(only_) != std::string::npos;
}

int Comparison::run() {
  if (list_) {
    for (const auto& entry : entries_) fmt::print("{} {}\n", entry.workload, entry.contender);
    return 0;
  }
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const int repetitions = smoke_ ? 1 : repetitions_;
  std::vector<std::vector<Row>> rows_of(entries_.size());
  std::map<std::string, std::pair<std::string, std::string>>
      answers;  // workload -> {answer, contender}
  bool agree = true;

  for (int repetition = smoke_ ? 1 : 0; repetition <= repetitions; ++repetition) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const auto& entry = entries_[i];
      if (!selected(entry) || repetition > entry.repetitions_max) continue;
      if (repetition == 0 && !entry.warm_up) continue;
      if (terminal)
        fmt::print(stderr, "\r\033[K{} {}/{}: {} {}", name_, repetition, repetitions,
                   entry.workload, entry.contender);
      const auto outcome = entry.run();
      const auto [known, first] =
          answers.try_emplace(entry.workload, std::pair{outcome.answer, entry.contender});
      if (!first && !outcome.answer.empty() && outcome.answer != known->second.first) {
        fmt::print(stderr, "\n{}: {} answers '{}' but {} answers '{}'\n", entry.workload,
                   entry.contender, outcome.answer, known->second.second, known->second.first);
        agree = false;
      }
      if (repetition == 0) continue;  // warm-up
      auto& rows = rows_of[i];
      if (rows.empty()) {
        for (const auto& figure : outcome.figures) {
          rows.push_back({entry.contender, entry.workload, figure.metric, figure.unit, {}});
        }
      }
      for (std::size_t j = 0; j < rows.size(); ++j)
        rows[j].values.push_back(outcome.figures.at(j).value);
    }
  }
  if (terminal) fmt::print(stderr, "\r\033[K");

  std::vector<Row> table;
  for (const auto& rows : rows_of) table.insert(table.end(), rows.begin(), rows.end());
  print_table(table);
  if (!out_.empty() && !write_json(out_, name_, table)) {
    fmt::print(stderr, "{}: cannot write the results\n", out_);
    return 1;
  }
  return agree ? 0 : 1;
}

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace artel::bench
