#include "artel/sim/kernel/wait_table.hpp"

#include <cstddef>
#include <cstdint>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/unit/id.hpp"

namespace artel::sim {
namespace {

/// Both halves of the product of two numbers, as one: every bit of either counts.
std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
}

/// Not 0. Source and key are 0 where the wait is not for one.
std::uint64_t hash(ComponentId dst, std::uint32_t type, bool with_src, ComponentId src,
                   bool with_key, std::uint64_t key) {
  const std::uint64_t what =
      std::uint64_t{type} << 2U | (with_src ? 2U : 0U) | (with_key ? 1U : 0U);
  const std::uint64_t who = std::uint64_t{index(dst)} << 32U | index(src);
  return folded_product(who ^ 0x9e3779b97f4a7c15,
                        key ^ what * 0xc4ceb9fe1a85ec53 ^ 0xd1b54a32d192ed03) |
         1U;
}

}  // namespace

std::uint64_t WaitTable::hash_of(const EventWait& wait) {
  return hash(wait.context_->id(), wait.type_, wait.with_src_, wait.src_, wait.with_key_,
              wait.key_);
}

std::size_t WaitTable::kind_of(const EventWait& wait) {
  return kind(wait.with_key_, wait.with_src_);
}

void WaitTable::insert(EventWait& wait) {
  ++of_kind_[kind_of(wait)];
  const std::uint64_t hash = hash_of(wait);
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
  --of_kind_[kind_of(wait)];
  close_vacancy();
  const std::uint64_t hash = hash_of(wait);
  take_out(hash, *fronts_.find(hash), wait);
}

EventWait* WaitTable::take(const Event& event) {
  close_vacancy();
  const PayloadType& type = payload_type(event.type());
  if (type.key != nullptr) {
    const std::uint64_t key = type.key(PayloadAccess::get_untyped(event));
    for (const bool with_src : {true, false}) {
      if (EventWait* wait = take_kind(event, true, key, with_src)) return wait;
    }
  }
  for (const bool with_src : {true, false}) {
    if (EventWait* wait = take_kind(event, false, 0, with_src)) return wait;
  }
  return nullptr;
}

EventWait* WaitTable::take_kind(const Event& event, bool with_key, std::uint64_t key,
                                bool with_src) {
  std::size_t& count = of_kind_[kind(with_key, with_src)];
  if (count == 0) return nullptr;
  const ComponentId src = with_src ? event.src_ : ComponentId{};
  const std::uint64_t at = hash(event.dst_, event.type(), with_src, src, with_key, key);
  EventWait** front = fronts_.find(at);
  if (front == nullptr) return nullptr;
  for (EventWait* wait = *front; wait != nullptr; wait = wait->behind_) {
    if (wait->key_ == key && wait->src_ == src && wait->type_ == event.type() &&
        wait->context_->id() == event.dst_ && wait->with_key_ == with_key &&
        wait->with_src_ == with_src && (!wait->with_predicate_ || wait->wants(event))) {
      --count;
      take_out(at, *front, *wait);
      return wait;
    }
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

}  // namespace artel::sim
