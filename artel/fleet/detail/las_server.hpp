#pragma once

#include <cstdint>
#include <vector>

#include "artel/fleet/detail/open_server.hpp"
#include "artel/fleet/detail/server.hpp"

namespace artel::fleet::detail {

/// Least attained service (foreground-background): whoever has been served least is in service, and
/// those who are level share it. It favours short jobs without knowing who is short.
///
/// Cost: O(log jobs) per job and per change, plus the smaller group when two become level.
class LasServer final : public OpenServer {
 public:
  [[nodiscard]] double until_change() const override;
  void advance(double clock) override;
  void change(Instant now, ServerNews& news) override;
  [[nodiscard]] std::uint32_t busy() const override { return groups_.empty() ? 0 : 1; }
  bool cancel(std::uint32_t id, Instant now, ServerNews& news) override;
  void restart() override;
  void lose(Instant now, ServerNews& news) override;

 private:
  struct AttainedJob {
    std::uint64_t order = 0;
    ServerJob job;
  };
  // Jobs that have attained the same.
  struct AgeGroup {
    double attained = 0;
    std::vector<AttainedJob> jobs;  // a heap, the least work first
  };
  void take(const ServerJob& job, ServerNews& news) override;
  // Service per job of the group in service until its first job ends, or it is level with the next.
  [[nodiscard]] double until_end() const;
  [[nodiscard]] double until_level() const;

  std::vector<AgeGroup> groups_;  // by attained service, the least, which is in service, last
  std::uint64_t arrived_ = 0;
};

}  // namespace artel::fleet::detail
