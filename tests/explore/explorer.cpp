#include "tests/explore/explorer.hpp"

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>

#include "tests/explore/choices.hpp"
#include "tests/explore/execution.hpp"

namespace artel::explore {

std::ostream& operator<<(std::ostream& out, const Report& report) {
  out << report.executions << " executions, " << report.states << " states";
  if (!report.complete) out << ", not all";
  if (!report.failure.empty()) out << "\n" << report.failure << " after\n" << report.trace;
  return out;
}

namespace {

// All of it, but for executions that do not end.
std::string end_of(const std::string& trace) {
  constexpr std::size_t kCharacters = 20'000;
  if (trace.size() <= kCharacters) return trace;
  return "...\n" + trace.substr(trace.find('\n', trace.size() - kCharacters) + 1);
}

}  // namespace

/// Makes one execution after the other.
class Explorer {
 public:
  Explorer(const Bounds& bounds, const Scenario& scenario)
      : bounds_(bounds), scenario_(scenario), run_(fresh()) {}

  Report explore() {
    if (bounds_.rolls > 0) return roll(bounds_.rolls);
    // Some by lot first: they show who uses what, so that the search need seldom begin again.
    constexpr std::size_t kFirst = 1'000;
    const Report first = roll(kFirst);
    return first.failure.empty() ? search() : first;
  }

 private:
  Report roll(std::size_t count) {
    Report report;
    Choices choices;
    while (report.executions < count) {
      choices.roll(bounds_.seed + report.executions);
      if (!look_at_next(choices, report)) return report;
    }
    report.complete = true;
    return report;
  }

  Report search() {
    Report report;
    for (Choices choices; report.executions < bounds_.executions;) {
      experience_.grown = false;
      if (!look_at_next(choices, report)) return report;
      if (experience_.grown) {  // something was left out that matters
        choices = {};
        experience_.seen.clear();
      } else if (!choices.advance()) {
        report.complete = true;
        break;
      }
    }
    report.states = experience_.seen.size();
    return report;
  }

  // False: it went wrong.
  bool look_at_next(Choices& choices, Report& report) {
    ++report.executions;
    if (run_->execute(bounds_, choices, false)) return true;
    report.failure = run_->failure_;
    run_ = fresh();
    choices.repeat();
    run_->execute(bounds_, choices, true);
    report.trace = end_of(run_->trace_);
    return false;
  }

  std::unique_ptr<Execution> fresh() {
    return std::unique_ptr<Execution>(new Execution(scenario_, experience_));
  }

  const Bounds& bounds_;
  const Scenario& scenario_;
  Execution::Experience experience_;
  std::unique_ptr<Execution> run_;
};

Report explore(const Bounds& bounds, const Scenario& scenario) {
  return Explorer(bounds, scenario).explore();
}

}  // namespace artel::explore
