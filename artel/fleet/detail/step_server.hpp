#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

/// Continuous batching: serves jobs in steps, in each of which every job of the batch gets a part
/// of its service. Between steps those that have got all of it leave, and others join in order of
/// arrival while there is place and memory; a job that is too large for the memory goes alone.
///
/// Cost: O(jobs in the batch) per step.
class StepServer final : public Server {
 public:
  /// Requires: settings.step > 0.
  StepServer(scenario::BatchSettings settings, random::Stream dice)
      : settings_(std::move(settings)), dice_(dice), step_(to_seconds(settings_.step)) {}

  void enter(const ServerJob& job, Instant now, ServerNews& news) override;
  [[nodiscard]] double until_change() const override;
  void advance(double clock) override { left_ -= clock; }
  void change(Instant now, ServerNews& news) override;
  [[nodiscard]] bool serves_together() const override { return true; }
  [[nodiscard]] std::uint32_t busy() const override { return batch_.empty() ? 0 : 1; }
  bool withdraw(std::uint32_t id) override;
  bool cancel(std::uint32_t id, Instant /*now*/, ServerNews& /*news*/) override {
    return withdraw(id);
  }
  void restart() override;
  void lose(Instant now, ServerNews& news) override;
  void lose_waiting(ServerNews& news) override {
    for (const auto& job : std::exchange(waiting_, {})) news.ended.push_back(job.id);
  }

 private:
  void begin(Instant now, ServerNews& news) override;
  struct InBatch {
    ServerJob job;
    std::uint64_t steps = 0;  // that it still needs
    double join = 0;          // what it added to its first
  };
  [[nodiscard]] bool has_place(const ServerJob& job) const;
  [[nodiscard]] std::uint64_t steps_of(const ServerJob& job) const;
  void begin_step(ServerNews& news);

  scenario::BatchSettings settings_;
  random::Stream dice_;
  double step_;  // seconds of service
  std::deque<ServerJob> waiting_;
  std::vector<InBatch> batch_;  // in order of arrival
  double held_ = 0;             // service times of the batch
  double time_ = 0;             // of the step, but for those who join
  double left_ = 0;             // of it
  bool between_steps_ = false;  // the next begins when it goes on
};

}  // namespace artel::fleet::detail
