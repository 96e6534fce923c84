#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/file/open_file.hpp"

namespace artel {

/// A network that can be cut: connections to its port are passed on to another port of this
/// machine. While it is cut nothing gets through and nobody is told, as when a cable is pulled;
/// what was sent meanwhile arrives when it is mended.
///
/// Threads: all members are safe from any thread; it works on one of its own.
class CutProxy {
 public:
  /// To 127.0.0.1:`target`.
  explicit CutProxy(std::uint16_t target);
  CutProxy(const CutProxy&) = delete;
  CutProxy& operator=(const CutProxy&) = delete;
  ~CutProxy();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  void cut_for(Duration time);
  /// Says this to all clients, as if the server did, and closes their connections.
  void end_all(std::string words);
  /// Connections that were made so far.
  [[nodiscard]] std::uint64_t connections() const { return connections_; }

 private:
  /// One direction of a connection.
  struct Pipe {
    int from;
    int to;
    std::string waiting;  // read, not written
  };
  struct Connection {
    file::OpenFile client;
    file::OpenFile server;
    Pipe up;
    Pipe down;
  };

  void run(const std::stop_token& stop);
  void accept_one();
  [[nodiscard]] bool is_cut() const;
  static bool pass_on(Pipe& pipe);

  std::uint16_t target_;
  std::uint16_t port_ = 0;
  file::OpenFile listener_;
  std::vector<std::unique_ptr<Connection>> open_;
  std::atomic<std::int64_t> mended_ns_ = 0;  // on the steady clock; cut until then
  std::atomic<std::uint64_t> connections_ = 0;
  std::mutex lock_;
  std::string last_words_;  // guarded by lock_
  std::jthread thread_;
};

/// Of "nats://127.0.0.1:4222".
[[nodiscard]] std::uint16_t port_of(const std::string& server);

}  // namespace artel
