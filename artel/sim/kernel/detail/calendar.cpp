#include "artel/sim/kernel/detail/calendar.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "artel/sim/kernel/detail/event_store.hpp"
#include "artel/sim/kernel/detail/fetch.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

Calendar::Calendar(std::optional<std::uint64_t> shuffle)
    : buckets_(kBucketsMin),
      occupied_(1),
      summary_(1),
      special_(shuffle.has_value()),
      shuffle_(shuffle) {}

/// A push while ties are shuffled or tags recorded.
Event* Calendar::push_special(std::uint64_t time, std::uint64_t low, bool ordered) {
  std::uint64_t number = ++number_;
  if (shuffle_) {
    // A bijection of 48 bits, so that tags stay unique.
    constexpr std::uint64_t kMask = (std::uint64_t{1} << (64 - Event::kNumberShift)) - 1;
    number = (number + *shuffle_) & kMask;
    for (int round = 0; round < 3; ++round) {
      number = (number * 0x9e3779b97f4a7c15) & kMask;
      number ^= number >> 23U;
    }
  }
  const std::uint64_t tag = number << Event::kNumberShift | low;
  if (created_ != nullptr) created_->push_back(tag);
  if (shuffle_) return push_into_wheel(time, tag);
  return ordered ? place_ordered(time, tag) : place(time, tag);
}

Event* Calendar::take_from_near() {
  std::pop_heap(near_.begin(), near_.end(), std::greater<>{});
  Event* event = near_.back().event;
  near_.pop_back();
  near_key_ = near_.empty() ? kNone : near_.front().key;
  taken_single_ = event;
  --outside_lane_;
  return took(event);
}

/// After the last event of a run: the bound of what comes next.
void Calendar::set_run_key() {
  if (run_position_ < run_.size()) {
    run_key_ = key_of(*run_[run_position_].event());
  } else if (wheel_size_ != 0) {
    run_key_ = key_of(first_bucket() << shift_, 0);
  } else {
    run_key_ = far_.empty() ? kNone : key_of(time_of(far_.front().key), 0);
  }
}

/// For the current bucket or an earlier one. A short rest of the run is shifted, as in insertion
/// sort; a long one is left alone, and the event goes to a heap beside it.
Event* Calendar::push_near(std::uint64_t time, std::uint64_t tag) {
  ++pushed_near_;
  Event* event = store_.take_single();
  event->time_ = time;
  event->tag_ = tag;
  if (run_.size() - run_position_ > kInsertMax) {
    near_.push_back({key_of(time, tag), event});
    std::push_heap(near_.begin(), near_.end(), std::greater<>{});
    near_key_ = near_.front().key;
    return event;
  }
  if (run_position_ > 2 * kInsertMax) {  // what was taken makes room, or the run would only grow
    run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(run_position_));
    run_position_ = 0;
  }
  run_.emplace_back(*event, true);
  std::size_t place = run_.size() - 1;
  const Key key = key_of(time, tag);
  while (place > run_position_ &&
         (run_[place - 1].time > time ||
          (run_[place - 1].time == time && key_of(*run_[place - 1].event()) > key))) {
    std::swap(run_[place - 1], run_[place]);
    --place;
  }
  set_run_key();
  return event;
}

Event* Calendar::push_far(std::uint64_t time, std::uint64_t tag) {
  ++pushed_far_;
  Event* event = store_.take_single();
  far_.push_back({key_of(time, tag), event});
  std::push_heap(far_.begin(), far_.end(), std::greater<>{});
  if (run_position_ == run_.size() && wheel_size_ == 0) {
    run_key_ = key_of(time_of(far_.front().key), 0);
  }
  return event;
}

/// The number of the first bucket that holds events. Requires: wheel_size_ > 0. Cost: a look at two
/// words of bits, or at one more for every 4096 empty buckets.
std::uint64_t Calendar::first_bucket() const {
  const std::size_t count = buckets_.size();
  const std::size_t start = (current_ + 1) & (count - 1);
  std::size_t word = start / 64;
  std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << start % 64);
  if (bits == 0) {
    // The next non-empty word, going round; the word of the start comes last.
    std::size_t block = word / 64;
    std::uint64_t words =
        word % 64 == 63 ? 0 : summary_[block] & (~std::uint64_t{0} << (word % 64 + 1));
    while (words == 0) {
      block = block + 1 == summary_.size() ? 0 : block + 1;
      words = summary_[block];
    }
    word = block * 64 + static_cast<std::size_t>(std::countr_zero(words));
    bits = occupied_[word];
  }
  const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  // Slots go round while numbers go on: how far behind the start the slot is gives the number.
  return current_ + 1 + ((slot - start) & (count - 1));
}

/// A stage for each of the next buckets, see Fetch. Inlined by force as it is there.
[[gnu::always_inline]] inline void Calendar::fetch_ahead() const {
  const std::size_t mask = buckets_.size() - 1;
  const Bucket& third = buckets_[(current_ + 3) & mask];
  if (!third.empty()) {
    const auto* line = reinterpret_cast<const std::byte*>(third.front());
    for (std::size_t i = 0; i < kPerBucket * sizeof(Event); i += 64) __builtin_prefetch(line + i);
  }
  const Fetch& fetch = *fetch_;
  buckets_[(current_ + 2) & mask].for_each([&](const Event& event) { fetch.place(event); });
  buckets_[(current_ + 1) & mask].for_each([&](const Event& event) { fetch.component(event); });
  for (const RunEntry& entry : run_) fetch.process(*entry.event());
}

/// Makes the first bucket after the current one the run.
void Calendar::load_next_bucket() {
  adapt();
  run_.clear();
  run_position_ = 0;
  run_chunks_.clear(store_);
  if (wheel_size_ == 0) {  // nothing before the earliest far event: go straight there
    current_ = (time_of(far_.front().key) >> shift_) - 1;
    migrate_far();
  }
  current_ = first_bucket();
  const std::size_t slot = current_ & (buckets_.size() - 1);
  run_chunks_ = buckets_[slot];
  buckets_[slot] = Bucket{};
  clear_occupied(slot);
  bool in_order = !shuffle_;
  std::uint64_t last = 0;
  run_chunks_.for_each([&](Event& event) {
    in_order = in_order && event.time_ >= last;
    last = event.time_;
    run_.emplace_back(event, false);
  });
  wheel_size_ -= run_.size();
  ++loads_;
  loaded_ += run_.size();
  if (fetch_ != nullptr) fetch_ahead();
  sort_run(in_order);
  migrate_far();
  set_run_key();
}

void Calendar::clear_occupied(std::size_t slot) {
  occupied_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  if (occupied_[slot / 64] == 0) summary_[slot / 4096] &= ~(std::uint64_t{1} << slot / 64 % 64);
}

/// Buckets are filled in order of creation, so that mostly nothing is to be done, and what is short
/// needs no look at the tags. A shuffle makes the order of tags another than that of creation.
void Calendar::sort_run(bool in_order) {
  if (in_order) return;
  if (run_.size() <= kInsertMax && !shuffle_) {
    for (std::size_t i = 1; i < run_.size(); ++i) {  // stable, so equal times stay in order
      const RunEntry entry = run_[i];
      std::size_t place = i;
      for (; place > 0 && run_[place - 1].time > entry.time; --place) run_[place] = run_[place - 1];
      run_[place] = entry;
    }
    return;
  }
  std::sort(run_.begin(), run_.end(), [](const RunEntry& a, const RunEntry& b) {
    return a.time != b.time ? a.time < b.time : a.event()->tag_ < b.event()->tag_;
  });
}

/// Moves what has come within the horizon from the heap into the wheel.
void Calendar::migrate_far() {
  while (!far_.empty() &&
         (time_of(far_.front().key) >> shift_) - current_ - 1 < buckets_.size() - 1) {
    Event* event = far_.front().event;
    std::pop_heap(far_.begin(), far_.end(), std::greater<>{});
    far_.pop_back();
    *append_to_bucket(event->time_ >> shift_) = *event;
    store_.give_back(event);
  }
}

/// Looks from time to time whether width and number of buckets still suit the pending events.
///
/// Signs that they do not: loads find more than 24 events, or half of the pushes hit the current
/// bucket (too wide); loads find less than two (too narrow); a quarter of the pushes lie beyond the
/// horizon (too few buckets). The signs only say when to look: what would be better is read from a
/// sample of the times. Patience doubles while a look brings nothing, so that patterns for which
/// there is nothing better do not pay for looking.
void Calendar::adapt() {
  const std::size_t count = wheel_size_ + far_.size();
  const bool grown = count > 2 * built_for_ + 64;
  const bool shrunk = count * 8 < built_for_;
  if (!grown && !shrunk && number_ - looked_at_ < patience_) return;
  const std::uint64_t pushes = number_ - looked_at_;
  const bool too_wide = loaded_ > 24 * loads_ || pushed_near_ * 2 > pushes;
  const bool too_narrow = loads_ > loaded_ / 2 && count > 16;
  const bool too_short = pushed_far_ * 4 > pushes;
  looked_at_ = number_;
  loads_ = loaded_ = pushed_near_ = pushed_far_ = 0;
  if (!grown && !shrunk && !too_wide && !too_narrow && !too_short) {
    patience_ = std::max<std::uint64_t>(1024, 4 * count);
    return;
  }

  // The times of a sample, from now on, tell the density and the extent.
  constexpr std::size_t kSample = 256;
  const std::size_t stride = count / kSample + 1;
  std::vector<std::uint64_t> sample;
  std::size_t seen = 0;
  const std::uint64_t from = time_of(run_key_);
  const auto look = [&](const Event& event) {
    if (seen++ % stride == 0) sample.push_back(event.time_ - from);
  };
  for (const Bucket& list : buckets_) list.for_each(look);
  for (const HeapEntry& entry : far_) look(*entry.event);
  std::sort(sample.begin(), sample.end());

  // Half of the events lie before the median, so `median / (count / 2)` is the distance between two
  // of them where they are dense; the few far outliers do not count, for the extent neither.
  const std::uint64_t median = sample[sample.size() / 2];
  const std::uint64_t width = std::max<std::uint64_t>(1, 2 * kPerBucket * median / count);
  const unsigned shift = std::min(40U, static_cast<unsigned>(std::bit_width(width)) - 1);
  const std::uint64_t extent = (sample[sample.size() - 1 - sample.size() / 20] >> shift) * 2 + 1;
  const std::size_t buckets = std::clamp<std::size_t>(
      std::bit_ceil(std::min<std::uint64_t>(extent, std::max<std::size_t>(count, kBucketsMin))),
      kBucketsMin, kBucketsMax);
  built_for_ = count;
  if (shift == shift_ && buckets == buckets_.size()) {
    patience_ = std::max<std::uint64_t>(2 * patience_, 4 * count);  // nothing better to be had
    return;
  }
  patience_ = std::max<std::uint64_t>(1024, 4 * count);
  rebuild(shift, buckets);
}

/// Lays all events of the wheel and of far_ into a new wheel. Old buckets are read in the order of
/// their times, and far events by key, so that equal times stay in order of creation (invariant 3).
void Calendar::rebuild(unsigned shift, std::size_t buckets) {
  std::vector<Bucket> old = std::move(buckets_);
  const std::size_t start = current_ + 1;
  Heap far = std::move(far_);
  far_.clear();
  const std::uint64_t from = time_of(run_key_);
  buckets_.assign(buckets, Bucket{});
  occupied_.assign(buckets / 64, 0);
  summary_.assign((buckets / 64 + 63) / 64, 0);
  shift_ = shift;
  wheel_size_ = 0;
  current_ = (from >> shift_) - 1;
  const auto place = [&](const Event& event) {
    const std::uint64_t bucket = event.time_ >> shift_;
    if (bucket - current_ - 1 < buckets_.size() - 1) {
      *append_to_bucket(bucket) = event;
      return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < old.size(); ++i) {
    Bucket& list = old[(start + i) & (old.size() - 1)];
    list.for_each([&](const Event& event) {
      if (place(event)) return;
      Event* single = store_.take_single();
      *single = event;
      far_.push_back({key_of(event), single});
    });
    list.clear(store_);
  }
  std::sort(far.begin(), far.end(),
            [](const HeapEntry& a, const HeapEntry& b) { return a.key < b.key; });
  for (const HeapEntry& entry : far) {
    if (place(*entry.event)) {
      store_.give_back(entry.event);
    } else {
      far_.push_back(entry);
    }
  }
  std::make_heap(far_.begin(), far_.end(), std::greater<>{});
}

void Calendar::note_taken(const Event& event) {
  if (event.time_ != now_) taken_at_now_.clear();
  taken_at_now_.insert(event.tag_, true);
}

/// Events are not searched for: the tag is noted, and the event is dropped when it comes out. What
/// was taken already has a key up to that of the last one taken; with shuffled ties keys do not
/// come in order within a moment, so the tags taken at the present moment are kept.
bool Calendar::cancel(EventId id) {
  if (id.tag_ == 0 || id.time_ < now_) return false;
  const bool taken =
      shuffle_ ? taken_at_now_.contains(id.tag_) : key_of(id.time_, id.tag_) <= taken_key_;
  if (taken || !cancelled_.insert(id.tag_, id.time_).second) return false;
  ++cancelled_pending_;
  if (cancelled_.size() > cancelled_forget_) {
    cancelled_.erase_if([this](std::uint64_t, std::uint64_t time) { return time < now_; });
    cancelled_forget_ = 2 * cancelled_.size() + 64;
  }
  return true;
}

void Calendar::sweep(const std::function<bool(const Event&)>& dead,
                     const std::function<void(Event&)>& dispose) {
  const auto stays = [&](Event& event) {
    if (!cancelled_.contains(event.tag_) && !dead(event)) return true;
    dispose(event);
    --size_;
    return false;
  };
  present_.filter(lane_store_, stays);
  lane_.filter(lane_store_, stays);
  lane_key_ = lane_.empty() ? kNone : key_of(*lane_.front());

  const std::size_t before = size_;
  for (std::size_t slot = 0; slot < buckets_.size(); ++slot) {
    if (buckets_[slot].empty()) continue;
    const std::size_t size = size_;
    buckets_[slot].filter(store_, stays);
    wheel_size_ -= size - size_;
    if (buckets_[slot].empty()) clear_occupied(slot);
  }
  const auto gone = [&](Event* event) {
    if (stays(*event)) return false;
    store_.give_back(event);
    return true;
  };
  for (Heap* heap : {&near_, &far_}) {
    std::erase_if(*heap, [&](const HeapEntry& entry) { return gone(entry.event); });
    std::make_heap(heap->begin(), heap->end(), std::greater<>{});
  }
  near_key_ = near_.empty() ? kNone : near_.front().key;
  const auto rest = run_.begin() + static_cast<std::ptrdiff_t>(run_position_);
  run_.erase(std::remove_if(rest, run_.end(),
                            [&](const RunEntry& entry) {
                              if (stays(*entry.event())) return false;
                              if (entry.is_single()) store_.give_back(entry.event());
                              return true;
                            }),
             run_.end());
  outside_lane_ -= before - size_;
  set_run_key();
  cancelled_pending_ = 0;
}

void Calendar::for_each_stored(const std::function<void(Event&)>& visit) const {
  present_.for_each(visit);
  lane_.for_each(visit);
  for (std::size_t i = run_position_; i < run_.size(); ++i) visit(*run_[i].event());
  for (const HeapEntry& entry : near_) visit(*entry.event);
  for (const Bucket& list : buckets_) list.for_each(visit);
  for (const HeapEntry& entry : far_) visit(*entry.event);
}

void Calendar::for_each(const std::function<void(const Event&)>& visit) const {
  for_each_stored([&](const Event& event) {
    if (cancelled_pending_ == 0 || !cancelled_.contains(event.tag_)) visit(event);
  });
}

}  // namespace artel::sim::detail
