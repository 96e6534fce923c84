#include "artel/sim/kernel/detail/calendar.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "artel/sim/kernel/detail/fetch.hpp"
#include "artel/sim/kernel/detail/segment_list.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim::detail {
namespace {

constexpr std::size_t kFewest = 16;  // more are cut into parts before they are sorted

/// Puts entries into parts of their bucket's time, each with few of them if they are spread at all;
/// false if a part has more than `most_max`.
template <class Entry, std::size_t kMax>
bool put_in_parts(std::array<Entry, kMax>& entries, std::size_t count, std::size_t most_max,
                  std::uint64_t start, unsigned shift) {
  constexpr unsigned kPartBits = 6;
  const auto part = [&](const Entry& entry) { return (entry.time - start) >> (shift - kPartBits); };
  std::array<std::uint32_t, (1U << kPartBits) + 1> ends{};
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, ++ends[part(entries[i]) + 1]);
  if (most > most_max) return false;
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  std::array<Entry, kMax> before;
  std::copy_n(entries.begin(), count, before.begin());
  for (std::size_t i = 0; i < count; ++i) entries[ends[part(before[i])]++] = before[i];
  return true;
}

}  // namespace

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
  } else if (insert(entry)) {
    return;
  } else {
    spill();
  }
  place(entry);
}

/// Into its place in the run, behind those of its time; false if that would be too far to move
/// entries, again and again. Near the front those before it are moved, else those behind it.
bool Calendar::insert(Entry entry) {
  const auto is_behind = [&](const Entry& other) { return other.time > entry.time; };
  if (run_.insert_early(entry, kInsertMax, segments_, is_behind)) return true;
  if (late_inserts_ == kLateInserts || run_.longer_than(kSortMax / Segment<Entry>::kValues)) {
    return false;
  }
  ++late_inserts_;
  bool found = false;
  run_.for_each([&](Entry& other) {
    found = found || is_behind(other);
    if (found) std::swap(other, entry);
  });
  run_.append(entry, segments_);
  return true;
}

void Calendar::push_last(Event& event, std::uint64_t low) {
  event.time_ = now_;
  event.tag_ = (stamp_ += 2) << Event::kStampShift | low;
  if (created_ != nullptr) created_->push_back(event.tag_);
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
  unsorted_ = {};
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
      const Entry entry = list.front();
      list.pop(segments_);
      if (!forget(entry)) tied_.append(*entry.event, entry.event->tag_);
    }
  };
  while (true) {
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
  --size_;
  return &tied_.take(tied_.size() == 1 ? 0 : ties_->choose(tied_.size()));
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
    std::uint64_t& unsorted = unsorted_[level][word];
    const bool in_order = (unsorted & bit(slot)) == 0;
    unsorted &= ~bit(slot);
    run_start_ = start;
    if (in_order || put_in_order(bucket, start, shift)) {
      run_.clear(segments_);
      run_ = bucket;
      run_end_ = start + (std::uint64_t{1} << shift);
      late_inserts_ = 0;
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

/// Sorts the entries of a bucket that begins at `start` and spans 2^shift times; false if they are
/// too many or too close together. Equal times stay in order of creation: all steps are stable.
bool Calendar::put_in_order(const List& list, std::uint64_t start, unsigned shift) {
  std::array<Entry, kSortMax> sorted;
  std::size_t count = 0;
  if (list.longer_than(kSortMax / Segment<Entry>::kValues + 1)) return false;
  const bool fits = list.visit_while([&](const Entry& entry) {
    if (count == kSortMax) return false;
    sorted[count++] = entry;
    return true;
  });
  if (!fits) return false;
  if (count > kFewest && !put_in_parts(sorted, count, kInsertMax, start, shift)) return false;
  for (std::size_t i = 1; i < count; ++i) {
    const Entry entry = sorted[i];
    std::size_t place = i;
    for (; place > 0 && sorted[place - 1].time > entry.time; --place) {
      sorted[place] = sorted[place - 1];
    }
    sorted[place] = entry;
  }
  const Entry* next = sorted.data();
  list.for_each([&](Entry& entry) { entry = *next++; });
  return true;
}

/// The first bucket of a level behind `slot`, or of all, that holds something; 256 if none does.
unsigned Calendar::next_slot(unsigned level, unsigned slot) const {
  const std::array<std::uint64_t, 4>& occupied = occupied_[level];
  if (++slot == 256) return 256;
  unsigned word = slot / 64;
  std::uint64_t bits = occupied[word] & (~std::uint64_t{0} << slot % 64);
  while (bits == 0 && ++word < 4) bits = occupied[word];
  return word == 4 ? 256 : word * 64 + static_cast<unsigned>(std::countr_zero(bits));
}

/// The events of the next bucket, or, with a Fetch, the last stage for the run and one for each of
/// the next four. Inlined by force as it is there.
[[gnu::always_inline]] inline void Calendar::fetch_ahead(unsigned level, unsigned slot) const {
  const auto look_at = [](const List& list, const auto& stage) {
    std::size_t left = kFetchMax;
    list.visit_while([&](const Entry& entry) {
      stage(*entry.event);
      return --left != 0;
    });
  };
  const auto look = [&](const auto& stage) {
    slot = next_slot(level, slot);
    if (slot == 256) return false;
    look_at(buckets_[level][slot], stage);
    return true;
  };
  const auto event = [](const Event& next) { Fetch::event(next); };
  if (fetch_ == nullptr) {
    look(event);
    return;
  }
  look_at(run_, [&](const Event& next) { fetch_->frame(next); });
  (void)(look([&](const Event& next) { fetch_->process(next); }) &&
         look([&](const Event& next) { fetch_->component(next); }) &&
         look([&](const Event& next) { fetch_->place(next); }) && look(event));
}

bool Calendar::create_in_background(bool on) {
  if (creates_in_background() == on) return on;
  if (on) {
    background_since_ = created();
  } else {
    background_ += created() - background_since_;
  }
  stamp_ ^= 1U;
  return !on;
}

void Calendar::cancel(Event& event) {
  if (event.in_background()) --background_;  // perhaps below 0, until those created now are added
  --size_;
  if (ties_ != nullptr && tied_.remove(event.tag_)) return store_.give_back(&event);
  event.tag_ = 0;
  ++dead_;
  if (dead_ > 64 && dead_ > size_) sweep();
}

/// Forgets the dead. O(stored), each time half of what is stored.
void Calendar::sweep() {
  const auto lives = [this](const Entry& entry) { return !forget(entry); };
  for (List* list : {&run_, &present_, &last_}) list->filter(segments_, lives);
  for (unsigned levels = levels_; levels != 0; levels &= levels - 1) {
    const auto level = static_cast<unsigned>(std::countr_zero(levels));
    for (unsigned slot = next_slot(level, kBeforeAll); slot != 256; slot = next_slot(level, slot)) {
      List& bucket = buckets_[level][slot];
      bucket.filter(segments_, lives);
      if (!bucket.empty()) continue;
      occupied_[level][slot / 64] &= ~bit(slot);
      unsorted_[level][slot / 64] &= ~bit(slot);
    }
    if (nothing_in(level)) levels_ &= ~(1U << level);
  }
  set_limit(limit_);  // nothing of the present may be left
}

void Calendar::for_each(const std::function<void(Event&)>& visit) const {
  const auto look = [&](const Entry& entry) {
    if (entry.event->tag_ != 0) visit(*entry.event);
  };
  for_each_list(*this, [&](const List& list) { list.for_each(look); });
  tied_.for_each(visit);
}

}  // namespace artel::sim::detail
