// The limit: the same workload as a bare loop over the best queue for it that we know, without
// components, types or anything else that a framework gives: what of the time is not the
// framework's. Equal delays: a ring, first in, first out. Random delays: a radix wheel. Both live
// in memory that is used over and over.

#include <algorithm>
#include <array>
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

/// Messages in the order of their times, as they are pushed in it.
class Ring {
 public:
  explicit Ring(std::uint32_t most) : messages_(std::bit_ceil(std::size_t{most} + 1)) {}

  void push(const Message& message) { messages_[end_++ & (messages_.size() - 1)] = message; }
  bool pop(Message& message) {
    if (front_ == end_) return false;
    message = messages_[front_++ & (messages_.size() - 1)];
    return true;
  }
  /// A message that will come later, for fetching ahead.
  [[nodiscard]] const Message& ahead() const {
    return messages_[(front_ + 12) & (messages_.size() - 1)];
  }

 private:
  std::vector<Message> messages_;
  std::size_t front_ = 0;
  std::size_t end_ = 0;
};

/// Levels of 256 buckets, by the highest byte in which a time differs from the present bucket's;
/// the first bucket is sorted when it is short, else its messages go to the levels below.
class Wheel {
 public:
  explicit Wheel(std::uint32_t) {}

  void push(const Message& message) {
    if (message.time >= run_end_) [[likely]]
      return place(message);
    const auto after = [](const Message& a, const Message& b) { return a.time < b.time; };
    run_.insert(std::upper_bound(run_.begin() + static_cast<std::ptrdiff_t>(read_), run_.end(),
                                 message, after),
                message);
  }
  bool pop(Message& message) {
    if (read_ == run_.size() && !load()) return false;
    message = run_[read_++];
    return true;
  }
  [[nodiscard]] const Message& ahead() const { return run_[std::min(read_ + 4, run_.size() - 1)]; }

 private:
  void place(const Message& message) {
    const std::uint64_t differing = (message.time ^ base_) | 1U;
    const auto level = static_cast<std::size_t>(63 - std::countl_zero(differing)) / 8;
    const std::size_t slot = message.time >> (8 * level) & 255U;
    buckets_[level][slot].push_back(message);
    occupied_[level][slot / 64] |= std::uint64_t{1} << slot % 64;
    levels_ |= 1U << level;
  }

  bool load() {
    run_.clear();
    read_ = 0;
    while (levels_ != 0) {
      const auto level = static_cast<std::size_t>(std::countr_zero(levels_));
      auto& words = occupied_[level];
      std::size_t word = 0;
      while (words[word] == 0) ++word;
      const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(words[word]));
      words[word] &= words[word] - 1;
      if ((words[0] | words[1] | words[2] | words[3]) == 0) levels_ &= levels_ - 1;
      const std::size_t shift = 8 * level;
      const std::uint64_t start = (base_ >> shift >> 8 << 8 | slot) << shift;
      std::vector<Message>& bucket = buckets_[level][slot];
      if (level == 0 || bucket.size() <= 32) {
        run_.swap(bucket);
        sort();
        run_end_ = start + (std::uint64_t{1} << shift);
        base_ = run_end_ - 1;
        return true;
      }
      base_ = run_end_ = start;
      for (const Message& message : bucket) place(message);
      bucket.clear();
    }
    return false;
  }
  void sort() {
    for (std::size_t i = 1; i < run_.size(); ++i) {
      const Message message = run_[i];
      std::size_t place = i;
      for (; place > 0 && run_[place - 1].time > message.time; --place)
        run_[place] = run_[place - 1];
      run_[place] = message;
    }
  }

  std::vector<Message> run_;
  std::size_t read_ = 0;
  std::uint64_t run_end_ = 0;
  std::uint64_t base_ = 0;
  unsigned levels_ = 0;
  std::array<std::array<std::uint64_t, 4>, 8> occupied_{};
  std::vector<std::array<std::vector<Message>, 256>> buckets_{8};
};

template <class Queue>
Outcome run_on(const Workload& workload) {
  const std::vector<std::uint32_t> peers = choose_peers(workload);
  random::Stream dice(Seed{1}, "model");
  std::vector<Process> processes(workload.processes);
  for (std::uint32_t i = 0; i < workload.processes; ++i) {
    processes[i] = {&peers[std::size_t{i} * workload.peers], workload.iterations};
  }
  Queue queue(workload.processes);
  std::uint64_t now = 0;
  std::uint64_t events = 0;
  for (std::uint32_t i = 0; i < workload.processes; ++i) queue.push({0, 0, i, i, Kind::start});

  const auto delay = [&]() -> std::uint64_t {
    return workload.random_delay ? static_cast<std::uint64_t>(dice.uniform() * 1e9) : 1'000'000'000;
  };
  const auto ping = [&](std::uint32_t id) {
    const std::uint32_t peer =
        processes[id].peers[workload.peers == 1 ? 0 : dice.below(workload.peers)];
    queue.push({now + delay(), static_cast<double>(now) * 1e-9, id, peer, Kind::ping});
  };
  const double seconds = seconds_of([&] {
    for (Message message{}; queue.pop(message); ++events) {
      __builtin_prefetch(&processes[queue.ahead().dst]);
      now = message.time;
      switch (message.kind) {
        case Kind::start:
          ping(message.dst);
          break;
        case Kind::ping:
          queue.push({now + delay(), static_cast<double>(now) * 1e-9, message.dst, message.src,
                      Kind::pong});
          break;
        case Kind::pong:
          if (--processes[message.dst].left != 0) ping(message.dst);
          break;
      }
    }
  });
  return outcome(workload, seconds, events, now);
}

}  // namespace

Outcome run_limit(const Workload& workload) {
  return workload.random_delay ? run_on<Wheel>(workload) : run_on<Ring>(workload);
}

}  // namespace artel::bench::ping_pong
