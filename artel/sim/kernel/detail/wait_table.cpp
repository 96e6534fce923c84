#include "artel/sim/kernel/detail/wait_table.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/detail/event_target.hpp"
#include "artel/sim/kernel/detail/event_wait.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"

namespace artel::sim::detail {
namespace {

/// Both halves of the product of two numbers, as one: every bit of either counts.
std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
}

std::uint64_t without_predicate(std::uint64_t what) { return what & ~EventPattern::kPredicate; }

/// Not 0.
std::uint64_t hash_of(const EventPattern& pattern) {
  const std::uint64_t dst = index(pattern.target->id);
  return folded_product(without_predicate(pattern.what) ^ 0x9e3779b97f4a7c15,
                        pattern.key ^ dst * 0xc4ceb9fe1a85ec53 ^ 0xd1b54a32d192ed03) |
         1U;
}

}  // namespace

void WaitTable::insert(EventWait& wait) {
  ++of_kind_[kind_of(wait.wanted_.what)];
  const std::uint64_t hash = hash_of(wait.wanted_);
  wait.before_ = &wait;
  wait.behind_ = nullptr;
  if (vacancy_ != nullptr && vacancy_hash_ == hash) {
    *vacancy_ = &wait;
    vacancy_ = nullptr;
    return;
  }
  close_vacancy();
  const auto [front, is_new] = fronts_.insert(hash, &wait);
  if (is_new) return;
  EventWait& first = **front;
  wait.before_ = first.before_;
  wait.before_->behind_ = &wait;
  first.before_ = &wait;
}

void WaitTable::remove(EventWait& wait) {
  --of_kind_[kind_of(wait.wanted_.what)];
  close_vacancy();
  const std::uint64_t hash = hash_of(wait.wanted_);
  take_out(hash, *fronts_.find(hash), wait);
}

EventWait* WaitTable::take(EventTarget& target, const Event& event) {
  close_vacancy();
  EventPattern pattern{.target = &target, .what = event.type()};
  const std::uint64_t from = EventPattern::from(event.src_);
  const PayloadType& type = payload_type(event.type());
  if (type.key != nullptr) {
    pattern.key = type.key(PayloadAccess::get_untyped(event));
    for (const std::uint64_t src : {from, std::uint64_t{0}}) {
      pattern.what = event.type() | EventPattern::kWithKey | src;
      if (EventWait* wait = take(pattern, event)) return wait;
    }
    pattern.key = 0;
  }
  for (const std::uint64_t src : {from, std::uint64_t{0}}) {
    pattern.what = event.type() | src;
    if (EventWait* wait = take(pattern, event)) return wait;
  }
  return nullptr;
}

EventWait& WaitTable::first_for(const EventTarget& target) const {
  // Not in the order of the table, which depends on the numbers of payload types.
  const auto place = [](const EventWait& wait) {
    const ProcessState& process = wait.process();
    return std::tuple(process.since, process.owner_id, wait.wanted_.key);
  };
  EventWait* first = nullptr;
  fronts_.for_each([&](std::uint64_t, EventWait* front) {
    for (EventWait* wait = front; wait != nullptr; wait = wait->behind_) {
      if (wait->wanted_.target != &target) continue;
      if (first == nullptr || place(*wait) < place(*first)) first = wait;
    }
  });
  return *first;
}

inline EventWait* WaitTable::take(const EventPattern& pattern, const Event& event) {
  std::size_t& count = of_kind_[kind_of(pattern.what)];
  if (count == 0) return nullptr;
  const std::uint64_t hash = hash_of(pattern);
  EventWait** front = fronts_.find(hash);
  if (front == nullptr) return nullptr;
  for (EventWait* wait = *front; wait != nullptr; wait = wait->behind_) {
    const EventPattern& wanted = wait->wanted_;
    if (wanted.key != pattern.key || without_predicate(wanted.what) != pattern.what ||
        wanted.target != pattern.target) {
      continue;  // another pattern with the same hash
    }
    if (wanted.has(EventPattern::kPredicate) && !wait->wants(event)) continue;
    --count;
    take_out(hash, *front, *wait);
    return wait;
  }
  return nullptr;
}

/// Unlinks a wait of the chain that begins at `front`.
void WaitTable::take_out(std::uint64_t hash, EventWait*& front, EventWait& wait) {
  EventWait* behind = wait.behind_;
  if (&wait != front) {
    wait.before_->behind_ = behind;
    (behind == nullptr ? front : behind)->before_ = wait.before_;
  } else if (behind != nullptr) {
    behind->before_ = wait.before_;
    front = behind;
  } else {
    front = nullptr;
    vacancy_ = &front;
    vacancy_hash_ = hash;
  }
}

void WaitTable::close_vacancy() {
  if (vacancy_ == nullptr) return;
  vacancy_ = nullptr;
  fronts_.erase(vacancy_hash_);
}

}  // namespace artel::sim::detail
