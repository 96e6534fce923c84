#include "tests/verify/dialogue_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"

namespace artel::verify {
namespace {

using namespace std::chrono_literals;

constexpr int kOk = 200;
constexpr int kTooMany = 429;
constexpr int kError = 500;
constexpr int kUnavailable = 503;

// java.util.Random with the seed of its Benchmark: which client asks, and for which endpoint.
class Askers {
 public:
  std::uint32_t below(std::uint32_t n) {
    constexpr std::uint64_t kValues = std::uint64_t{1} << 31U;
    for (;;) {
      state_ = (state_ * 0x5DEECE66DU + 0xBU) & kMask;
      const std::uint64_t bits = state_ >> 17U;
      if ((n & (n - 1)) == 0) return static_cast<std::uint32_t>(n * bits >> 31U);
      if (bits - bits % n + n <= kValues) return static_cast<std::uint32_t>(bits % n);
    }
  }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << 48U) - 1;
  std::uint64_t state_ = (21'876'781'263U ^ 0x5DEECE66DU) & kMask;
};

// CautiousIncreaseAggressiveDecreaseConcurrencyLimiter.
class Limit {
 public:
  [[nodiscard]] bool open() const { return taken_ < static_cast<int>(limit_); }
  // How many there are with this one.
  int take() { return ++taken_; }
  void ignored() { --taken_; }
  void succeeded(int with) {
    --taken_;
    if (with >= std::floor(limit_ * kBackoff)) limit_ += 1 / limit_;
  }
  void failed() {
    --taken_;
    limit_ = std::max(1.0, std::floor(limit_ * kBackoff));
  }

 private:
  static constexpr double kBackoff = 0.9;
  double limit_ = 20;
  int taken_ = 0;
};

// CoarseExponentialDecayReservoir, with BalancedScoreTracker's half-life.
class Failures {
 public:
  explicit Failures(Instant now) : faded_(now) {}
  void add(double weight, Instant now) { value_ = at(now) + weight; }
  double at(Instant now) {
    const auto steps = (now - faded_) / kStep;
    faded_ += steps * kStep;
    return value_ *= std::pow(0.5, static_cast<double>(steps) / kStepsPerHalfLife);
  }

 private:
  static constexpr int kStepsPerHalfLife = 10;
  static constexpr Duration kStep = 3s;
  double value_ = 0;
  Instant faded_;
};

struct Send {};
struct Again {
  std::size_t request;
};
struct Answer {
  std::size_t attempt;
};

struct Request {
  std::size_t client = 0;
  std::uint32_t endpoint = 0;
  Instant sent{};
  std::uint32_t failures = 0;
};

struct Attempt {
  std::size_t request = 0;
  std::uint32_t server = 0;
  int with_server = 0;  // see Limit
  int with_endpoint = 0;
  const DialoguePhase* phase = nullptr;
};

// What a client knows of a server.
struct Known {
  explicit Known(std::uint32_t endpoints, Instant now) : ends(endpoints), failed(now) {}

  struct Endpoint {
    Limit limit{};
    std::deque<std::size_t> waiting{};  // attempts
  };
  std::uint32_t count = 0;  // requests there
  Limit limit{};
  std::vector<Endpoint> ends;
  Failures failed;
};

struct Client {
  std::vector<Known> servers{};
  std::deque<std::size_t> waiting{};  // requests
  std::uint32_t pin = 0;
};

class Dialogue : public sim::Component<Send, Again, Answer> {
 public:
  Dialogue(const DialogueSetting& setting, DialogueStrategy strategy, Seed seed)
      : setting_(setting),
        strategy_(strategy),
        dice_(seed, "dice"),
        active_(setting.servers.size()) {
    make_clients();
  }

  void open() { emit_self(Send{}, Duration::zero()); }

  void on(const Send&) {
    if (known_ < now_known()) make_clients();
    const std::uint32_t drawn = askers_.below(setting_.clients * setting_.endpoints);
    requests_.push_back({.client = clients_.size() - setting_.clients + drawn / setting_.endpoints,
                         .endpoint = drawn % setting_.endpoints,
                         .sent = now()});
    send(requests_.size() - 1);
    if (requests_.size() < setting_.requests) emit_self(Send{}, from_seconds(1 / setting_.rate));
  }

  void on(const Again& again) { send(again.request); }

  void on(const Answer& answer) {
    const Attempt attempt = attempts_[answer.attempt];
    const Request& request = requests_[attempt.request];
    const int status = status_of(attempt, request.endpoint);
    --active_[attempt.server];
    Client& client = clients_[request.client];
    Known& server = client.servers[attempt.server];
    if (limited()) release(server, request.endpoint, attempt, status);
    --server.count;
    if (status != kOk) server.failed.add(status < kError ? kRefusal : kFailure, now());
    if (status >= kError && client.pin == attempt.server)
      client.pin = (client.pin + 1) % static_cast<std::uint32_t>(client.servers.size());
    drain(request.client);
    answered(attempt.request, status);
  }

  [[nodiscard]] DialogueResult result() const {
    return {.success = 100 * static_cast<double>(good_) / static_cast<double>(requests_.size()),
            .mean_s = time_s_ / static_cast<double>(answered_)};
  }

 private:
  static constexpr double kFailure = 10;  // requests
  static constexpr double kRefusal = 0.1;
  static constexpr std::uint32_t kTriesAgain = 4;
  static constexpr Duration kBackoff = 250ms;

  [[nodiscard]] bool limited() const { return strategy_ != DialogueStrategy::unlimited; }

  [[nodiscard]] std::size_t now_known() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        setting_.servers,
        [&](const DialogueServer& server) { return Instant{server.from} <= now(); }));
  }

  // New ones, which know of the servers that there are.
  void make_clients() {
    known_ = now_known();
    for (std::uint32_t i = 0; i < setting_.clients; ++i) {
      Client& client = clients_.emplace_back();
      client.servers.assign(known_, Known(setting_.endpoints, now()));
      client.pin = i < setting_.pins.size() && clients_.size() <= setting_.clients
                       ? setting_.pins[i]
                       : static_cast<std::uint32_t>(dice_.below(known_));
    }
  }

  void send(std::size_t request) {
    const std::size_t client = requests_[request].client;
    clients_[client].waiting.push_back(request);
    drain(client);
  }

  void drain(std::size_t number) {
    auto& waiting = clients_[number].waiting;
    while (!waiting.empty()) {
      const auto server = strategy_ == DialogueStrategy::pinned ? pinned(clients_[number])
                                                                : least_busy(clients_[number]);
      if (!server) return;
      const std::size_t request = waiting.front();
      waiting.pop_front();
      place(request, *server);
    }
  }

  [[nodiscard]] static std::optional<std::uint32_t> pinned(const Client& client) {
    if (!client.servers[client.pin].limit.open()) return std::nullopt;
    return client.pin;
  }

  // Jsq of what each has; nobody, if it is far busier than one that may have no more.
  std::optional<std::uint32_t> least_busy(Client& client) {
    dispatch::LoadArray loads(std::vector<dispatch::Load>(client.servers.size()));
    for (std::size_t i = 0; i < client.servers.size(); ++i) {
      Known& server = client.servers[i];
      const auto score =
          server.count + static_cast<std::uint32_t>(std::lround(server.failed.at(now())));
      const bool open = !limited() || server.limit.open();
      loads.set(dispatch::worker(i),
                {.queued = score, .capacity = open ? dispatch::kUnbounded : score});
    }
    const auto chosen = dispatch::Jsq{.d = dispatch::Jsq::kAll}.choose(loads, {.dice = dice_()});
    if (!chosen) return std::nullopt;
    constexpr std::uint32_t kFew = 5;
    std::optional<std::uint32_t> before;  // the busiest of the less busy ones that have some
    for (std::size_t i = 0; i < client.servers.size(); ++i) {
      const auto score = loads.load(dispatch::worker(i)).queued;
      if (score >= loads.load(*chosen).queued || client.servers[i].count <= kFew) continue;
      before = std::max(before.value_or(0), score);
    }
    if (before && loads.load(*chosen).queued > 2 * *before) return std::nullopt;
    return static_cast<std::uint32_t>(index(*chosen));
  }

  void place(std::size_t request, std::uint32_t number) {
    Known& server = clients_[requests_[request].client].servers[number];
    Attempt& attempt = attempts_.emplace_back();
    attempt.request = request;
    attempt.server = number;
    ++server.count;
    if (!limited()) return serve(attempts_.size() - 1);
    attempt.with_server = server.limit.take();
    auto& end = server.ends[requests_[request].endpoint];
    end.waiting.push_back(attempts_.size() - 1);
    serve_waiting(end);
  }

  void serve_waiting(Known::Endpoint& end) {
    while (!end.waiting.empty() && end.limit.open()) {
      attempts_[end.waiting.front()].with_endpoint = end.limit.take();
      serve(end.waiting.front());
      end.waiting.pop_front();
    }
  }

  void serve(std::size_t number) {
    Attempt& attempt = attempts_[number];
    const auto& phases = setting_.servers[attempt.server].phases;
    attempt.phase = &*std::ranges::find_if(
        phases, [&](const DialoguePhase& phase) { return now() < phase.until; });
    const std::uint32_t active = ++active_[attempt.server];
    const DialoguePhase& phase = *attempt.phase;
    Duration time = phase.time;
    if (phase.slow_from > 0)
      time = active > phase.slow_from ? 5 * time : time + time * active / phase.slow_from;
    emit_self(Answer{number}, time);
  }

  int status_of(const Attempt& attempt, std::uint32_t endpoint) {
    const DialoguePhase& phase = *attempt.phase;
    const bool well = (phase.endpoint && *phase.endpoint != endpoint) ||
                      (phase.fails_above > 0 && active_[attempt.server] <= phase.fails_above) ||
                      (phase.share < 1 && dice_.uniform() >= phase.share);
    return well ? kOk : phase.status;
  }

  void release(Known& server, std::uint32_t endpoint, const Attempt& attempt, int status) {
    auto& end = server.ends[endpoint];
    if (status == kTooMany || status == kError) {
      end.limit.failed();
      server.limit.ignored();
    } else if (status > kError) {
      end.limit.ignored();
      server.limit.failed();
    } else {
      end.limit.succeeded(attempt.with_endpoint);
      server.limit.succeeded(attempt.with_server);
    }
    serve_waiting(end);
  }

  void answered(std::size_t number, int status) {
    Request& request = requests_[number];
    const bool repeats =
        status == kUnavailable || status == kTooMany || (status == kError && setting_.repeats_500);
    if (repeats && request.failures < kTriesAgain) {
      const double most = std::exp2(request.failures++) * to_seconds(kBackoff);
      emit_self(Again{number}, from_seconds(dice_.uniform() * most));
      return;
    }
    if (now() > Instant{setting_.end}) return;
    ++answered_;
    good_ += status == kOk ? 1 : 0;
    time_s_ += to_seconds(now() - request.sent);
  }

  const DialogueSetting& setting_;
  DialogueStrategy strategy_;
  Askers askers_;
  random::Stream dice_;
  std::vector<std::uint32_t> active_;  // requests at each server
  std::size_t known_ = 0;              // servers that clients know of
  std::deque<Client> clients_;         // the last so many are asked
  std::vector<Request> requests_;
  std::vector<Attempt> attempts_;
  std::uint64_t answered_ = 0;
  std::uint64_t good_ = 0;
  double time_s_ = 0;
};

}  // namespace

DialogueResult run_dialogue(const DialogueSetting& setting, DialogueStrategy strategy, Seed seed) {
  sim::Simulation simulation({.seed = seed});
  auto& model = simulation.add<Dialogue>("dialogue", setting, strategy, seed);
  model.open();
  simulation.run();
  return model.result();
}

}  // namespace artel::verify
