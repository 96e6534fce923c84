#pragma once

#include <string>

#include "artel/command/job_loop.hpp"
#include "artel/core/instant.hpp"
#include "artel/parallel/progress.hpp"

namespace artel::app {

/// "[#####---------------]  25% 250 of 1000 jobs, 2 failed, 83/s, 9.04 s left"; what is not known
/// is left out.
[[nodiscard]] std::string progress_text(const command::JobProgress& progress, Duration elapsed);

/// A bar on stderr for jobs: redrawn if that is a terminal, else a line every ten seconds.
/// Threads: one at a time.
class ProgressBar {
 public:
  ProgressBar();

  void show(const command::JobProgress& progress);
  /// Makes room for other output; show() draws it again.
  void hide();
  /// The last line, which stays.
  void finish(const command::JobProgress& progress);

 private:
  void print(const command::JobProgress& progress, const char* end);

  bool terminal_;
  bool visible_ = false;
  Instant start_;
  Instant next_;
};

}  // namespace artel::app
