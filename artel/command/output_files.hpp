#pragma once

namespace artel::command {

/// Where the outputs of jobs are printed: file descriptors.
struct OutputFiles {
  int out = 1;
  int err = 2;
};

}  // namespace artel::command
