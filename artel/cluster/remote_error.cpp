#include "artel/cluster/remote_error.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "artel/cluster/protocol/chunk_result.hpp"

namespace artel::cluster {
namespace {

std::string text_of(const RemoteProblem& problem, const std::string& worker) {
  return fmt::format("item {}: {} ({}{}worker {}{})", problem.item, problem.what, problem.type,
                     problem.type.empty() ? "" : ", ", worker,
                     problem.attempts > 1 ? fmt::format(", {} attempts", problem.attempts) : "");
}

}  // namespace

RemoteError::RemoteError(RemoteProblem problem, std::string worker)
    : std::runtime_error(text_of(problem, worker)),
      problem_(std::move(problem)),
      worker_(std::move(worker)) {}

}  // namespace artel::cluster
