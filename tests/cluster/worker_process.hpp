#pragma once

#include <fcntl.h>
#include <stdlib.h>

#include <string>
#include <utility>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/core/require.hpp"
#include "artel/file/open_file.hpp"

namespace artel {

/// A worker with the tasks of swarm_task.hpp, as a process of two threads. A token, unless it is
/// empty, is in our own environment from then on, so no other thread may be there that reads it.
[[nodiscard]] inline command::Child start_worker(const std::string& servers,
                                                 const std::string& token) {
  if (!token.empty()) ::setenv("ARTEL_CLUSTER_TOKEN", token.c_str(), 1);
  const file::OpenFile null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  auto started = command::Child::start(
      ARTEL_SWARM_WORKER, std::vector<std::string>{"swarm_worker", "--cluster", servers, "-j", "2"},
      {.in = null.get(), .out = null.get(), .err = null.get(), .inherit = false});
  ARTEL_REQUIRE(started.has_value(), "a worker starts", started.error().message());
  return *std::move(started);
}

}  // namespace artel
