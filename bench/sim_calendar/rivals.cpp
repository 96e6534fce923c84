// Other queues, of entries that point to records of the size of an event.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "bench/measure.hpp"
#include "bench/sim_calendar/workload.hpp"

namespace artel::bench::sim_calendar {
namespace {

/// As large as an event.
struct Record {
  std::uint64_t time;
  std::uint64_t number;
  Record* next_free;
  std::array<std::byte, 24> payload;
};

class Records {
 public:
  Record* make(std::uint64_t time) {
    if (free_ == nullptr) free_ = &records_.emplace_back();
    Record* record = std::exchange(free_, free_->next_free);
    record->time = time;
    record->number = ++number_;
    return record;
  }
  std::uint64_t give_back(Record* record) {
    record->next_free = std::exchange(free_, record);
    return record->time;
  }

 private:
  std::deque<Record> records_;
  Record* free_ = nullptr;
  std::uint64_t number_ = 0;
};

/// What heaps compare: times, then who came first.
struct Entry {
  std::uint64_t time;
  std::uint64_t number;
  Record* record;

  friend bool operator>(const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time > b.time : a.number > b.number;
  }
};

class Heap {
 public:
  void push(std::uint64_t time) {
    Record* record = records_.make(time);
    heap_.push({time, record->number, record});
  }
  std::uint64_t pop() {
    Record* record = heap_.top().record;
    heap_.pop();
    return records_.give_back(record);
  }

 private:
  Records records_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

class Heap4 {
 public:
  void push(std::uint64_t time) {
    Record* record = records_.make(time);
    const Entry entry{time, record->number, record};
    std::size_t at = heap_.size();
    heap_.push_back(entry);
    for (; at > 0 && heap_[(at - 1) / 4] > entry; at = (at - 1) / 4)
      heap_[at] = heap_[(at - 1) / 4];
    heap_[at] = entry;
  }
  std::uint64_t pop() {
    Record* record = heap_.front().record;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return records_.give_back(record);
  }

 private:
  void sink(const Entry& entry) {
    std::size_t at = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 4 * at + 1) {
      std::size_t least = child;
      const std::size_t end = std::min(child + 4, heap_.size());
      for (std::size_t i = child + 1; i < end; ++i) {
        if (heap_[least] > heap_[i]) least = i;
      }
      if (!(entry > heap_[least])) break;
      heap_[at] = heap_[least];
      at = least;
    }
    heap_[at] = entry;
  }

  Records records_;
  std::vector<Entry> heap_;
};

/// A radix wheel as short as it can be: an entry lies on the level of the highest byte in which its
/// time differs from the present, and moves down when its bucket comes; a bucket of level 0 is one
/// time. Nothing is sorted, and no memory fetched ahead.
class Wheel {
 public:
  void push(std::uint64_t time) { place({time, records_.make(time)}); }
  std::uint64_t pop() {
    while (read_ == run_.size()) load();
    return records_.give_back(run_[read_++].record);
  }

 private:
  struct Item {
    std::uint64_t time;
    Record* record;
  };

  void place(const Item& item) {
    if (item.time == now_) return run_.push_back(item);
    const std::uint64_t differing = item.time ^ now_;
    const auto level = static_cast<std::size_t>(63 - std::countl_zero(differing)) / 8;
    const std::size_t slot = item.time >> (8 * level) & 255U;
    buckets_[level][slot].push_back(item);
    occupied_[level][slot / 64] |= std::uint64_t{1} << slot % 64;
    levels_ |= 1U << level;
  }
  void load() {
    run_.clear();
    read_ = 0;
    const auto level = static_cast<std::size_t>(std::countr_zero(levels_));
    auto& words = occupied_[level];
    std::size_t word = 0;
    while (words[word] == 0) ++word;
    const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(words[word]));
    words[word] &= words[word] - 1;
    if ((words[0] | words[1] | words[2] | words[3]) == 0) levels_ &= levels_ - 1;
    now_ = (now_ >> (8 * level) >> 8 << 8 | slot) << (8 * level);
    moved_.swap(buckets_[level][slot]);
    for (const Item& item : moved_) place(item);
    moved_.clear();
    moved_.swap(buckets_[level][slot]);  // its memory is used again
  }

  Records records_;
  std::vector<Item> run_;
  std::vector<Item> moved_;
  std::size_t read_ = 0;
  std::uint64_t now_ = 0;
  unsigned levels_ = 0;
  std::array<std::array<std::uint64_t, 4>, 8> occupied_{};
  std::vector<std::array<std::vector<Item>, 256>> buckets_{8};
};

/// The hold model on a `Queue` with `push(time)` and `pop()`, which gives the time.
template <class Queue>
Outcome hold(const Workload& workload) {
  const std::vector<std::uint64_t>& delays = *workload.delays;
  std::size_t drawn = 0;
  const auto delay = [&] { return delays[drawn++ % delays.size()]; };
  const std::size_t before = resident_bytes();
  Queue queue;
  const double filling = seconds_of([&] {
    for (std::size_t i = 0; i < workload.pending; ++i) queue.push(delay());
  });
  const std::size_t filled = resident_bytes();
  std::uint64_t sum = 0;
  const double holding = seconds_of([&] {
    for (std::size_t i = 0; i < workload.holds; ++i) {
      const std::uint64_t now = queue.pop();
      sum = sum * 31 + now;
      queue.push(now + delay());
    }
  });
  return outcome(workload, {filling, holding, before, filled}, sum);
}

}  // namespace

Outcome run_wheel(const Workload& workload) { return hold<Wheel>(workload); }
Outcome run_heap(const Workload& workload) { return hold<Heap>(workload); }
Outcome run_heap4(const Workload& workload) { return hold<Heap4>(workload); }

}  // namespace artel::bench::sim_calendar
