#include "tests/verify/processor_sharing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <ranges>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/pool.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/stat/interval.hpp"
#include "artel/stat/moments.hpp"

namespace artel::verify {
namespace {

struct Arrive {};
struct Depart {};

// One worker that shares itself equally. `attained_` is the service that a task would have got
// which was there all the time; a task ends when it has grown by its size since the task came.
class SharingWorker : public sim::Component<Arrive, Depart> {
 public:
  SharingWorker(const random::Distribution& service, double rate, Seed seed,
                std::uint64_t replication)
      : service_(service),
        gap_(*random::Distribution::exponential(1 / rate)),
        arrivals_(seed, "arrivals", replication),
        sizes_(seed, "sizes", replication) {}

  void open() { emit_self(Arrive{}, from_seconds(gap_(arrivals_))); }

  void on(const Arrive&) {
    advance();
    tasks_.push({attained_ + service_(sizes_), now()});
    if (++arrived_ < kTasks) emit_self(Arrive{}, from_seconds(gap_(arrivals_)));
    schedule_departure();
  }

  void on(const Depart&) {
    departure_.reset();
    advance();
    attained_ = tasks_.top().end;  // exactly, whatever the rounding of times
    if (++departed_ > kWarmUp) response_.add(to_seconds(now() - tasks_.top().arrival));
    tasks_.pop();
    schedule_departure();
  }

  [[nodiscard]] double mean_response() const { return response_.mean(); }

 private:
  static constexpr std::uint64_t kTasks = 200'000;
  static constexpr std::uint64_t kWarmUp = kTasks / 10;

  struct Sharing {
    double end;  // of attained_
    Instant arrival;
    bool operator<(const Sharing& other) const { return end > other.end; }  // least first
  };

  void advance() {
    if (!tasks_.empty())
      attained_ += to_seconds(now() - last_) / static_cast<double>(tasks_.size());
    last_ = now();
  }

  void schedule_departure() {
    if (departure_) cancel(*departure_);
    departure_.reset();
    if (tasks_.empty()) return;
    const double left = (tasks_.top().end - attained_) * static_cast<double>(tasks_.size());
    departure_ = emit_self(Depart{}, from_seconds(std::max(0.0, left)));
  }

  random::Distribution service_;
  random::Distribution gap_;
  random::Stream arrivals_;
  random::Stream sizes_;
  std::priority_queue<Sharing> tasks_;
  double attained_ = 0;
  Instant last_{};
  std::optional<sim::EventId> departure_;
  std::uint64_t arrived_ = 0;
  std::uint64_t departed_ = 0;
  stat::Moments response_;
};

}  // namespace

stat::Interval processor_sharing_response(const random::Distribution& service, double load,
                                          Seed seed, unsigned jobs) {
  constexpr std::size_t kReplications = 24;
  pool::Pool pool({.workers = jobs});
  const auto mean = [&](std::size_t i) {
    sim::Simulation simulation({.seed = seed});
    auto& worker = simulation.add<SharingWorker>("worker", service, load / service.mean(), seed, i);
    worker.open();
    simulation.run();
    return worker.mean_response();
  };
  const auto means =
      parallel::map(pool, std::views::iota(std::size_t{0}, kReplications), mean, {.chunk = 1});
  return stat::mean_interval(means, experiment::kConfidence);
}

}  // namespace artel::verify
