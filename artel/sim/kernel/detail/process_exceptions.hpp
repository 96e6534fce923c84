#pragma once

#include <exception>
#include <map>
#include <utility>
#include <vector>

#include "artel/sim/kernel/detail/process_state.hpp"

namespace artel::sim::detail {

/// The exceptions that processes have: of one that failed what left it; of others what is to be
/// thrown into them, each in turn.
///
/// Invariant: a process that runs has some exactly while it is `interrupted` (the first is on its
///            way) or `thrown_into` (it is thrown where the process runs on now).
class ProcessExceptions {
 public:
  void add(const ProcessState& process, std::exception_ptr exception) {
    all_[&process].push_back(std::move(exception));
  }
  /// Requires: it has one.
  [[nodiscard]] const std::exception_ptr& first_of(const ProcessState& process) const {
    return all_.find(&process)->second.front();
  }
  /// The one that is thrown now; if there are others, the next is on its way.
  [[nodiscard]] std::exception_ptr take(ProcessState& process) {
    const auto all = all_.find(&process);
    std::exception_ptr first = std::move(all->second.front());
    all->second.erase(all->second.begin());
    process.thrown_into = false;
    process.interrupted = !all->second.empty();
    if (!process.interrupted) all_.erase(all);
    return first;
  }
  /// What goes with them may throw into others.
  void forget(const ProcessState& process) { all_.extract(&process); }

 private:
  std::map<const ProcessState*, std::vector<std::exception_ptr>> all_;
};

}  // namespace artel::sim::detail
