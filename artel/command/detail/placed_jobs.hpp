#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/job_place.hpp"
#include "artel/core/instant.hpp"

namespace artel::command::detail {

/// Has jobs run at a JobPlace.
class PlacedJobs final : public JobRunner {
 public:
  PlacedJobs(JobPlace& place, const JobLoopOptions& options, EventSet& events,
             JobListener& listener);

  [[nodiscard]] std::optional<std::size_t> free_slot() override;
  void start(CommandJob job) override;
  [[nodiscard]] std::size_t jobs() const override { return jobs_.size(); }
  [[nodiscard]] std::size_t running() const override { return jobs_.size(); }
  void handle(std::uint64_t key) override;
  [[nodiscard]] Duration next_deadline(Instant /*now*/) override { return kForever; }
  void meet_deadlines(Instant /*now*/) override {}
  bool redirect_outputs() override { return false; }
  void stop(bool now) override;
  void pause() override { place_.pause(); }
  void resume(Duration /*paused*/) override { place_.resume(); }

 private:
  void cancel_all();
  [[nodiscard]] JobOutput output_of(const CommandJob& job, PlacedEnd& end) const;

  JobPlace& place_;
  const JobLoopOptions& options_;
  JobListener& listener_;
  std::map<std::uint64_t, CommandJob> jobs_;  // there, by number
};

}  // namespace artel::command::detail
