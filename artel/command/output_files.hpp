#pragma once

namespace artel::command {

/// Where the outputs of jobs are printed: file descriptors.
struct OutputFiles {
  int out = 1;  ///< for stdout of jobs
  int err = 2;  ///< for their stderr
};

}  // namespace artel::command
