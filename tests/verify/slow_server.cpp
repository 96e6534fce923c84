#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/latency.hpp"
#include "artel/dispatch/least_loaded.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/peak_ewma.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/round_robin.hpp"
#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "tests/verify/check.hpp"
#include "tests/verify/paper_figure.hpp"

namespace artel::verify {
namespace {

using namespace std::chrono_literals;

struct Request {};
struct Reply {
  WorkerId server;
  Duration latency;
};

// One client, 1000 requests per second for a minute, eleven servers that answer any number of
// requests at once in 167 ms (standard deviation 5 ms); after 15 s one of them takes 2 s for half a
// minute. The policy sees how many requests are unanswered at each, and how long answers took.
class SlowServer : public sim::Component<Request, Reply> {
 public:
  SlowServer(dispatch::Policy policy, Seed seed)
      : policy_(std::move(policy)),
        loads_(std::vector<dispatch::Load>(kServers)),
        latency_(*random::Distribution::lognormal({.mu = kLogMedian, .sigma = kLogDeviation})),
        latencies_(seed, "sizes"),
        dice_(seed, "dice") {}

  void open() { emit_self(Request{}, kGap); }

  void on(const Request&) {
    const auto server =
        dispatch::choose(policy_, loads_, {.turn = sent_++, .dice = dice_(), .now = now()})
            .value_or(WorkerId{0});  // there is always one
    change(server, +1);
    const bool slow = index(server) == 0 && now() >= Instant{15s} && now() < Instant{45s};
    const auto latency = slow ? Duration{2s} : from_seconds(latency_(latencies_));
    in_time_ += latency <= 1s ? 1 : 0;
    emit_self(Reply{server, latency}, latency);
    if (now() < Instant{60s}) emit_self(Request{}, kGap);
  }

  void on(const Reply& reply) {
    change(reply.server, -1);
    auto load = loads_.load(reply.server);
    const auto after = dispatch::after_answer({load.latency, load.heard}, reply.latency, now(),
                                              dispatch::needs(policy_).latency);
    load.latency = after.value;
    load.heard = after.heard;
    loads_.set(reply.server, load);
  }

  [[nodiscard]] double success() const {
    return static_cast<double>(in_time_) / static_cast<double>(sent_);
  }

 private:
  static constexpr std::size_t kServers = 11;
  static constexpr Duration kGap = 1ms;
  static constexpr double kLogMedian = -1.7898;       // ln 0.167
  static constexpr double kLogDeviation = 5.0 / 167;  // small enough for 5 ms

  void change(WorkerId server, int by) {
    auto load = loads_.load(server);
    load.queued += static_cast<std::uint32_t>(by);
    loads_.set(server, load);
  }

  dispatch::Policy policy_;
  dispatch::LoadArray loads_;
  random::Distribution latency_;
  random::Stream latencies_;
  random::Stream dice_;
  std::uint64_t sent_ = 0;
  std::uint64_t in_time_ = 0;
};

Check slow_server(dispatch::Policy policy, double expected, double tolerance) {
  auto name = fmt::format("one slow server of 11, {}, answered within 1 s (Linkerd 2016)",
                          dispatch::name(policy));
  return {"papers", std::move(name), true,
          [policy = std::move(policy), expected, tolerance](Seed seed) {
            sim::Simulation simulation({.seed = seed});
            auto& client = simulation.add<SlowServer>("client", policy, seed);
            client.open();
            simulation.run();
            const double got = client.success();
            return Finding{expected, got, 0,
                           got >= expected - tolerance && got <= expected + tolerance};
          }};
}

}  // namespace

// Published: about 95%, 99% ("least loaded") and 99.9% (peak EWMA).
std::vector<Check> slow_server_checks() {
  return {slow_server(dispatch::RoundRobin{}, 0.95, 0.005),
          slow_server(dispatch::LeastLoaded{}, 0.99, 0.009),
          slow_server(dispatch::Jsq{.d = 2}, 0.99, 0.009),
          slow_server(dispatch::PeakEwma{}, 0.999, 0.0009)};
}

}  // namespace artel::verify
