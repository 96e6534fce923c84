#include "artel/sim/kernel/detail/calendar.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "artel/sim/kernel/detail/fetch.hpp"
#include "artel/sim/kernel/detail/segment_list.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {

/// For a time that the run covers, or for the present.
void Calendar::push_near(const Entry& entry) {
  if (entry.time == now_) {
    until_ = now_;
    return present_.append(entry, segments_);
  }
  if (entry.time < run_start_) {
    rebase();
  } else if (run_.empty() || entry.time >= run_.back().time) {
    return run_.append(entry, segments_);
  } else {
    spill();
  }
  place(entry);
}

void Calendar::push_last(Event& event, std::uint64_t low) {
  event.time_ = now_;
  event.tag_ = ++number_ << Event::kNumberShift | low;
  ++size_;
  until_ = now_;
  last_.append({now_, &event}, segments_);
}

/// Moves the rest of the run to lower levels, below that of the bucket it was: now_ is within it.
void Calendar::spill() {
  base_ = run_start_ = run_end_ = now_;
  List rest = run_;
  run_ = List{};
  rest.for_each([this](const Entry& entry) { place(entry); });
  rest.clear(segments_);
}

/// Puts everything in its place as seen from now_, which is before the run: all that was due
/// earlier had been cancelled, unseen until the wheel had turned to it. O(pending).
void Calendar::rebase() {
  std::vector<List> lists{run_};
  for (auto& level : buckets_) {
    for (List& bucket : level) {
      if (!bucket.empty()) lists.push_back(bucket);
      bucket = List{};
    }
  }
  run_ = List{};
  occupied_ = {};
  levels_ = 0;
  base_ = run_start_ = run_end_ = now_;
  for (List& list : lists) {
    list.for_each([this](const Entry& entry) { place(entry); });
    list.clear(segments_);
  }
}

/// When the run has nothing more that is due: what else there is at this moment, then the next
/// bucket.
Event* Calendar::take_late() {
  while (true) {
    const bool waits = !present_.empty() || !last_.empty();
    if (!run_.empty() || !load(waits ? now_ : limit_)) {
      if (!waits) return nullptr;
      if (Event* event = take_from(present_.empty() ? last_ : present_)) return event;
    }
    if (Event* event = take_due()) return event;  // of a new run, or one that the dead held up
  }
}

/// The first event of present_ or last_; nullptr if there were only dead ones.
Event* Calendar::take_from(List& list) {
  Event* event = nullptr;
  while (event == nullptr && !list.empty()) {
    event = list.front().event;
    if (forget(list.front())) event = nullptr;
    list.pop(segments_);
  }
  if (event != nullptr) --size_;
  if (list.empty()) set_limit(limit_);
  return event;
}

/// The same as take() with a choice: of all that are due at the next moment, one.
Event* Calendar::take_tied() {
  const auto collect = [this](List& list, std::uint64_t time) {
    while (!list.empty() && list.front().time == time) {
      tied_.push_back(list.front());
      list.pop(segments_);
    }
  };
  while (true) {
    if (dead_ != 0) std::erase_if(tied_, [this](const Entry& entry) { return forget(entry); });
    if (tied_.empty() && present_.empty()) {
      const bool more = !run_.empty() || load(last_.empty() ? limit_ : now_);
      if (!last_.empty() && (!more || run_.front().time > now_)) {
        if (Event* event = take_from(last_)) return event;
        continue;
      }
      if (!more || run_.front().time > limit_) return nullptr;
      collect(run_, run_.front().time);
    } else if (!present_.empty()) {
      collect(present_, now_);
    } else {
      break;
    }
  }
  const std::size_t chosen = tied_.size() == 1 ? 0 : ties_->choose(tied_.size());
  Event* event = tied_[chosen].event;
  tied_.erase(tied_.begin() + static_cast<std::ptrdiff_t>(chosen));
  --size_;
  return event;
}

/// Makes the first bucket the run, if it begins by `limit`; false if there is none such.
bool Calendar::load(std::uint64_t limit) {
  while (levels_ != 0) {
    const auto level = static_cast<unsigned>(std::countr_zero(levels_));
    std::array<std::uint64_t, 4>& occupied = occupied_[level];
    unsigned word = 0;
    while (occupied[word] == 0) ++word;
    const unsigned slot = word * 64 + static_cast<unsigned>(std::countr_zero(occupied[word]));
    const unsigned shift = kBits * level;
    const std::uint64_t above = level + 1 == kLevels ? 0 : base_ >> shift >> kBits;
    const std::uint64_t start = (above << kBits | slot) << shift;
    if (start > limit) return false;
    List bucket = buckets_[level][slot];
    buckets_[level][slot] = List{};
    occupied[word] &= occupied[word] - 1;
    if (nothing_in(level)) levels_ &= levels_ - 1;
    run_start_ = start;
    if (level == 0 || put_in_order(bucket)) {
      run_.clear(segments_);
      run_ = bucket;
      run_end_ = start + (std::uint64_t{1} << shift);
      base_ = run_end_ - 1;
      fetch_ahead(level, slot);
      return true;
    }
    base_ = run_end_ = start;
    bucket.for_each([this](const Entry& entry) { place(entry); });
    bucket.clear(segments_);
  }
  return false;
}

/// Whether the entries are in order of time, or are now.
bool Calendar::put_in_order(const List& list) {
  std::array<Entry*, kSortMax> few;
  std::size_t count = 0;
  bool in_order = true;
  std::uint64_t last = 0;
  const bool fits = list.visit_while([&](Entry& entry) {
    if (count < kSortMax) few[count] = &entry;
    ++count;
    in_order = in_order && entry.time >= last;
    last = entry.time;
    return in_order || count <= kSortMax;
  });
  if (in_order) return true;
  if (!fits || count > kSortMax) return false;
  for (std::size_t i = 1; i < count; ++i) {  // stable: equal times stay in order of creation
    const Entry entry = *few[i];
    std::size_t place = i;
    for (; place > 0 && few[place - 1]->time > entry.time; --place) *few[place] = *few[place - 1];
    *few[place] = entry;
  }
  return true;
}

/// The first bucket of a level behind `slot` that holds something; 256 if none does.
unsigned Calendar::next_slot(unsigned level, unsigned slot) const {
  const std::array<std::uint64_t, 4>& occupied = occupied_[level];
  if (++slot == 256) return 256;
  unsigned word = slot / 64;
  std::uint64_t bits = occupied[word] & (~std::uint64_t{0} << slot % 64);
  while (bits == 0 && ++word < 4) bits = occupied[word];
  return word == 4 ? 256 : word * 64 + static_cast<unsigned>(std::countr_zero(bits));
}

/// The events of the next bucket, or, with a Fetch, a stage for each of the next four. Inlined by
/// force as it is there.
[[gnu::always_inline]] inline void Calendar::fetch_ahead(unsigned level, unsigned slot) const {
  const auto look = [&](const auto& stage) {
    slot = next_slot(level, slot);
    if (slot == 256) return false;
    std::size_t left = 2 * kSortMax;
    buckets_[level][slot].visit_while([&](const Entry& entry) {
      stage(*entry.event);
      return --left != 0;
    });
    return true;
  };
  const auto event = [](const Event& next) { Fetch::event(next); };
  if (fetch_ == nullptr) {
    look(event);
    return;
  }
  (void)(look([&](const Event& next) { fetch_->process(next); }) &&
         look([&](const Event& next) { fetch_->component(next); }) &&
         look([&](const Event& next) { fetch_->place(next); }) && look(event));
}

void Calendar::cancel(Event& event) {
  event.tag_ = 0;
  --size_;
  ++dead_;
  if (dead_ > 64 && dead_ > size_) sweep();
}

/// Forgets the dead. O(stored), each time half of what is stored.
void Calendar::sweep() {
  for_each_list(*this, [this](List& list) {
    list.filter(segments_, [this](const Entry& entry) { return !forget(entry); });
  });
  for (unsigned level = 0; level < kLevels; ++level) {
    for (unsigned slot = 0; slot < 256; ++slot) {
      if (buckets_[level][slot].empty()) {
        occupied_[level][slot / 64] &= ~(std::uint64_t{1} << slot % 64);
      }
    }
    if (nothing_in(level)) levels_ &= ~(1U << level);
  }
}

void Calendar::for_each(const std::function<void(Event&)>& visit) const {
  const auto look = [&](const Entry& entry) {
    if (entry.event->tag_ != 0) visit(*entry.event);
  };
  for_each_list(*this, [&](const List& list) { list.for_each(look); });
  for (const Entry& entry : tied_) look(entry);
}

}  // namespace artel::sim::detail
