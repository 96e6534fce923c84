#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"

namespace artel::fleet::detail {

/// A server that has place for all: who comes is in service at once, unless the worker stands.
///
/// Cost: O(waiting) to withdraw.
class OpenServer : public Server {
 public:
  void enter(const ServerJob& job, Instant /*now*/, ServerNews& news) final {
    if (stands()) {
      waiting_.push_back(job);
    } else {
      take(job, news);
    }
  }
  bool withdraw(std::uint32_t id) final {
    return std::erase_if(waiting_, [id](const ServerJob& job) { return job.id == id; }) > 0;
  }
  void lose_waiting(ServerNews& news) final {
    for (const auto& job : std::exchange(waiting_, {})) news.ended.push_back(job.id);
  }

 private:
  virtual void take(const ServerJob& job, ServerNews& news) = 0;
  void begin(Instant /*now*/, ServerNews& news) final {
    for (const auto& job : std::exchange(waiting_, {})) take(job, news);
  }

  std::vector<ServerJob> waiting_;
};

}  // namespace artel::fleet::detail
