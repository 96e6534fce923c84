#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/protocol/master_event.hpp"

namespace artel::cluster::detail {

/// What a connection tells of itself, kept until whoever steps the master takes it.
/// Threads: all members are safe from any thread.
class ConnectionNews {
 public:
  /// The connection may outlive everybody else who has `news`. `servers`: that it is to.
  [[nodiscard]] static ConnectionEvents events(const std::shared_ptr<ConnectionNews>& news,
                                               const std::string& servers);
  /// All since the last time.
  [[nodiscard]] std::vector<MasterEvent> take();

 private:
  void add(MasterEvent event);

  std::mutex lock_;
  std::vector<MasterEvent> events_;
};

}  // namespace artel::cluster::detail
