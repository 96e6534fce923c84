#include "artel/sim/model/computation.hpp"

#include <string_view>

#include "artel/core/id.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {

std::string_view describe(ComputationOutcome outcome) {
  switch (outcome) {
    case ComputationOutcome::finished:
      return "finished";
    case ComputationOutcome::not_enough_cores:
      return "not enough cores";
    case ComputationOutcome::not_enough_memory:
      return "not enough memory";
    case ComputationOutcome::host_down:
      return "host down";
  }
  return "?";
}

void add_to(trace::Fingerprint& print, const ComputationStarted& started) {
  print.add(index(started.operation));
  print.add(started.cores);
}

void add_to(trace::Fingerprint& print, const ComputationFailed& failed) {
  print.add(index(failed.operation));
  print.add(index(failed.reason));
}

}  // namespace artel::sim
