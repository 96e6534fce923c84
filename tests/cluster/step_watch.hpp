#pragma once

namespace artel::cluster::simulated {

/// Ends the process, with words, if a step of a machine takes more than a second of processor time:
/// it does not end. Threads: one at a time.
class StepWatch {
 public:
  static void begin();
  static void end();
};

}  // namespace artel::cluster::simulated
