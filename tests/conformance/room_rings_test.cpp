// Rings of pools, strands and services that submit to one another, with queues of any size, while
// they are resized and stopped, and wait for one another's results: nothing hangs, and no bound is
// turned into threads. A run is given by its seed (but for the interleaving): ARTEL_SWARM_SEED=n
// repeats one, ARTEL_SWARM_RUNS=n makes more.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/priority.hpp"
#include "artel/pool/stop_mode.hpp"
#include "artel/pool/strand.hpp"
#include "artel/pool/task_error.hpp"
#include "artel/random/stream.hpp"
#include "artel/service/service_options.hpp"
#include "artel/service/service_pool.hpp"

namespace artel::conformance {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr unsigned kWorkersMost = 3;
constexpr unsigned kSpares = 4;

class Ring;

// What goes round: at each place it is sent on, to the next one or across.
struct Message {
  Ring* ring;
  std::uint32_t at;
  std::uint32_t left;
  std::uint64_t dice;

  void arrive() const;
};

struct Host {
  void handle(const Message& message) { message.arrive(); }
};

enum class Kind : std::uint8_t { pool, strand, service };

// One of a ring: takes messages.
struct Place {
  Kind kind;
  pool::Pool* pool;  // of a service: null
  std::unique_ptr<pool::Pool> own;
  std::optional<pool::Strand> strand;
  std::unique_ptr<service::ServicePool<Host>> service;

  void send(const Message& message, pool::Priority priority) const {
    if (kind == Kind::service) {
      static_cast<void>(service->cast(message, {.priority = priority}));
    } else if (kind == Kind::strand) {
      strand->post([message] { message.arrive(); });
    } else {
      pool->post([message] { message.arrive(); }, {.priority = priority});
    }
  }
  // Sends it and waits until it has been handled, has been cancelled, or there is no thread that
  // could serve this one's worker meanwhile. A strand is not asked: the task that waits may be one
  // of its own.
  void ask(const Message& message) const {
    try {
      if (kind == Kind::service) {
        service->call(message).get();
      } else {
        pool->submit([message] { message.arrive(); }).get();
      }
    } catch (const pool::TaskError& error) {
      const ErrorCode code = error.error().code;
      EXPECT_TRUE(code == ErrorCode::cancelled || code == ErrorCode::closed ||
                  code == ErrorCode::unsupported)
          << error.what();
    }
  }
  [[nodiscard]] std::size_t threads() const {
    return service ? service->stats().pool.threads : pool->stats().threads;
  }
  void resize(unsigned workers) const {
    static_cast<void>(service ? service->resize(workers) : pool->resize(workers));
  }
  void stop(pool::StopMode mode) const { service ? service->stop(mode) : pool->stop(mode); }
};

class Ring {
 public:
  explicit Ring(random::Stream& dice)
      : forks_(dice.below(2) == 0),
        waits_(dice.below(2) == 0),
        spares_(static_cast<unsigned>(dice.below(3)) * kSpares) {
    const std::size_t size = 2 + dice.below(7);
    for (std::size_t i = 0; i < size; ++i) places_.push_back(make_place(dice));
  }

  void pass_on(const Message& message) {
    ++arrived_;
    if (message.left == 0) return;
    Message next = message;
    --next.left;
    next.dice = next.dice * 6364136223846793005U + 1442695040888963407U;
    const auto lot = static_cast<std::uint32_t>(next.dice >> 33U);
    const auto size = static_cast<std::uint32_t>(places_.size());
    next.at = (message.at + (lot % 8 == 0 ? lot / 8 : 1)) % size;
    const Place& place = *places_[next.at];
    if (waits_ && lot % 16 == 5) place.ask({this, next.at, 0, 0});
    const auto priority = lot % 32 == 2 ? pool::Priority::high : pool::Priority::normal;
    place.send(next, priority);
    if (forks_ && lot % 64 == 3) place.send(next, priority);
  }

  void run(random::Stream& dice) {
    std::vector<std::jthread> outside;
    std::atomic<bool> over = false;
    for (std::uint64_t t = 0; t < 2; ++t) {
      outside.emplace_back([this, t, seed = dice()] {
        for (std::uint64_t i = 0; i < 300; ++i) {
          const auto at = static_cast<std::uint32_t>((i + t) % places_.size());
          places_[at]->send({this, at, 40, seed + i * 2 + t}, pool::Priority::normal);
        }
      });
    }
    std::jthread watch([&] {
      while (!over) {
        for (const auto& place : places_) most_ = std::max(most_, place->threads());
        std::this_thread::yield();
      }
    });
    const bool stops_midway = dice.below(2) == 0;
    for (int action = 0; action < 20; ++action) {
      const Place& place = *places_[dice.below(places_.size())];
      place.resize(static_cast<unsigned>(1 + dice.below(kWorkersMost)));
      std::this_thread::sleep_for(microseconds(dice.below(200)));
      if (stops_midway && action == 10) place.stop(some_mode(dice));
    }
    outside.clear();
    for (const auto& place : places_) place->stop(some_mode(dice));
    over = true;
    watch.join();
    EXPECT_LE(most_, kWorkersMost + spares_);
    EXPECT_GT(arrived_, 0U);
    for (const auto& place : places_) expect_closed(*place);
  }

 private:
  static pool::StopMode some_mode(random::Stream& dice) {
    return dice.below(2) == 0 ? pool::StopMode::drain : pool::StopMode::cancel;
  }

  static void expect_closed(const Place& place) {
    const auto stats = place.service ? place.service->stats().pool : place.pool->stats();
    EXPECT_EQ(stats.accepted, stats.total.outcomes.ended());
  }

  [[nodiscard]] pool::PoolOptions some_options(random::Stream& dice) const {
    const bool tiny = dice.below(3) != 0;
    return {.name = "ring",
            .workers = static_cast<unsigned>(1 + dice.below(2)),
            .workers_max = kWorkersMost,
            .queue = tiny ? static_cast<unsigned>(1 + dice.below(2)) : 0,
            .common = tiny ? dice.below(3) : 16'384,
            .shrink_timeout = std::chrono::milliseconds(1),
            .spares = spares_};
  }

  std::unique_ptr<Place> make_place(random::Stream& dice) {
    auto place = std::make_unique<Place>();
    place->kind = static_cast<Kind>(dice.below(3));
    if (place->kind == Kind::service) {
      place->service = std::make_unique<service::ServicePool<Host>>(
          service::ServiceOptions{.pool = some_options(dice)});
      return place;
    }
    // A strand often shares the pool of another place.
    const auto shared =
        std::ranges::find_if(places_, [](const auto& other) { return other->pool != nullptr; });
    if (place->kind == Kind::strand && shared != places_.end() && dice.below(3) != 0) {
      place->pool = (*shared)->pool;
    } else {
      place->own = std::make_unique<pool::Pool>(some_options(dice));
      place->pool = place->own.get();
    }
    if (place->kind == Kind::strand) {
      place->strand.emplace(*place->pool, dice.below(2) == 0 ? 1 : pool::Strand::kQueue);
    }
    return place;
  }

  const bool forks_;
  const bool waits_;
  const unsigned spares_;
  std::atomic<std::uint64_t> arrived_ = 0;
  std::size_t most_ = 0;  // threads of one pool
  std::vector<std::unique_ptr<Place>> places_;
};

void Message::arrive() const { ring->pass_on(*this); }

// Whatever hangs does so in one of many threads: the run ends the process then.
void run_ring(std::uint64_t seed_number) {
  SCOPED_TRACE("repeat with ARTEL_SWARM_SEED=" + std::to_string(seed_number));
  std::atomic<bool> over = false;
  std::jthread guard([&over, seed_number] {
    const Instant end = later(steady_now(), seconds(60));
    while (!over && steady_now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (over) return;
    std::fprintf(stderr, "a ring hangs; repeat with ARTEL_SWARM_SEED=%llu\n",
                 static_cast<unsigned long long>(seed_number));
    std::abort();
  });
  {
    random::Stream dice(static_cast<Seed>(seed_number), "ring");
    Ring ring(dice);
    ring.run(dice);
  }
  over = true;
}

TEST(RoomRings, NothingHangsAndNoBoundIsTurnedIntoThreads) {
  if (const char* text = std::getenv("ARTEL_SWARM_SEED"); text != nullptr) {
    run_ring(std::strtoull(text, nullptr, 10));
    return;
  }
  const char* text = std::getenv("ARTEL_SWARM_RUNS");
  const std::uint64_t runs = text != nullptr ? std::strtoull(text, nullptr, 10) : 60;
  for (std::uint64_t seed = 1; seed <= runs && !HasFailure(); ++seed) run_ring(seed);
}

}  // namespace
}  // namespace artel::conformance
