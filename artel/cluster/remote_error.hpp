#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "artel/cluster/protocol/chunk_result.hpp"

namespace artel::cluster {

/// What a function threw at a worker, as it arrives at the master: a type cannot travel, its name
/// and text do. Also the exception of parallel::ItemFailure in map_collect.
class RemoteError : public std::runtime_error {
 public:
  RemoteError(RemoteProblem problem, std::string worker);

  /// The type and text of the exception, and whose item it was.
  [[nodiscard]] const RemoteProblem& problem() const { return problem_; }
  [[nodiscard]] std::uint64_t item() const { return problem_.item; }  ///< index in the source
  /// The id of the worker where it was thrown.
  [[nodiscard]] const std::string& worker() const { return worker_; }

 private:
  RemoteProblem problem_;
  std::string worker_;
};

}  // namespace artel::cluster
