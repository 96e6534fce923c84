#pragma once

#include <optional>
#include <string>

#include "artel/cluster/protocol/master_event.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster::detail {

/// The connection to the server as its master knows it, and what went wrong last.
///
///  1  It is gone from the first loss until it is there again, however often it is lost meanwhile.
///  2  Time in which this process did not run is not time without a connection.
///  3  Trouble of one kind is told once a minute at most.
/// Threads: one at a time; `now` comes from outside.
class ServerLink {
 public:
  void lost(const MasterDisconnected& event, Instant now);
  /// It is there again. Returns for how long it was gone.
  Duration back(Instant now);
  void did_not_run(Duration time, Instant now);
  /// Why there is no connection; null: there is one.
  [[nodiscard]] const MasterDisconnected* gone() const { return gone_ ? &*gone_ : nullptr; }
  [[nodiscard]] Instant gone_since() const { return gone_since_; }

  /// Returns whether people are to be told.
  bool trouble_came(const TroubleCame& event, Instant now);
  /// Adds what went wrong last, if that was since then.
  [[nodiscard]] std::string with_trouble(std::string what, Instant since) const;

 private:
  std::optional<MasterDisconnected> gone_;
  Instant gone_since_{};
  std::optional<TroubleCame> trouble_;  // the last
  Instant trouble_at_{};
  Instant trouble_told_{};  // the last time that one of its kind was
};

}  // namespace artel::cluster::detail
