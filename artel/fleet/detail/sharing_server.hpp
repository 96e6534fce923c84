#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "artel/fleet/detail/open_server.hpp"
#include "artel/fleet/detail/server.hpp"

namespace artel::fleet::detail {

/// Processor sharing: all jobs are in service at once, and each has an equal part of the speed.
///
/// Cost: O(log jobs) per job.
class SharingServer final : public OpenServer {
 public:
  /// `total_speed[n - 1]`: of n jobs together, the last of them for more; empty: always 1.
  explicit SharingServer(std::vector<double> total_speed) : total_speed_(std::move(total_speed)) {}

  [[nodiscard]] double until_change() const override;
  void advance(double clock) override;
  void change(Instant now, ServerNews& news) override;
  [[nodiscard]] std::uint32_t busy() const override { return jobs_.empty() ? 0 : 1; }
  bool cancel(std::uint32_t id, Instant now, ServerNews& news) override;
  void restart() override;
  void lose(Instant now, ServerNews& news) override;

 private:
  struct SharingJob {
    double end = 0;  // of attained_
    std::uint64_t order = 0;
    ServerJob job;
  };
  void take(const ServerJob& job, ServerNews& news) override;
  // Service per job while the clock goes on by 1.
  [[nodiscard]] double rate() const;

  std::vector<double> total_speed_;
  std::vector<SharingJob> jobs_;  // a heap, the next end first
  double attained_ = 0;           // by a job that was there all the time
  std::uint64_t arrived_ = 0;
};

}  // namespace artel::fleet::detail
