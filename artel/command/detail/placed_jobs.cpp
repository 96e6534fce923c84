#include "artel/command/detail/placed_jobs.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "artel/command/detail/capture.hpp"
#include "artel/command/detail/event_set.hpp"
#include "artel/command/detail/job_runner.hpp"
#include "artel/command/detail/output_store.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/job_place.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"

namespace artel::command::detail {

PlacedJobs::PlacedJobs(JobPlace& place, const JobLoopOptions& options, EventSet& events,
                       JobListener& listener)
    : place_(place), options_(options), listener_(listener) {
  events.add(place.file(), 0);
}

std::optional<std::size_t> PlacedJobs::free_slot() {
  if (place_.room() == 0) return std::nullopt;
  return 0;
}

void PlacedJobs::start(CommandJob job) {
  place_.start({.job = job.number, .command = job.command});
  jobs_.emplace(job.number, std::move(job));
}

void PlacedJobs::handle(std::uint64_t /*key*/) {
  for (auto& end : place_.take_ends()) {
    auto node = jobs_.extract(end.job);
    if (node.empty()) continue;  // cancelled
    const Instant now = steady_now();
    const JobReport report{.slot = 1,
                           .started_wall = end.started_wall,
                           .started = now - end.runtime,
                           .finished = now,
                           .output = end.out.size(),
                           .ending = end.ending,
                           .failed = end.failed,
                           .timed_out = end.timed_out,
                           .host = std::move(end.host)};
    JobOutput output = output_of(node.mapped(), end);
    listener_.job_over(std::move(node.mapped()), report, std::move(output));
  }
  if (auto failure = place_.failure()) {
    listener_.run_failed(*std::move(failure), true);
    cancel_all();
  }
}

JobOutput PlacedJobs::output_of(const CommandJob& job, PlacedEnd& end) const {
  JobOutput output;
  if (!options_.tag) {
    output.out.text = std::move(end.out);
    output.err.text = std::move(end.err);
    return output;
  }
  const auto tagged = [tag = options_.tag(job.number, job.items)](std::string_view text) {
    Capture capture;
    capture.tag(tag);
    capture.append(text);
    return capture.take();
  };
  output.out = tagged(end.out);
  output.err = tagged(end.err);
  return output;
}

void PlacedJobs::stop(bool now) {
  place_.stop(now);
  if (now) cancel_all();
}

void PlacedJobs::cancel_all() {
  while (!jobs_.empty()) {
    auto node = jobs_.extract(jobs_.begin());
    listener_.job_over(std::move(node.mapped()), {.cancelled = true}, {});
  }
}

}  // namespace artel::command::detail
