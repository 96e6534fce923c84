#include "artel/sim/kernel/detail/wait_table.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/context.hpp"  // IWYU pragma: keep: defines owner_id()
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

bool are_for_the_same(const EventPattern& a, const EventPattern& b) {
  return a.key == b.key && without_predicate(a.what ^ b.what) == 0 && a.target == b.target;
}

/// Not 0. The lowest bits of the key are those of the hash: FlatMap puts what differs in these side
/// by side, and keys mostly are numbers given out one after the other.
std::uint64_t hash_of(const EventPattern& pattern) {
  constexpr unsigned kBits = 2;
  constexpr std::uint64_t kNotZero = std::uint64_t{1} << 63U;
  const std::uint64_t dst = index(pattern.target->id);
  const std::uint64_t high =
      folded_product(without_predicate(pattern.what) ^ 0x9e3779b97f4a7c15,
                     pattern.key >> kBits ^ dst * 0xc4ceb9fe1a85ec53 ^ 0xd1b54a32d192ed03);
  return high << kBits | (pattern.key & ((1U << kBits) - 1)) | kNotZero;
}

}  // namespace

/// Unlinks a wait of the chain that begins at `front`.
inline void WaitTable::take_out(EventWait*& front, EventWait& wait) {
  EventWait* behind = wait.behind_;
  if (behind != nullptr || &wait != front) count_one_less(wait.wanted_.what);
  if (&wait != front) {
    wait.before_->behind_ = behind;
    (behind == nullptr ? front : behind)->before_ = wait.before_;
  } else if (behind != nullptr) {
    behind->before_ = wait.before_;
    front = behind;
  } else {
    front = nullptr;
    vacancy_ = &front;
    vacancy_pattern_.target = wait.wanted_.target;
    vacancy_pattern_.key = wait.wanted_.key;
    vacancy_pattern_.what = wait.wanted_.what;
    vacancy_component_ = wait.wanted_.target->id;
  }
}

inline EventWait* WaitTable::take(const EventPattern& pattern, const Event& event) {
  EventWait** front = fronts_.find(hash_of(pattern));
  if (front == nullptr) return nullptr;
  for (EventWait* wait = *front; wait != nullptr; wait = wait->behind_) {
    const EventPattern& wanted = wait->wanted_;
    if (!are_for_the_same(wanted, pattern)) continue;  // their hashes are equal
    if (wanted.has(EventPattern::kPredicate)) [[unlikely]]
      return take_asking(pattern, event);
    take_out(*front, *wait);
    return wait;
  }
  return nullptr;
}

/// The same where predicates are asked. That may take away any of the waits: the one that is asked,
/// then from the front again, or the whole chain.
EventWait* WaitTable::take_asking(const EventPattern& pattern, const Event& event) {
  const std::uint64_t hash = hash_of(pattern);
  EventWait** front = fronts_.find(hash);
  EventWait* wait = front == nullptr ? nullptr : *front;
  while (wait != nullptr) {
    if (are_for_the_same(wait->wanted_, pattern)) {
      const std::optional<bool> wants = wait->ask(event);
      close_vacancy();
      front = fronts_.find(hash);
      if (!wants) {
        wait = front == nullptr ? nullptr : *front;
        continue;
      }
      if (*wants) break;
    }
    wait = wait->behind_;
  }
  if (wait != nullptr) take_out(*front, *wait);
  return wait;
}

void WaitTable::insert(EventWait& wait) {
  wait.before_ = &wait;
  wait.behind_ = nullptr;
  if (vacancy_ != nullptr && are_for_the_same(vacancy_pattern_, wait.wanted_) &&
      vacancy_component_ == wait.wanted_.target->id) {
    *vacancy_ = &wait;
    vacancy_ = nullptr;
    return;
  }
  close_vacancy();
  count_one_more(wait.wanted_.what);
  const auto [front, is_new] = fronts_.insert(hash_of(wait.wanted_), &wait);
  if (is_new) return;
  EventWait& first = **front;
  wait.before_ = first.before_;
  wait.before_->behind_ = &wait;
  first.before_ = &wait;
}

void WaitTable::remove(EventWait& wait) {
  close_vacancy();
  take_out(*fronts_.find(hash_of(wait.wanted_)), wait);
}

EventWait* WaitTable::take(EventTarget& target, const Event& event) {
  close_vacancy();
  const std::uint64_t number = event.type();
  for (unsigned left = kinds_; left != 0; left &= left - 1) {
    const auto kind = static_cast<unsigned>(std::countr_zero(left));
    EventPattern pattern{.target = &target, .what = number};
    if ((kind & kNoKey) == 0) {
      const PayloadType& type = payload_type(event.type());
      if (type.key == nullptr) continue;
      pattern.key = type.key(PayloadAccess::get_untyped(event));
      close_vacancy();  // which it may have left, ending a process that waits
      pattern.what |= EventPattern::kWithKey;
    }
    if ((kind & kNoSrc) == 0) pattern.what |= EventPattern::from(event.src_);
    if (EventWait* wait = take(pattern, event)) return wait;
  }
  return nullptr;
}

void WaitTable::take_all(EventTarget& target) {
  // Not in the order of the table, which depends on the numbers of payload types; only what is in
  // one chain is in order there.
  std::size_t number = 0;
  const auto place = [&number](const EventWait& wait) {
    const ProcessState& process = wait.process();
    const EventPattern& wanted = wait.wanted_;
    return std::tuple(process.since, process.owner_id(), wanted.key,
                      payload_type(wanted.type()).name, wanted.src(), ++number);
  };
  std::vector<std::pair<decltype(place(*target.only_wait)), EventWait*>> all;
  fronts_.for_each([&](std::uint64_t, EventWait* front) {
    for (EventWait* wait = front; wait != nullptr; wait = wait->behind_) {
      if (wait->wanted_.target == &target) all.emplace_back(place(*wait), wait);
    }
  });
  std::sort(all.begin(), all.end());
  for (const auto& [key, wait] : all) remove(*wait);
  target.waits = EventTarget::Waits::leaving;
  target.only_wait = nullptr;
  EventWait* before = nullptr;
  for (const auto& [key, wait] : all) {
    (before == nullptr ? target.only_wait : before->behind_) = wait;
    wait->before_ = before == nullptr ? wait : before;
    wait->behind_ = nullptr;
    before = wait;
  }
}

void WaitTable::take_from(EventTarget& target, EventWait& wait) {
  EventWait* behind = wait.behind_;
  if (target.only_wait == &wait) {
    target.only_wait = behind;
    if (behind != nullptr) behind->before_ = behind;
    return;
  }
  wait.before_->behind_ = behind;
  if (behind != nullptr) behind->before_ = wait.before_;
}

}  // namespace artel::sim::detail
