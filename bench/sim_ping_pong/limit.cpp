// The limit: the same workload as a bare loop over a hand-written calendar, without components,
// types or anything else that a framework gives: what of the time is not the framework's.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"
#include "bench/sim_ping_pong/workload.hpp"

namespace artel::bench::ping_pong {
namespace {

enum class Kind : std::uint32_t { start, ping, pong };

struct Message {
  std::uint64_t time;
  double sent;
  std::uint32_t src;
  std::uint32_t dst;
  Kind kind;
};

struct Process {
  const std::uint32_t* peers;
  std::uint32_t left;
};

constexpr std::uint64_t kLongestDelay = 1'000'000'000;

/// A ring of buckets, about sixteen messages each, that spans more than the longest delay of 1 s.
class Ring {
 public:
  explicit Ring(std::uint32_t messages) {
    const std::uint64_t wanted = std::max<std::uint64_t>(16, messages / 16);
    shift_ = static_cast<unsigned>(std::bit_width(kLongestDelay / wanted)) - 1;
    buckets_.resize(std::bit_ceil((kLongestDelay >> shift_) + 2));
  }

  void push(const Message& message) {
    std::vector<Message>& bucket = buckets_[message.time >> shift_ & (buckets_.size() - 1)];
    bucket.push_back(message);
    ++size_;
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// The messages of the next bucket, sorted; those that fall into it while it is read must be
  /// inserted by the caller.
  std::vector<Message>& next() {
    while (buckets_[current_ & (buckets_.size() - 1)].empty()) ++current_;
    std::vector<Message>& bucket = buckets_[current_ & (buckets_.size() - 1)];
    for (std::size_t i = 1; i < bucket.size(); ++i) {
      const Message message = bucket[i];
      std::size_t place = i;
      for (; place > 0 && bucket[place - 1].time > message.time; --place) {
        bucket[place] = bucket[place - 1];
      }
      bucket[place] = message;
    }
    return bucket;
  }
  [[nodiscard]] bool is_current(std::uint64_t time) const { return time >> shift_ == current_; }
  void leave(std::size_t read) {
    buckets_[current_ & (buckets_.size() - 1)].clear();
    size_ -= read;
    ++current_;
  }

 private:
  std::vector<std::vector<Message>> buckets_;
  std::uint64_t current_ = 0;
  std::uint64_t size_ = 0;
  unsigned shift_ = 0;
};

}  // namespace

Outcome run_limit(const Workload& workload) {
  const std::vector<std::uint32_t> peers = choose_peers(workload);
  random::Stream dice(Seed{1}, "model");
  std::vector<Process> processes(workload.processes);
  for (std::uint32_t i = 0; i < workload.processes; ++i) {
    processes[i] = {&peers[std::size_t{i} * workload.peers], workload.iterations};
  }
  Ring ring(workload.processes);
  std::uint64_t now = 0;
  std::uint64_t events = 0;
  for (std::uint32_t i = 0; i < workload.processes; ++i) ring.push({0, 0, i, i, Kind::start});

  const auto delay = [&]() -> std::uint64_t {
    return workload.random_delay ? static_cast<std::uint64_t>(dice.uniform() * 1e9) : 1'000'000'000;
  };
  const double seconds = seconds_of([&] {
    while (!ring.empty()) {
      std::vector<Message>& bucket = ring.next();
      const auto send = [&](const Message& message, std::size_t read) {
        if (!ring.is_current(message.time)) [[likely]] {
          ring.push(message);
          return;
        }
        ring.push(message);  // at the end of the bucket: sink to its place among the unread
        for (std::size_t i = bucket.size() - 1; i > read && bucket[i - 1].time > bucket[i].time;
             --i) {
          std::swap(bucket[i - 1], bucket[i]);
        }
      };
      const auto ping = [&](std::uint32_t id, std::size_t read) {
        const std::uint32_t peer =
            processes[id].peers[workload.peers == 1 ? 0 : dice.below(workload.peers)];
        send({now + delay(), static_cast<double>(now) * 1e-9, id, peer, Kind::ping}, read);
      };
      std::size_t read = 0;
      for (; read < bucket.size();) {
        if (read + 4 < bucket.size()) __builtin_prefetch(&processes[bucket[read + 4].dst]);
        const Message message = bucket[read++];
        now = message.time;
        switch (message.kind) {
          case Kind::start:
            ping(message.dst, read);
            break;
          case Kind::ping:
            send({now + delay(), static_cast<double>(now) * 1e-9, message.dst, message.src,
                  Kind::pong},
                 read);
            break;
          case Kind::pong:
            if (--processes[message.dst].left != 0) ping(message.dst, read);
            break;
        }
      }
      events += read;
      ring.leave(read);
    }
  });
  return outcome(workload, seconds, events, now);
}

}  // namespace artel::bench::ping_pong
