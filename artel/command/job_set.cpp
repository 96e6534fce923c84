#include "artel/command/job_set.hpp"

#include <cstdint>
#include <iterator>

namespace artel::command {

void JobSet::add(std::uint64_t job) {
  if (contains(job)) return;
  ++size_;
  std::uint64_t first = job;
  std::uint64_t last = job;
  const auto after = runs_.upper_bound(job);
  if (after != runs_.begin() && std::prev(after)->second + 1 == job) {
    first = std::prev(after)->first;
  }
  if (after != runs_.end() && after->first == job + 1) {
    last = after->second;
    runs_.erase(after);
  }
  runs_[first] = last;
}

void JobSet::remove(std::uint64_t job) {
  if (!contains(job)) return;
  --size_;
  const auto run = std::prev(runs_.upper_bound(job));
  const auto [first, last] = *run;
  runs_.erase(run);
  if (first < job) runs_[first] = job - 1;
  if (job < last) runs_[job + 1] = last;
}

bool JobSet::contains(std::uint64_t job) const {
  const auto after = runs_.upper_bound(job);
  return after != runs_.begin() && job <= std::prev(after)->second;
}

}  // namespace artel::command
