#pragma once

#include <functional>
#include <string>
#include <vector>

namespace artel::bench {

/// One figure of one run.
struct Figure {
  std::string metric;  ///< what is measured: "events_per_s"
  std::string unit;    ///< "1/s", "s", "bytes", "ratio"
  double value = 0;
};

/// What one run of one contender gives: its figures, and a short text of its answer, so that
/// contenders which should agree can be seen to agree (empty when there is nothing to compare).
struct Outcome {
  std::vector<Figure> figures;
  std::string answer;
};

/// One contender on one workload; `run` does the whole workload once and says what came out.
struct Entry {
  std::string contender;
  std::string workload;
  std::function<Outcome()> run;
  int repetitions_max = 1000;  ///< a rival that is too slow may run fewer times than the others
  bool warm_up = true;         ///< false: every run stands for itself
};

/// Compares contenders on the same workloads in one process.
///
/// Options of the program: --smoke (small sizes, one repetition), --repetitions N, --only TEXT
/// (workloads and contenders that contain it), --out FILE (JSON: {bench, commit, compiler, cpu,
/// rows}), --list. Repetitions are interleaved over all entries, so that a drift of the machine's
/// speed touches every contender alike; the first one warms up and is not counted. Prints a table
/// with median, minimum, maximum and the ratio to the first contender of the workload.
class Comparison {
 public:
  /// Reads the command line; prints help or an error and exits where that is what was asked.
  Comparison(std::string name, int argc, char** argv);

  /// Whether to use sizes that take well under a second in all; they run in the tests.
  [[nodiscard]] bool smoke() const { return smoke_; }

  void add(Entry entry) { entries_.push_back(std::move(entry)); }

  /// Runs everything and writes the results. Returns the exit status: 1 when answers differ or the
  /// file cannot be written.
  [[nodiscard]] int run();

 private:
  [[nodiscard]] bool selected(const Entry& entry) const;

  std::string name_;
  std::string only_;
  std::string out_;
  int repetitions_ = 10;
  bool smoke_ = false;
  bool list_ = false;
  std::vector<Entry> entries_;
};

/// Seconds that `body` takes on the steady clock.
[[nodiscard]] double seconds_of(const std::function<void()>& body);

/// Processor time of all threads of this process so far: steadier than the clock where others are
/// at work, too.
[[nodiscard]] double cpu_seconds();

}  // namespace artel::bench
