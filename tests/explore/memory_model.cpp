#include "tests/explore/memory_model.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "artel/core/require.hpp"

namespace artel::explore {
namespace {

// Between two neighbours in a modification order: room for values that come between them.
constexpr std::uint32_t kStampStep = 1U << 12U;

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

void MemoryModel::Knowledge::join(const Knowledge& other) {
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = std::max(view[i], other.view[i]);
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other.clock[i]);
}

std::uint64_t MemoryModel::mix(std::uint64_t hash, std::uint64_t with) {
  hash = (hash ^ with) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

void MemoryModel::clear() {
  place_count_ = passed_count_ = 0;
  plain_.clear();
  writes_ = 0;
  for (Thread i = 0; i < kThreadsMax; ++i) {
    known_[i] = {};
    known_[i].clock[i] = 1;
    histories_[i] = mix(1, i);
  }
}

MemoryModel::Location MemoryModel::add(Thread thread, std::uint64_t value) {
  ARTEL_REQUIRE(place_count_ < kLocationsMax, "too many atomics for the explorer", kLocationsMax);
  if (place_count_ == places_.size()) places_.emplace_back();
  const Location location = place_count_++;
  Place& place = places_[location];
  place.values.clear();
  place.sequential = 0;
  // Its initial value is there for whoever may know of the location at all.
  place.values.push_back({.bits = value,
                          .stamp = 1,
                          .follows = false,
                          .passed = kNothing,
                          .writer = thread,
                          .written = 0,
                          .identity = mix(histories_[thread], location)});
  return location;
}

// The index of the value that is read, or after which is written.
std::size_t MemoryModel::choose(Thread thread, Location location, std::memory_order order,
                                Access access, std::uint64_t expected) {
  Place& place = places_[location];
  Stamp least = known_[thread].view[location];
  if (order == std::memory_order_seq_cst) least = std::max(least, place.sequential);
  const auto& values = place.values;
  const std::size_t last = values.size() - 1;
  if (last == 0 || values[last - 1].stamp < least) return last;

  const auto fits = [&](std::size_t i) {
    if (i == last || access == Access::load) return true;
    if (access == Access::compare_exchange && values[i].bits != expected) return true;
    return !values[i + 1].follows && values[i + 1].stamp - values[i].stamp > 1;
  };
  std::size_t count = 0;
  for (std::size_t i = last; values[i].stamp >= least; --i) {
    count += fits(i) ? 1 : 0;
    if (i == 0) break;
  }
  std::size_t chosen = count > 1 ? outcomes_.choose_outcome(count) : 0;
  std::size_t at = last;
  while (!fits(at) || chosen > 0) {
    if (fits(at)) --chosen;
    --at;
  }
  return at;
}

std::uint64_t MemoryModel::read_at(Thread thread, Location location, std::size_t at,
                                   std::memory_order order) {
  Place& place = places_[location];
  const Value& value = place.values[at];
  Knowledge& known = known_[thread];
  known.view[location] = std::max(known.view[location], value.stamp);
  if (acquires(order) && value.passed != kNothing) {
    const bool known_already = value.written != 0 && value.written <= known.clock[value.writer];
    if (!known_already) known.join(passed_[value.passed]);
  }
  if (order == std::memory_order_seq_cst)
    place.sequential = std::max(place.sequential, value.stamp);
  note(thread, mix(value.identity, location));
  return value.bits;
}

void MemoryModel::write_after(Thread thread, Location location, std::size_t at, std::uint64_t bits,
                              std::memory_order order, bool follows) {
  Place& place = places_[location];
  auto& values = place.values;
  const Stamp before = values[at].stamp;
  const Stamp stamp =
      at + 1 == values.size() ? before + kStampStep : before + (values[at + 1].stamp - before) / 2;
  Knowledge& known = known_[thread];
  known.view[location] = stamp;
  note(thread, mix(mix(location, bits), follows ? 1 : 2));
  ++writes_;

  Value value{.bits = bits,
              .stamp = stamp,
              .follows = follows,
              .passed = kNothing,
              .writer = thread,
              .written = 0,
              .identity = histories_[thread]};
  if (releases(order)) {
    value.passed = pass_on(known);
    value.written = known.clock[thread]++;
  }
  const std::uint32_t before_passed = values[at].passed;
  if (follows && before_passed != kNothing && !(acquires(order) && releases(order))) {
    // The release sequence goes on.
    if (value.passed == kNothing) value.passed = pass_on({});
    passed_[value.passed].join(passed_[before_passed]);
    value.written = 0;
  }
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(at) + 1, value);
  if (order == std::memory_order_seq_cst) place.sequential = std::max(place.sequential, stamp);
}

std::uint32_t MemoryModel::pass_on(const Knowledge& knowledge) {
  if (passed_count_ == passed_.size()) passed_.emplace_back();
  passed_[passed_count_] = knowledge;
  return static_cast<std::uint32_t>(passed_count_++);
}

std::uint64_t MemoryModel::load(Thread thread, Location location, std::memory_order order) {
  return read_at(thread, location, choose(thread, location, order, Access::load, 0), order);
}

void MemoryModel::store(Thread thread, Location location, std::uint64_t value,
                        std::memory_order order) {
  write_after(thread, location, choose(thread, location, order, Access::store, 0), value, order,
              false);
}

std::pair<std::uint64_t, bool> MemoryModel::compare_exchange(Thread thread, Location location,
                                                             std::uint64_t expected,
                                                             std::uint64_t desired,
                                                             std::memory_order success,
                                                             std::memory_order failure) {
  const std::size_t at = choose(thread, location, success, Access::compare_exchange, expected);
  const bool same = places_[location].values[at].bits == expected;
  const std::uint64_t read = read_at(thread, location, at, same ? success : failure);
  if (same) write_after(thread, location, at, desired, success, true);
  return {read, same};
}

std::uint64_t MemoryModel::newest(Thread thread, Location location) {
  return read_at(thread, location, places_[location].values.size() - 1, std::memory_order_relaxed);
}

bool MemoryModel::see_newest(Thread thread) {
  bool changed = false;
  for (Location location = 0; location < place_count_; ++location) {
    Stamp& seen = known_[thread].view[location];
    const Stamp newest = places_[location].values.back().stamp;
    changed |= seen < newest;
    seen = newest;
  }
  return changed;
}

void MemoryModel::join(Thread from, Thread to) {
  known_[to].join(known_[from]);
  ++known_[from].clock[from];
  note(to, histories_[from]);
}

MemoryModel::PlainPlace& MemoryModel::plain(const void* address) {
  const auto found = std::find_if(plain_.begin(), plain_.end(), [address](const PlainPlace& place) {
    return place.address == address;
  });
  if (found != plain_.end()) return *found;
  plain_.push_back({.address = address, .writer = 0, .written = 0, .read = {}});
  return plain_.back();
}

bool MemoryModel::read_plain(Thread thread, const void* address) {
  PlainPlace& place = plain(address);
  const auto& clock = known_[thread].clock;
  place.read[thread] = clock[thread];
  return place.written <= clock[place.writer];
}

bool MemoryModel::write_plain(Thread thread, const void* address) {
  PlainPlace& place = plain(address);
  const auto& clock = known_[thread].clock;
  bool ordered = place.written <= clock[place.writer];
  for (Thread i = 0; i < kThreadsMax; ++i) ordered = ordered && place.read[i] <= clock[i];
  place.writer = thread;
  place.written = clock[thread];
  place.read = {};
  return ordered;
}

std::uint64_t MemoryModel::fingerprint() const {
  std::uint64_t hash = 0;
  for (const std::uint64_t history : histories_) hash = mix(hash, history);
  for (Location i = 0; i < place_count_; ++i) {
    hash = mix(hash, places_[i].values.size());
    for (const Value& value : places_[i].values) hash = mix(hash, value.identity);
  }
  return hash;
}

}  // namespace artel::explore
