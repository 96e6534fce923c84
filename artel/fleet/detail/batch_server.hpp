#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

/// Serves jobs in batches, in order of arrival: all of a batch start together and end together. A
/// batch starts when the worker is free and it is full, or its first job has waited long enough.
///
/// Cost: O(1) per job.
class BatchServer final : public Server {
 public:
  BatchServer(scenario::BatchSettings settings, random::Stream dice)
      : settings_(std::move(settings)), dice_(dice) {}

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
  void restart() override { left_ = time_; }
  void lose(Instant now, ServerNews& news) override { change(now, news); }
  void lose_waiting(ServerNews& news) override {
    for (const auto& waiting : std::exchange(waiting_, {})) news.ended.push_back(waiting.job.id);
  }
  [[nodiscard]] std::optional<Instant> wakes_at() const override;
  void wake(Instant now, ServerNews& news) override { start_if_due(now, news); }

 private:
  struct Waiting {
    ServerJob job;
    Instant since{};
  };
  void begin(Instant now, ServerNews& news) override { start_if_due(now, news); }
  void start_if_due(Instant now, ServerNews& news);

  scenario::BatchSettings settings_;
  random::Stream dice_;
  std::deque<Waiting> waiting_;
  std::vector<std::uint32_t> batch_;  // in service
  double time_ = 0;                   // of the batch
  double left_ = 0;                   // of it
};

}  // namespace artel::fleet::detail
