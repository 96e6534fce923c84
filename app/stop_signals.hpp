#pragma once

#include <signal.h>

#include "artel/command/job_loop.hpp"
#include "artel/file/open_file.hpp"

namespace artel::app {

/// Ctrl-C, Ctrl-\, SIGTERM, SIGHUP and Ctrl-Z as something to read from a file, for a loop over
/// events: the first Ctrl-C asks to stop soon; another one, and the others, now; Ctrl-Z to pause.
/// What is ignored already (nohup, a script's background) stays so. SIGPIPE is ignored meanwhile.
/// Requires: make one before any other thread starts.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  [[nodiscard]] int file() const { return file_.get(); }
  /// The request since the last call. After a request to pause, call wait_for_continue().
  [[nodiscard]] command::StopRequest read();
  /// Stops this process until SIGCONT, unless that has come since Ctrl-Z.
  void wait_for_continue() const;
  /// The last signal that came; 0: none.
  [[nodiscard]] int signal() const { return signal_; }

 private:
  sigset_t before_{};
  sigset_t ends_{};  // all but Ctrl-Z
  file::OpenFile file_;
  int signal_ = 0;
};

}  // namespace artel::app
