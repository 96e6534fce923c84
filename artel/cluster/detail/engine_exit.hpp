#pragma once

#include <atomic>

namespace artel::cluster::detail {

/// Threads of the engine may still be freeing what a connection had of OpenSSL when it has ended,
/// and OpenSSL cleans up at exit, whoever uses it. So the engine ends before that, unless
/// connections of ours are left. One is part of each connection.
class EngineExit {
 public:
  /// To be called before the first connection with TLS.
  static void prepare();

  EngineExit() { ++connections; }
  EngineExit(const EngineExit&) = delete;
  EngineExit& operator=(const EngineExit&) = delete;
  ~EngineExit() { --connections; }

 private:
  static void end();

  static inline std::atomic<int> connections = 0;
};

}  // namespace artel::cluster::detail
